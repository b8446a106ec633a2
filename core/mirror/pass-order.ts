import type { ClubPass } from "./mirror-state.ts";

/** A club that has failed more often in a row waits for its turn, lest it takes the time of those that answer. */
const failuresAtTheFront = 2;

/** Since when a club has waited: for fresh courses, or just for its turn where it keeps failing. */
function waitingSince({ goodAt, triedAt, failures }: ClubPass): number {
  return failures > failuresAtTheFront ? triedAt : goodAt;
}

/**
 * The order in which a pass asks the clubs: the one that has waited longest first, and of those that have waited
 * alike the one that failed less.
 */
export function passOrder<Id>(passes: ReadonlyMap<Id, ClubPass>): Id[] {
  return [...passes]
    .sort(([, one], [, other]) => waitingSince(one) - waitingSince(other) || one.failures - other.failures)
    .map(([id]) => id);
}

/** Whether a club is to be asked for all of its courses: it never was, or not since a full pass was last wanted. */
export function needsFullPass(last: ClubPass, fullWantedAt: number): boolean {
  return last.fullAt === 0 || last.fullAt < fullWantedAt;
}
