import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { milliseconds } from "./median.ts";
import type { MirrorProcessReport } from "./mirror-in-own-process.ts";

const [bundle = "", timeoutSeconds = "0"] = process.argv.slice(2);
const { handler } = await import(pathToFileURL(bundle).href);
const deadline = Date.now() + Number(timeoutSeconds) * 1000;
const context = {
  awsRequestId: "bench",
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
};
let report = { left: 0, failed: 0 };
const taken = await milliseconds(async () => {
  report = await handler({ pass: "full" }, context);
});
/** Not what getrusage says, which begins with the parent's own. */
const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
const said: MirrorProcessReport = {
  left: report.left,
  failed: report.failed,
  seconds: taken / 1000,
  bytes: Number(kibibytes) * 1024,
};
process.send?.(said, () => process.exit(0));
