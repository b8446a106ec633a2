import { setTimeout as delay } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { UnionCourseVersion } from "@scorecard-pipeline/stand-in";
import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CourseTable, courseTable } from "../../core/register/course-table.ts";
import type { SyncReport } from "../../core/register/sync-report.ts";
import { type Pipeline, startPipeline, type Vendor } from "./pipeline.ts";

let pipeline: Pipeline;
let vendor: Vendor;
let courses: CourseTable;
let release: () => void = () => undefined;

beforeAll(async () => {
  pipeline = await startPipeline();
  vendor = pipeline.vendor(0);
  const { run } = pipeline.machine;
  const dynamodb = new DynamoDBClient({
    endpoint: run.dynamodb,
    region: run.region,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  courses = courseTable(run.resource("CourseTable"), dynamodb);
  release = () => dynamodb.destroy();
});
afterAll(async () => {
  await pipeline.stop();
  release();
});

const pass = async (kind: "changes" | "full" = "changes") =>
  (await pipeline.machine.run.invoke("mirror-courses", { pass: kind })) as SyncReport;

const byId = <T extends { readonly ID: string }>(all: readonly T[]) =>
  Object.fromEntries(all.map((one) => [one.ID, one]));

/** Everything that is mirrored and shown, and everything that the union has. */
async function bothRegisters() {
  const mirrored = await Promise.all(pipeline.standIn.clubs.map(({ ID }) => courses.club(ID)));
  const shown = mirrored.flat();
  return {
    mirrored: byId(shown.map(({ version }) => version)),
    union: byId(pipeline.standIn.courses as UnionCourseVersion[]),
  };
}

/** Publishes a change of every n-th version; returns those that changed. */
function renameEvery(nth: number, suffix: string): UnionCourseVersion[] {
  const changed = pipeline.standIn.courses
    .filter((_, place) => place % nth === 0)
    .map((version) => ({ ...version, Name: `${version.Name} ${suffix}` }));
  for (const version of changed) pipeline.standIn.publish(version);
  return changed;
}

test("all clubs and courses are mirrored, as the union has them, before the API is ready", async () => {
  const { mirrored, union } = await bothRegisters();
  expect(mirrored).toEqual(union);
  expect((await vendor.ask("GET", "Clubs")).body).toHaveLength(pipeline.standIn.clubs.length);
});

test("a vendor reads a change after the next pass, also by changedsince", async () => {
  const [version] = pipeline.standIn.courses.slice(-3) as [UnionCourseVersion];
  const since = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const changed = { ...version, Name: "Brand new name" };
  pipeline.standIn.publish(changed);
  await pass();
  const path = `Clubs/${version.ClubID}/Courses?changedsince=${since}`;
  await expect
    .poll(async () => (await vendor.ask("GET", path)).body, { interval: 500 })
    .toContainEqual(changed);
});

test("a mirror that is killed at random moments goes on without missing or doubling a change", async () => {
  const random = seededRandom(20_260_601, "kills");
  const begun = Date.now();
  const published = new Set<string>();
  for (let run = 0; run < 6; run++) {
    for (const { ID } of renameEvery(11 + run, `run ${run}`)) published.add(ID);
    const running = pass(run % 3 === 2 ? "full" : "changes").catch(() => undefined);
    await delay(random.whole(0, 200));
    pipeline.machine.run.killEnvironment("mirror-courses");
    await running;
  }
  expect(await pass()).toMatchObject({ failed: 0, left: 0 });
  const { mirrored, union } = await bothRegisters();
  expect(mirrored).toEqual(union);
  const all = (await Promise.all(pipeline.standIn.clubs.map(({ ID }) => courses.club(ID)))).flat();
  const written = all.filter(({ changedAt }) => changedAt >= begun).map(({ version }) => version.ID);
  expect(new Set(written)).toEqual(published);
  expect(await pass("full")).toMatchObject({ changedVersions: 0, removedVersions: 0 });
});
