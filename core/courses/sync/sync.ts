import pMap from "p-map";
import type { ClubTable } from "../../dynamodb/clubs.ts";
import type { CourseTable } from "../../dynamodb/courses.ts";
import type { MirrorStateTable } from "../../dynamodb/mirror-state-table.ts";
import type { GuidKey } from "../../formats/guid.ts";
import type { UnionAccount } from "../../union/account.ts";
import type { CourseRegisterClient } from "../../union/register.ts";
import { passOrder } from "./club-order.ts";
import { ageOf, type ClubSync, newClub } from "./state.ts";
import { mirrorClub, retireClub } from "./sync-club.ts";
import { mirrorClubs } from "./sync-clubs.ts";
import { type PassReport, tallyOfPass } from "./sync-report.ts";

/** What mirroring needs from outside. */
export interface MirrorDependencies {
  readonly union: CourseRegisterClient;
  readonly account: () => Promise<UnionAccount>;
  readonly clubs: ClubTable;
  readonly courses: Pick<CourseTable, "fingerprints" | "club" | "put">;
  readonly state: MirrorStateTable;
  /** Requests to the union at the same time. */
  readonly parallelRequests: number;
  /** How long before a club's last good pass the changes asked for begin, since the union's clock may differ. */
  readonly overlapMilliseconds: number;
  readonly now: () => Date;
}

/** How often the state is saved during a pass: no more than this is done again where a pass is killed. */
const millisecondsBetweenSaves = 15_000;
/** With less time left no club is begun: the last answers must still come in, and the state be saved. */
const reserveMilliseconds = 25_000;
/** When so many clubs in a row fail that used to answer, it is the union that is down, and it is left alone. */
const failuresOfAnOutage = 20;

/**
 * One pass over the union's clubs and courses, the club that has waited longest first, until all are done or the
 * time is up.
 *
 * A club that fails does not stop the others. Where the union does not list its clubs, those that are mirrored are
 * asked for. A pass that is killed and begun again neither misses nor doubles a change: a club's state is saved after
 * its courses are written, and what is written already is not written again.
 *
 * @param pass `full` asks for all courses of every club, and marks those as gone that are no longer shown
 * @param remainingMilliseconds how long this run may still take
 * @throws CredentialsUnavailableError, or what DynamoDB threw where the clubs or the state cannot be read or written
 */
export async function mirrorPass(
  { account: readAccount, state: store, now, ...parts }: MirrorDependencies,
  pass: "changes" | "full",
  remainingMilliseconds: () => number,
): Promise<PassReport> {
  const account = await readAccount();
  const tally = tallyOfPass();
  const listing = await parts.union.clubs(account).catch(tally.clubsNotListed);
  const { present, removed, leftOut, tooLarge } = await mirrorClubs(parts.clubs, listing);
  if (leftOut.length > 0) {
    tally.failed("the list of clubs", 1, `It leaves out ${leftOut.length} clubs that are mirrored.`);
  }
  for (const id of tooLarge) {
    tally.failed(id, 1, "Its record is above DynamoDB's 400 KB; its courses are not.");
  }

  const before = await store.read();
  const begunAt = now().getTime();
  const fullWantedAt = pass === "full" ? begunAt : before.fullWantedAt;
  const passes = new Map<GuidKey, ClubSync>(
    present.map((id) => [id, before.clubs.get(id) ?? newClub(begunAt)]),
  );
  // Two things must outlive a pass that is killed: that a full pass was asked for, since it is once a night only; and that
  // a removed club begins anew where it is listed again, since changes alone would not bring back what is gone by then.
  if (pass === "full" || removed.length > 0) await store.write({ fullWantedAt, clubs: passes });
  const clubParts = { ...parts, account, fullWantedAt, writtenInPass: new Set<GuidKey>(), now };

  for (const id of removed) {
    if (remainingMilliseconds() < reserveMilliseconds) {
      tally.left();
      continue;
    }
    try {
      // In this order a pass that is killed in between finds the club again.
      tally.gone(await retireClub(id, parts.courses, now));
      await parts.clubs.remove([id]);
    } catch (error) {
      tally.failed(id, 1, error);
    }
  }

  let failuresInARow = 0;
  let savedAt = begunAt;
  await pMap(
    passOrder(passes),
    async (id) => {
      const last = passes.get(id) ?? newClub(begunAt);
      if (remainingMilliseconds() < reserveMilliseconds || failuresInARow >= failuresOfAnOutage) {
        tally.left();
        return;
      }
      try {
        const mirrored = await mirrorClub(id, last, clubParts);
        passes.set(id, mirrored.pass);
        tally.mirrored(mirrored);
        failuresInARow = 0;
      } catch (error) {
        const failures = last.failures + 1;
        passes.set(id, { ...last, failures, triedAt: now().getTime() });
        tally.failed(id, failures, error);
        if (last.failures === 0) failuresInARow++;
      }
      if (now().getTime() - savedAt >= millisecondsBetweenSaves) {
        savedAt = now().getTime();
        // What cannot be saved now is saved the next time; only at the end there is none.
        await store.write({ fullWantedAt, clubs: passes }).catch(() => undefined);
      }
    },
    { concurrency: parts.parallelRequests },
  );
  await store.write({ fullWantedAt, clubs: passes });

  const end = now().getTime();
  const reached = [...passes.values()];
  return tally.report({
    clubs: present.length,
    removedClubs: removed.length,
    unmirrored: reached.filter(({ goodAt }) => goodAt === 0).length,
    unreadableClubs: listing?.unreadable ?? 0,
    stalestMilliseconds:
      reached.length === 0 ? undefined : Math.max(0, ...reached.map((club) => ageOf(club, end))),
  });
}
