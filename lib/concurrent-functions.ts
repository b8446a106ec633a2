import type { FunctionName } from "./bundles.ts";

/**
 * Those of `concurrentFunctions` that the setting `capacity` puts on Lambda Managed Instances. check-players is not among them: its
 * reserved concurrency of one bounds the lookups at the union, and instances have none.
 */
export const managedFunctions = [
  "authorize",
  "submit-scorecards",
  "deliver-scorecards",
  "follow-outcomes",
] as const satisfies readonly FunctionName[];

/**
 * The functions on a card's way, whose handlers may run many invocations at a time in one environment: nothing of one run is in a
 * variable of theirs that another run sees.
 */
export const concurrentFunctions = [
  ...managedFunctions,
  "check-players",
] as const satisfies readonly FunctionName[];
