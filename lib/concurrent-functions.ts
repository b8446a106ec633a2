import type { FunctionName } from "./bundles.ts";

/**
 * The functions on a card's way, whose handlers may run many invocations at a time in one environment: nothing of one run is in a
 * variable of theirs that another run sees.
 */
export const concurrentFunctions = [
  "authorize",
  "submit-scorecards",
  "deliver-scorecards",
  "follow-outcomes",
  "check-players",
] as const satisfies readonly FunctionName[];
