import type { ClubSync } from "./state.ts";

/** A club that has failed more often in a row than this waits its turn, lest it take the time of those that answer. */
const failuresAtTheFront = 2;

/** Since when a club has waited: for fresh courses or, where it keeps failing, for its turn. */
function waitingSince({ goodAt, triedAt, failures }: ClubSync): number {
  return failures > failuresAtTheFront ? triedAt : goodAt;
}

/**
 * The order in which a pass asks the clubs: the one that has waited longest first, and of two that have waited equally
 * long the one that has failed less often.
 */
export function passOrder<Id>(passes: ReadonlyMap<Id, ClubSync>): Id[] {
  return [...passes]
    .sort(([, one], [, other]) => waitingSince(one) - waitingSince(other) || one.failures - other.failures)
    .map(([id]) => id);
}

/** Whether all courses of a club are to be asked for: they never were, or not since a full pass was last wanted. */
export function needsFullPass(last: ClubSync, fullWantedAt: number): boolean {
  return last.fullAt === 0 || last.fullAt < fullWantedAt;
}
