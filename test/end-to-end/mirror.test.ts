import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { UnionCourseVersion } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CourseTable, courseTable } from "../../core/register/course-table.ts";
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
  await pipeline.machine.run.invoke("mirror-courses", { pass: "changes" });
  const path = `Clubs/${version.ClubID}/Courses?changedsince=${since}`;
  await expect
    .poll(async () => (await vendor.ask("GET", path)).body, { interval: 500 })
    .toContainEqual(changed);
});
