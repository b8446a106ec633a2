import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundleEach } from "../lib/bundles.ts";
import { settings } from "../lib/settings.ts";
import type { MirroredUnion } from "./mirrored-union.ts";

/** What a process says that has run the mirror once. */
export interface MirrorProcessReport {
  readonly left: number;
  readonly failed: number;
  readonly seconds: number;
  /** The most that it had resident. */
  readonly bytes: number;
}

/**
 * Runs the mirror's bundle once, for a full pass, in a process that does nothing else.
 *
 * Its memory is read from Linux's own account of it.
 *
 * @throws Error where it does not get through
 */
export async function fullPassInOwnProcess({ run, standIn }: MirroredUnion): Promise<MirrorProcessReport> {
  const { parallelRequests, overlapSeconds, timeoutSeconds } = settings.test.mirror;
  const bundles = bundleEach({ "mirror-courses": "functions/mirror-courses/handler.ts" });
  const child = fork(
    new URL("mirror-process.ts", import.meta.url),
    [join(bundles, "mirror-courses/index.mjs"), String(timeoutSeconds)],
    {
      // Of a heap without a limit V8 collects the garbage late; Lambda limits it by the function's memory.
      execArgv: ["--max-old-space-size=192", "--max-semi-space-size=8"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: {
        POWERTOOLS_METRICS_NAMESPACE: "bench",
        AWS_REGION: run.region,
        AWS_ACCESS_KEY_ID: "local",
        AWS_SECRET_ACCESS_KEY: "local",
        AWS_ENDPOINT_URL_DYNAMODB: run.dynamodb,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: run.secretsManager,
        COURSE_TABLE: run.resource("CourseTable"),
        CLUB_TABLE: run.resource("ClubTable"),
        UNION_BASE_ADDRESS: standIn.address,
        MIRROR_SECRET: run.resource("MirrorSecret"),
        MIRROR_PARALLEL_REQUESTS: String(parallelRequests),
        MIRROR_OVERLAP_SECONDS: String(overlapSeconds),
      },
    },
  );
  const [report] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([status]) => Promise.reject(new Error(`The mirror ended with ${status}.`))),
  ])) as [MirrorProcessReport];
  if (report.left + report.failed > 0) throw new Error("The full pass did not get through.");
  return report;
}
