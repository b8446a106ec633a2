export { type FunctionLogLine, type LocalRun, type LocalRunOptions, startLocalRun } from "./local-run.ts";
