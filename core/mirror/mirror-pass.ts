import pMap from "p-map";
import type { ClubTable } from "../store/clubs.ts";
import { type CourseTable, fingerprint } from "../store/courses.ts";
import type { MirrorStateStore } from "../store/mirror-state.ts";
import type { UnionAccount } from "../union/account.ts";
import type { CourseRegisterClient } from "../union/register.ts";
import { mirrorClubs } from "./mirror-clubs.ts";
import { type ClubPass, type MirrorState, neverMirrored } from "./mirror-state.ts";
import { needsFullPass, passOrder } from "./pass-order.ts";

/** What mirroring needs from outside. */
export interface MirrorParts {
  readonly union: CourseRegisterClient;
  readonly account: () => Promise<UnionAccount>;
  readonly clubs: ClubTable;
  readonly courses: Pick<CourseTable, "fingerprints" | "club" | "put">;
  readonly state: MirrorStateStore;
  /** Requests to the union at the same time. */
  readonly parallelRequests: number;
  /** How far before its last good pass a club is asked from, against clocks that differ. */
  readonly overlapMilliseconds: number;
  readonly now: () => Date;
}

/** What a pass came to. */
export interface PassReport {
  /** Clubs of the union. */
  readonly clubs: number;
  /** Clubs whose courses were asked for and stored. */
  readonly mirrored: number;
  readonly changedVersions: number;
  readonly goneVersions: number;
  /** Clubs that failed; they come first next time. */
  readonly failed: number;
  /** Clubs left for the next pass, since the time was up. */
  readonly left: number;
  /** Entries of the union's answers that could not be read. */
  readonly unreadable: number;
  /** Age of the club whose last good pass is longest ago; 0 where one was never mirrored. */
  readonly stalestMilliseconds: number;
}

/** How often the state is saved during a pass, in clubs: what a killed pass does again at most. */
const clubsBetweenSaves = 250;
/** Kept for the last answers to come in and for saving the state. */
const reserveMilliseconds = 25_000;

const unionTimestamp = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");

/**
 * One pass over the union's clubs and courses, stalest club first, until all are done or the time is up.
 *
 * A club that fails does not stop the others. What changed is merged into what is there, so a pass that is killed
 * and begun again neither misses nor doubles a change.
 *
 * @param pass `full` asks every club for all of its courses, and marks those gone that it does not show any more
 * @throws UnionUnavailable where not even the list of clubs can be had
 */
export async function mirrorPass(
  { union, account: readAccount, clubs, courses, state: store, now, ...settings }: MirrorParts,
  pass: "changes" | "full",
  remainingMilliseconds: () => number,
): Promise<PassReport> {
  const account = await readAccount();
  const listing = await union.clubs(account);
  await mirrorClubs(clubs, listing);

  const before = await store.read();
  const fullWantedAt = pass === "full" ? now().getTime() : before.fullWantedAt;
  const ids = listing.entries.map((club) => club.ID.toUpperCase());
  const passes = new Map<string, ClubPass>(ids.map((id) => [id, before.clubs.get(id) ?? neverMirrored]));
  const state: MirrorState = { fullWantedAt, clubs: passes };

  const report = { mirrored: 0, changedVersions: 0, goneVersions: 0, failed: 0, left: 0, unreadable: 0 };

  async function mirrorClub(id: string, last: ClubPass): Promise<void> {
    const beganAt = now().getTime();
    const full = needsFullPass(last, fullWantedAt);
    const since = full ? undefined : unionTimestamp(last.goodAt - settings.overlapMilliseconds);
    const shown = (await union.courses(account, id, since)) ?? { entries: [], unreadable: 0 };
    const known = await courses.fingerprints(shown.entries.map((version) => version.ID));
    const changed = shown.entries.filter(
      (version) => known.get(version.ID.toUpperCase()) !== fingerprint(version),
    );
    // Nothing is called gone on the word of an answer that could not be read whole.
    const gone = full && shown.unreadable === 0 ? await noLongerShown(id, shown.entries) : [];
    await courses.put([
      ...changed.map((version) => ({ version, changedAt: beganAt, gone: false })),
      ...gone.map((version) => ({ ...version, changedAt: beganAt, gone: true })),
    ]);
    passes.set(id, { goodAt: beganAt, fullAt: full ? beganAt : last.fullAt, failures: 0 });
    report.mirrored++;
    report.changedVersions += changed.length;
    report.goneVersions += gone.length;
    report.unreadable += shown.unreadable;
  }

  async function noLongerShown(id: string, entries: readonly { ID: string }[]) {
    const shown = new Set(entries.map((version) => version.ID.toUpperCase()));
    const mirrored = await courses.club(id);
    return mirrored.filter(({ version, gone }) => !gone && !shown.has(version.ID.toUpperCase()));
  }

  let sinceSave = 0;
  await pMap(
    passOrder(passes),
    async (id) => {
      const last = passes.get(id) ?? neverMirrored;
      if (remainingMilliseconds() < reserveMilliseconds) {
        report.left++;
        return;
      }
      try {
        await mirrorClub(id, last);
      } catch {
        passes.set(id, { ...last, failures: last.failures + 1 });
        report.failed++;
      }
      if (++sinceSave >= clubsBetweenSaves) {
        sinceSave = 0;
        await store.write(state);
      }
    },
    { concurrency: settings.parallelRequests },
  );
  await store.write(state);

  const stalest = Math.min(now().getTime(), ...[...passes.values()].map(({ goodAt }) => goodAt));
  return {
    ...report,
    clubs: ids.length,
    unreadable: report.unreadable + listing.unreadable,
    stalestMilliseconds: stalest === 0 ? 0 : now().getTime() - stalest,
  };
}
