import type { UnionCourseVersion } from "@scorecard-pipeline/stand-in";
import { expect, onTestFinished, test } from "vitest";
import { courseTable } from "../../core/register/course-table.ts";
import { clientsOf } from "./local-clients.ts";
import { providePipeline, sharedPipeline } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);
const { standIn } = pipeline;
const vendor = pipeline.vendor(0);
const { run } = pipeline.machine;
const courses = courseTable(run.resource("CourseTable"), clientsOf(run).dynamodb);

const byId = <T extends { readonly ID: string }>(all: readonly T[]) =>
  Object.fromEntries(all.map((one) => [one.ID, one]));

test("all clubs and courses are mirrored, as the union has them, before the API is ready", async () => {
  const mirrored = await Promise.all(standIn.clubs.map(({ ID }) => courses.club(ID)));
  expect(byId(mirrored.flat().map(({ version }) => version))).toEqual(
    byId(standIn.courses as UnionCourseVersion[]),
  );
  expect((await vendor.ask("GET", "Clubs")).body).toHaveLength(standIn.clubs.length);
});

test("a vendor reads a change after the next pass, also by changedsince", async () => {
  const [version] = standIn.courses.slice(-3) as [UnionCourseVersion];
  const since = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const publish = async (changed: UnionCourseVersion) => {
    standIn.publish(changed);
    await run.invoke("mirror-courses", { pass: "changes" });
  };
  onTestFinished(() => publish(version));
  const changed = { ...version, Name: "Brand new name" };
  await publish(changed);
  const path = `Clubs/${version.ClubID}/Courses?changedsince=${since}`;
  await expect
    .poll(async () => (await vendor.ask("GET", path)).body, { interval: 500 })
    .toContainEqual(changed);
});
