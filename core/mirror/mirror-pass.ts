import pMap from "p-map";
import type { ClubTable } from "../store/clubs.ts";
import type { CourseTable } from "../store/courses.ts";
import type { MirrorStateTable } from "../store/mirror-state-table.ts";
import type { UnionAccount } from "../union/account.ts";
import type { CourseRegisterClient } from "../union/register.ts";
import type { GuidKey } from "../wire/guid.ts";
import { mirrorClub, retireClub } from "./mirror-club.ts";
import { mirrorClubs } from "./mirror-clubs.ts";
import { ageOf, type ClubPass, newClub } from "./mirror-state.ts";
import { passOrder } from "./pass-order.ts";
import { type PassReport, tallyOfPass } from "./pass-report.ts";

/** What mirroring needs from outside. */
export interface MirrorParts {
  readonly union: CourseRegisterClient;
  readonly account: () => Promise<UnionAccount>;
  readonly clubs: ClubTable;
  readonly courses: Pick<CourseTable, "fingerprints" | "club" | "put">;
  readonly state: MirrorStateTable;
  /** Requests to the union at the same time. */
  readonly parallelRequests: number;
  /** How far before its last good pass a club is asked from, against clocks that differ. */
  readonly overlapMilliseconds: number;
  readonly now: () => Date;
}

/** How often the state is saved during a pass: what a killed pass does again at most. */
const millisecondsBetweenSaves = 15_000;
/** Kept for the last answers to come in and for saving the state. */
const reserveMilliseconds = 25_000;
/** So many clubs that used to answer fail one after the other: then it is the union, and it is left alone. */
const failuresOfAnOutage = 20;

/**
 * One pass over the union's clubs and courses, the club that has waited longest first, until all are done or the
 * time is up.
 *
 * A club that fails does not stop the others. A union that does not list its clubs is asked for those that are
 * mirrored. A pass that is killed and begun again neither misses nor doubles a change: a club's state is saved after
 * its courses are written, and what is written already is not written again.
 *
 * @param pass `full` asks every club for all of its courses, and marks those gone that it does not show any more
 * @throws CredentialsUnavailable, or what DynamoDB threw, where not even the clubs or the state can be had
 */
export async function mirrorPass(
  { account: readAccount, state: store, now, ...parts }: MirrorParts,
  pass: "changes" | "full",
  remainingMilliseconds: () => number,
): Promise<PassReport> {
  const account = await readAccount();
  const tally = tallyOfPass();
  const listing = await parts.union.clubs(account).catch(tally.clubsNotListed);
  const { present, removed } = await mirrorClubs(parts.clubs, listing);

  const before = await store.read();
  const begunAt = now().getTime();
  const fullWantedAt = pass === "full" ? begunAt : before.fullWantedAt;
  // It is wanted once a night, so that it must outlive a pass that is killed.
  if (pass === "full") await store.write({ ...before, fullWantedAt });
  const passes = new Map<GuidKey, ClubPass>(
    present.map((id) => [id, before.clubs.get(id) ?? newClub(begunAt)]),
  );
  const clubParts = { ...parts, account, fullWantedAt, now };

  for (const id of removed) {
    // In this order a pass that is killed in between finds the club again.
    tally.gone(await retireClub(id, parts.courses, now));
    await parts.clubs.remove([id]);
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
        await store.write({ fullWantedAt, clubs: passes });
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
    stalestMilliseconds: Math.max(0, ...reached.map((club) => ageOf(club, end))),
  });
}
