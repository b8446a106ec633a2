import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Charged, chargedNames, dollarsOf, plus, times } from "../../bench/cost/charged.ts";
import {
  type CountedPipeline,
  startCountedPipeline,
  withoutChecks,
} from "../../bench/cost/counted-pipeline.ts";
import { readUnits } from "../../bench/cost/dynamodb-units.ts";
import type { EngineRequest } from "../../bench/counted-engine.ts";
import { assemblyOf } from "../synthesized-stack.ts";

/** The rows of the first table of docs/costs.md: what is charged for a card, in submissions of 10 and of 100. */
const rows = new Map(
  readFileSync("docs/costs.md", "utf8")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", ...cells]) => [name.replaceAll(/^DynamoDB |, with .*|, gzipped$/g, ""), cells]),
);
const sizes = [10, 100];
let pipeline: CountedPipeline;

beforeAll(async () => {
  pipeline = await startCountedPipeline(withoutChecks, await assemblyOf(withoutChecks));
  await pipeline.submit("warm-up", 100, 100);
  await pipeline.delivered();
});
afterAll(() => pipeline?.stop());

test.each(sizes)("a card of a submission of %i is charged what docs/costs.md publishes", async (size) => {
  const cards = 600;
  const published = (name: keyof Charged) => Number(rows.get(chargedNames[name])?.[sizes.indexOf(size)]);
  await pipeline.hold();
  pipeline.charged();
  await pipeline.submit(`${size}`, cards, size);
  await pipeline.release();
  await pipeline.delivered();
  let charged = pipeline.charged().all;
  const whole = (name: "writeUnits" | "readUnits") => Math.floor(charged[name] / cards);
  const writeUnits = () => {
    // Some outcomes may be recorded later on a busy machine.
    charged = plus(charged, pipeline.charged().all);
    return whole("writeUnits");
  };
  await expect.poll(writeUnits).toBe(published("writeUnits"));
  expect(whole("readUnits")).toBe(published("readUnits"));
  expect(charged.apiRequests / cards).toBeCloseTo(published("apiRequests"), 9);
  // Here ten messages are received and deleted together, and the table has what it comes to if most of them come alone.
  const alone = (2 * Math.ceil(size / 50)) / size;
  expect(published("sqsRequests")).toBeGreaterThanOrEqual(charged.sqsRequests / cards - 0.005);
  expect(published("sqsRequests")).toBeLessThanOrEqual(charged.sqsRequests / cards + alone + 0.005);
});

test.each(sizes)(
  "counting and listing a tournament's cards in submissions of %i costs at most ten cents a million",
  async (size) => {
    const cards = 600;
    await pipeline.hold();
    pipeline.charged();
    await pipeline.submit(`cup-${size}`, cards, size, "Midsummer Cup");
    await pipeline.release();
    await pipeline.delivered();
    let { tournaments } = pipeline.charged();
    // The list comes with the acceptance, the counts with that and the outcome.
    await expect
      .poll(() => {
        tournaments = plus(tournaments, pipeline.charged().tournaments);
        return tournaments.writeUnits;
      })
      .toBeGreaterThan(cards / 200);
    const dollars = dollarsOf(times(1_000_000 / cards, tournaments));
    expect(dollars).toBeGreaterThan(0);
    expect(dollars).toBeLessThanOrEqual(0.1);
  },
);

test("a card of a submission of hundreds costs few requests to AWS", async () => {
  const cards = 500;
  const polling = ["ReceiveMessage", "ChangeMessageVisibilityBatch", "DeleteMessageBatch"];
  // Reading the stream is free, and counting is shared by all cards of a second.
  const following = [
    "DescribeStream",
    "GetShardIterator",
    "GetRecords",
    "UpdateItem",
    "BatchWriteItem",
    "Query",
  ];
  const requests = (leftOut: readonly string[]) =>
    pipeline.charged().requests.filter(({ operation }) => !leftOut.includes(operation)).length / cards;
  await pipeline.hold();
  // What the event source still asks while it is being held is no part of a submission.
  requests([]);
  await pipeline.submit("hundreds", cards, cards);
  expect(requests([...polling, ...following])).toBeLessThanOrEqual(0.08);
  await pipeline.release();
  await pipeline.delivered();
  expect(requests(following)).toBeLessThanOrEqual(0.15);
});

test("a card that comes alone has a run for its submission and one for its delivery, and asks little of table, queue and logs", async () => {
  const cards = 60;
  pipeline.charged();
  await pipeline.submitSteadily("alone", cards, 10);
  await pipeline.delivered();
  const { all, requests } = pipeline.charged();
  const card = times(1 / cards, all);
  // Two of each but the queue's three. Counting and listing adds a part, which cards of the same second share.
  expect(card.functionRuns).toBeLessThan(2.5);
  expect(card.writeUnits).toBeLessThan(2.5);
  expect(card.readUnits - unitsReadTooSoon(requests) / cards).toBeLessThan(2.5);
  expect(card.sqsRequests).toBeLessThan(3.1);
  expect(card.logBytes).toBeLessThan(1_600);
});

/** The read units of runs that came before a card was stored, and read it again: how many do depends on the machine. */
function unitsReadTooSoon(requests: readonly EngineRequest[]): number {
  const reads = requests.filter(({ operation }) => operation === "BatchGetItem");
  const keysOf = ({ sent }: EngineRequest) => JSON.stringify(sent.RequestItems);
  const tooSoon = reads.filter(
    (read, place) =>
      Object.values(read.answered.Responses).flat().length === 0 &&
      reads.slice(place + 1).some((later) => keysOf(later) === keysOf(read)),
  );
  return tooSoon.reduce((sum, read) => sum + readUnits(read), 0);
}
