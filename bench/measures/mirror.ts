import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import type { BenchRow } from "../bench-row.ts";
import { costOfReading } from "../cost-of-reading.ts";
import { milliseconds } from "../median.ts";
import { invokeInOwnProcess } from "../memory/function-in-own-process.ts";
import { gotThrough } from "../memory/largest-readings.ts";
import { runnableFunctions } from "../memory/runnable-functions.ts";
import {
  type MirroredUnion,
  mirrorPassOf,
  runningStack,
  startMirroredUnion,
  versionsChangedSince,
} from "../mirrored-union.ts";
import { realCourses } from "../real-courses.ts";

const runsAtMost = 20;
const changes = 50;
/** The least memory with which a full pass works. */
const leastMegabytes = 256;

/** The mirror of a nation's courses: filling it, keeping it fresh, what it takes, and what reading from it costs. */
export async function run(): Promise<BenchRow[]> {
  const assembly = mkdtempSync(join(tmpdir(), "scorecard-bench-"));
  const app = new App({ outdir: assembly });
  new PipelineStack(app, runningStack, { settings: settings.test });
  app.synth();
  const national = await startMirroredUnion(assembly, realCourses);
  const small = await startMirroredUnion(assembly);
  try {
    await mirrorPassOf(small);
    const filling = await fill(national);
    const following = await followChanges(national);
    const { bytes, seconds } = await fullPass(assembly, national);
    const { read, looked, validated } = await costOfReading(small, national);
    return [
      ...filling,
      ...following,
      { name: "a full pass, of a function that is given no more than 256 MB", value: seconds, unit: "s" },
      { name: "the most memory of that process", value: bytes / 2 ** 20, unit: "MB", bar: leastMegabytes },
      { name: "a club's courses over HTTP, against 40 clubs", value: read, unit: "x", bar: 1.2 },
      { name: "a course looked up in the tables, against 40 clubs", value: looked, unit: "x", bar: 1.2 },
      { name: "a card validated over HTTP, against 40 clubs", value: validated, unit: "x", bar: 1.2 },
    ];
  } finally {
    await Promise.all([national.stop(), small.stop()]);
    rmSync(assembly, { recursive: true });
  }
}

/** Fills an empty mirror, run by run as the schedule would. */
async function fill(national: MirroredUnion): Promise<BenchRow[]> {
  const { standIn } = national;
  const seconds: number[] = [];
  let incomplete = 0;
  for (let left = Number.POSITIVE_INFINITY; left > 0 && seconds.length < runsAtMost; ) {
    const taken = await milliseconds(async () => {
      const report = await mirrorPassOf(national);
      left = report.left + report.failed;
      incomplete += report.incompleteVersions;
    });
    seconds.push(taken / 1000);
  }
  const missing = standIn.courses.length - (await versionsChangedSince(national, 0));
  const longest = Math.max(...seconds);
  return [
    { name: "clubs", value: standIn.clubs.length, unit: "" },
    { name: "course versions", value: standIn.courses.length, unit: "" },
    { name: "of them incomplete in the register", value: incomplete, unit: "" },
    { name: "runs that fill an empty mirror", value: seconds.length, unit: "" },
    { name: "the longest of them", value: longest, unit: "s", bar: settings.test.mirror.timeoutSeconds },
    { name: "versions missed", value: missing, unit: "", bar: 0 },
  ];
}

/** Runs the mirror for a full pass with as little memory as it gets along with, in a process of its own. */
async function fullPass(assembly: string, national: MirroredUnion) {
  const mirror = (await runnableFunctions(assembly, runningStack, national)).get("mirror-courses");
  if (mirror === undefined) throw new Error("The stack has no mirror.");
  const report = await invokeInOwnProcess({ ...mirror, memoryMegabytes: leastMegabytes }, [{ pass: "full" }]);
  if (!gotThrough.test(report.answers[0] ?? "")) throw new Error("The full pass did not get through.");
  return report;
}

/** Publishes changes, and lets one pass follow. */
async function followChanges(national: MirroredUnion): Promise<BenchRow[]> {
  const { standIn } = national;
  const every = Math.floor(standIn.courses.length / changes);
  for (const version of standIn.courses.filter((_, place) => place % every === 0).slice(0, changes)) {
    standIn.publish({ ...version, Name: `${version.Name} (renamed)` });
  }
  const begun = Date.now();
  const before = standIn.requests.courses;
  const seconds = (await milliseconds(() => mirrorPassOf(national))) / 1000;
  const requests = (standIn.requests.courses - before) / standIn.clubs.length;
  const written = await versionsChangedSince(national, begun);
  return [
    { name: `a pass after ${changes} changes`, value: seconds, unit: "s" },
    { name: "its requests for a club's courses, per club", value: requests, unit: "", bar: 1 },
    { name: "versions that it wrote", value: written, unit: "", atLeast: changes, bar: changes },
  ];
}
