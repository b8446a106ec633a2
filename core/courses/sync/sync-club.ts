import { type CourseTable, fingerprint } from "../../dynamodb/courses.ts";
import { type GuidKey, guidKey } from "../../formats/guid.ts";
import { timestampOf } from "../../formats/timestamp.ts";
import type { UnionAccount } from "../../union/account.ts";
import type { CourseRegisterClient } from "../../union/register.ts";
import { registerFaults } from "../register-faults.ts";
import { needsFullPass } from "./club-order.ts";
import type { ClubSync } from "./state.ts";

/** What mirroring one club needs from outside. */
export interface ClubMirrorParts {
  readonly union: Pick<CourseRegisterClient, "courses">;
  readonly account: UnionAccount;
  readonly courses: Pick<CourseTable, "fingerprints" | "club" | "put">;
  /** When the latest full pass was asked for, in milliseconds since 1970, UTC. */
  readonly fullWantedAt: number;
  /** How long before a club's last good pass the changes asked for begin, since the union's clock may differ. */
  readonly overlapMilliseconds: number;
  /** The versions that this pass has written, of all clubs so far; each club adds its own before it writes them. */
  readonly writtenInPass: Set<GuidKey>;
  readonly now: () => Date;
}

/** A course version whose cards cannot be worked out. */
export interface IncompleteVersion {
  readonly version: string;
  /** Why, in words. */
  readonly faults: readonly string[];
}

/** What mirroring a club came to. */
export interface MirroredClub {
  readonly pass: ClubSync;
  /** Versions that were written as new or changed. */
  readonly changed: number;
  /** Versions that were marked as gone. */
  readonly gone: number;
  /** Entries of the union's answer that could not be read. */
  readonly unreadable: number;
  /** Those of the changed versions whose cards cannot be worked out. */
  readonly incomplete: readonly IncompleteVersion[];
}

/**
 * Asks the union once for the courses of a club, and writes the versions that are not stored as the union shows them.
 *
 * Where only changes were asked for, what is not among them stays as it is. Everything is compared with what is stored,
 * so that doing it again writes nothing.
 *
 * @throws UnionUnavailableError, TableBatchError; what has been written by then is right, and the rest is written next time
 */
export async function mirrorClub(id: GuidKey, last: ClubSync, parts: ClubMirrorParts): Promise<MirroredClub> {
  const { union, account, courses, writtenInPass, now } = parts;
  const beganAt = now().getTime();
  const full = needsFullPass(last, parts.fullWantedAt);
  const since = full ? undefined : timestampOf(last.goodAt - parts.overlapMilliseconds);
  const shown = (await union.courses(account, id, since)) ?? { entries: [], unreadable: 0 };
  const known = await courses.fingerprints(shown.entries.map((version) => version.ID));
  const changed = shown.entries.filter((version) => known.get(guidKey(version.ID)) !== fingerprint(version));
  for (const { ID } of changed) writtenInPass.add(guidKey(ID));
  // Nothing is called gone on the word of an answer that could not be read whole, nor on a club's first pass: in all
  // likelihood nothing of it is stored by then, and if something is, the next full pass sees to it.
  const missing =
    full && last.goodAt > 0 && shown.unreadable === 0
      ? await noLongerShown(courses, id, new Set(shown.entries.map((version) => guidKey(version.ID))))
      : [];
  // A course that has moved is shown, and written, by its new club, which may have been asked at the same time: that
  // must not be overwritten by what was read here before.
  const gone = missing.filter(({ version }) => !writtenInPass.has(guidKey(version.ID)));
  // An answer may be too short for once, and what it left out is not among the changes later. So a club that lacks
  // versions, or has no course at all, is looked at whole again in the next pass.
  const believed = gone.length === 0 && shown.entries.length > 0;
  const changedAt = now().getTime();
  await courses.put([
    ...changed.map((version) => ({ version, clubId: id, changedAt, gone: false })),
    ...gone.map((version) => ({ ...version, changedAt, gone: true })),
  ]);
  return {
    pass: {
      ...last,
      goodAt: beganAt,
      fullAt: full && believed ? beganAt : last.fullAt,
      triedAt: beganAt,
      failures: 0,
    },
    changed: changed.length,
    gone: gone.length,
    unreadable: shown.unreadable,
    incomplete: changed.flatMap((version) => {
      const faults = registerFaults(version);
      return faults.length === 0 ? [] : [{ version: version.ID, faults }];
    }),
  };
}

/**
 * Marks all versions of a club as gone, for a club that the union no longer lists.
 *
 * @returns how many of them were not marked before
 */
export async function retireClub(
  id: GuidKey,
  courses: Pick<CourseTable, "club" | "put">,
  now: () => Date,
): Promise<number> {
  const gone = await noLongerShown(courses, id, new Set());
  await courses.put(gone.map((version) => ({ ...version, changedAt: now().getTime(), gone: true })));
  return gone.length;
}

async function noLongerShown(courses: Pick<CourseTable, "club">, id: GuidKey, shown: ReadonlySet<GuidKey>) {
  const mirrored = await courses.club(id);
  return mirrored.filter(({ version, gone }) => !gone && !shown.has(guidKey(version.ID)));
}
