import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import type { BenchRow } from "../bench-row.ts";
import { costOfReading } from "../cost-of-reading.ts";
import { countedEngine, type EngineRequest } from "../counted-engine.ts";
import { listOfClubs } from "../list-of-clubs.ts";
import { milliseconds } from "../median.ts";
import { invokeInOwnProcess, type RunnableFunction } from "../memory/function-in-own-process.ts";
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
/** The least memory with which a full sync works. */
const leastMegabytes = 256;
/** Clubs whose answers are just below the largest that is read, as many as are asked at the same time. */
const largeClubs = 4;
const largeAnswerBytes = 31 * 2 ** 20;
/** How often a version's tees are repeated, since the stand-in takes long to publish many versions. */
const teesTimes = 20;
/** The largest share of its memory that the function may need for them. */
const mostOfMemory = 0.5;

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
    const list = await listOfClubs(national);
    const following = await followChanges(assembly, national);
    const full = await syncInOwnProcess(assembly, national, "full", leastMegabytes);
    const { read, looked, validated } = await costOfReading(small, national);
    return [
      ...filling,
      ...list,
      ...following,
      {
        name: "a full sync, of a function that is given no more than 256 MB",
        value: full.seconds,
        unit: "s",
      },
      {
        name: "its requests to DynamoDB, per club",
        value: full.requests / national.standIn.clubs.length,
        unit: "",
      },
      { name: "the most memory of that process", value: full.megabytes, unit: "MB", bar: leastMegabytes },
      { name: "a club's courses over HTTP, against 40 clubs", value: read, unit: "x", bar: 1.2 },
      { name: "a course looked up in the tables, against 40 clubs", value: looked, unit: "x", bar: 1.2 },
      { name: "a card validated over HTTP, against 40 clubs", value: validated, unit: "x", bar: 1.2 },
      ...(await largeAnswers(assembly, small)),
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

/** Items that a request writes; a statement writes one. */
function itemsWritten({ operation, sent }: EngineRequest): number {
  if (operation === "BatchExecuteStatement") return sent.Statements.length;
  if (operation !== "BatchWriteItem") return 0;
  return Object.values<unknown[]>(sent.RequestItems).reduce((sum, writes) => sum + writes.length, 0);
}

/** Runs the mirror once, in a process of its own with so much memory, or as much as the function is given. */
async function syncInOwnProcess(
  assembly: string,
  union: MirroredUnion,
  kind: "changes" | "full",
  megabytes?: number,
) {
  const dynamodb = await countedEngine(union.run.dynamodb);
  try {
    const services = { DYNAMODB: dynamodb.address };
    const mirror = (await runnableFunctions(assembly, runningStack, union, services)).get("mirror-courses");
    if (mirror === undefined) throw new Error("The stack has no mirror.");
    const given: RunnableFunction = { ...mirror, memoryMegabytes: megabytes ?? mirror.memoryMegabytes };
    const { bytes, seconds, answers } = await invokeInOwnProcess(given, [{ pass: kind }]);
    if (!gotThrough.test(answers[0] ?? "")) throw new Error(`The sync did not get through: ${answers[0]}`);
    const requests = dynamodb.taken();
    const written = requests.reduce((sum, request) => sum + itemsWritten(request), 0);
    return {
      seconds,
      megabytes: bytes / 2 ** 20,
      ofGiven: bytes / 2 ** 20 / given.memoryMegabytes,
      requests: requests.length,
      written,
    };
  } finally {
    dynamodb.stop();
  }
}

/** Gives some clubs so many versions that each answer is almost the largest that is read, and mirrors them. */
async function largeAnswers(assembly: string, union: MirroredUnion): Promise<BenchRow[]> {
  const { standIn } = union;
  const ofClubs = new Map(standIn.courses.map((version) => [version.ClubID, version]));
  for (const version of [...ofClubs.values()].slice(0, largeClubs)) {
    const Tees = Array.from({ length: teesTimes }, () => version.Tees).flat();
    const large = { ...version, Tees };
    const copies = Math.floor(largeAnswerBytes / JSON.stringify(large).length);
    for (let copy = 1; copy < copies; copy++) standIn.publish({ ...large, ID: randomUUID(), Version: copy });
  }
  const { seconds, ofGiven } = await syncInOwnProcess(assembly, union, "full");
  return [
    { name: `a full sync with ${largeClubs} answers of 31 MB`, value: seconds, unit: "s" },
    { name: "its memory, of what the function is given", value: ofGiven, unit: "x", bar: mostOfMemory },
  ];
}

/** Publishes changes, and lets one sync follow. */
async function followChanges(assembly: string, national: MirroredUnion): Promise<BenchRow[]> {
  const { standIn } = national;
  const every = Math.floor(standIn.courses.length / changes);
  for (const version of standIn.courses.filter((_, place) => place % every === 0).slice(0, changes)) {
    standIn.publish({ ...version, Name: `${version.Name} (renamed)` });
  }
  const begun = Date.now();
  const before = standIn.requests.courses;
  const following = await syncInOwnProcess(assembly, national, "changes");
  const requests = (standIn.requests.courses - before) / standIn.clubs.length;
  const written = await versionsChangedSince(national, begun);
  return [
    { name: `a sync after ${changes} changes`, value: following.seconds, unit: "s" },
    { name: "its requests for a club's courses, per club", value: requests, unit: "", bar: 1 },
    { name: "its requests to DynamoDB", value: following.requests, unit: "" },
    { name: "items that it wrote", value: following.written, unit: "" },
    { name: "versions that it wrote", value: written, unit: "", atLeast: changes, bar: changes },
  ];
}
