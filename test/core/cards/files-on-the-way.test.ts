import { type Profiler, Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { readSubmission } from "../../../core/cards/read-submission.ts";
import { createSubmission } from "../../../core/cards/submit.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { accepted, fits } from "../../../functions/submit-scorecards/answer.ts";
import { context, minimalCard } from "../golf/sample-cards.ts";
import { register, templateId } from "../golf/sample-courses.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { green } from "../memory/stored-card.ts";
import { about, settings, worldWith } from "./delivery-world.ts";
import { noCourses } from "./no-courses.ts";

const house = new URL("../../../", import.meta.url).href;
const isOurs = (url: string) => url.startsWith(`${house}core/`) || url.startsWith(`${house}functions/`);
const isCalled = ({ ranges }: Profiler.FunctionCoverage) => ranges.some(({ count }) => count > 0);

/** The files in which functions are called while work is done, by V8's count of their calls. */
async function filesEntered(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  // Sets the counts back, so that the next ones are of the work alone.
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return result
    .filter(({ url, functions }) => isOurs(url) && functions.some(isCalled))
    .map(({ url }) => url.slice(house.length))
    .toSorted();
}

test("whoever follows a minimal card through its submission reads at most 34 files", async () => {
  const { now, timeZone, country, highestHandicapIndex } = context();
  const courseId = guidKey(templateId);
  const courses = new Map([[courseId, register()(courseId) ?? []]]);
  const submit = createSubmission({
    fits,
    table: scorecardsInMemory().table,
    send: async () => undefined,
    courses: { ...noCourses, find: async () => courses },
    now: () => now,
    timeZone,
    country,
    highestHandicapIndex,
    timing: settings.timing,
    readDigestSecret: async () => "secret",
  });
  const body = JSON.stringify([minimalCard()]);
  const files = await filesEntered(async () => {
    const cards = readSubmission(body, "application/json");
    expect(accepted(await submit(green, cards, "strict", "request")).statusCode).toBe(201);
  });
  expect(files).toContain("core/golf/assess.ts");
  expect(files.length).toBeLessThanOrEqual(34);
});

test("whoever follows a card through its delivery reads at most 16 files", async () => {
  const { run, states } = worldWith(["1"]);
  const message = about("1");
  const files = await filesEntered(() => run([message]));
  expect(states("1")).toEqual(["delivered"]);
  expect(files).toContain("core/cards/delivery/deliver.ts");
  expect(files.length).toBeLessThanOrEqual(16);
});
