export { type LocalRun, type LocalRunOptions, startLocalRun } from "./local-run.ts";
export type { FunctionLogLine } from "./running-stack.ts";
