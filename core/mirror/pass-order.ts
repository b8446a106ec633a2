import type { ClubPass } from "./mirror-state.ts";

/** The order in which a pass asks the clubs: the one whose last good pass is longest ago first. */
export function passOrder(passes: ReadonlyMap<string, ClubPass>): string[] {
  return [...passes].sort(([, one], [, other]) => one.goodAt - other.goodAt).map(([id]) => id);
}

/** Whether a club is to be asked for all of its courses: it never was, or not since a full pass was last wanted. */
export function needsFullPass(last: ClubPass, fullWantedAt: number): boolean {
  return last.fullAt === 0 || last.fullAt < fullWantedAt;
}
