import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import type { DeliveryRecord } from "../../../core/store/scorecard-table.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { measuredOutcomes, measuredPosts } from "../../../functions/deliver-scorecards/measured.ts";
import { gatherFigures } from "../../../functions/metrics.ts";

const green = "green" as ApiSet;

/** Lines of embedded metrics. */
let lines: string[];

beforeEach(() => {
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "test");
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  // Powertools writes to a console of its own unless it is told that it is watched.
  vi.stubEnv("POWERTOOLS_DEV", "true");
  lines = [];
  for (const name of ["log", "info"] as const) {
    vi.spyOn(console, name).mockImplementation((line: string) => {
      if (line.includes('"_aws"')) lines.push(line);
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const published = () =>
  lines.map((line) => {
    const { _aws, service: _, ...figures } = JSON.parse(line);
    return figures;
  });
const record = (state: DeliveryRecord["state"]): DeliveryRecord => ({
  apiSet: green,
  externalId: state,
  revision: "r",
  state,
  attempts: 1,
  aloneFailures: 0,
  since: 0,
});

test("outcomes are counted once they are recorded, of whole parcels too, in one line a run", async () => {
  const run = gatherFigures();
  const recorded = { putDeliveries: async () => undefined, putParcels: async () => undefined };
  const { putDeliveries, putParcels } = measuredOutcomes(recorded, run);
  const cards = ["1", "2", "3"].map((externalId) => ({ externalId, revision: "r" }));
  await putParcels([{ apiSet: green, parcel: "p", cards, since: 0 }]);
  await putDeliveries([record("delivered"), record("rejected")]);
  expect(lines).toEqual([]);
  run.publish();
  expect(published()).toEqual([{ CardsDelivered: [3, 1], CardsRejected: 1 }]);
  run.publish();
  expect(lines).toHaveLength(1);
});

test("what could not be recorded is not counted", async () => {
  const run = gatherFigures();
  const refuse = () => Promise.reject(new Error("refused"));
  const { putParcels } = measuredOutcomes({ putDeliveries: refuse, putParcels: refuse }, run);
  await expect(putParcels([{ apiSet: green, parcel: "p", cards: [], since: 0 }])).rejects.toThrow("refused");
  run.publish();
  expect(lines).toEqual([]);
});

test("posts are measured by what their vendor is called here, each with its time and whether it failed", async () => {
  const run = gatherFigures();
  const clock = { now: 0 };
  const results: PostResult[] = [
    { stage: "after", status: 200, words: "", echoed: new Set() },
    { stage: "during", message: "No answer." },
  ];
  const post = measuredPosts(
    async () => {
      clock.now += 40;
      return results.shift() ?? { stage: "before", message: "" };
    },
    run,
    () => new Date(clock.now),
  );
  const account = { username: "u", password: "p", unionApiSet: "green-at-the-union", token: "" };
  await post(green, account, []);
  await post(green, account, []);
  run.publish();
  expect(published()).toEqual([{ apiSet: "green", ExchangeLatency: [40, 40], ExchangeFailures: [0, 1] }]);
});

test("a run with very many posts names the vendor with each of them", async () => {
  const run = gatherFigures();
  for (let post = 0; post < 250; post++) run.add({ ExchangeLatency: post }, { apiSet: "green" });
  run.publish();
  expect(published().every(({ apiSet }) => apiSet === "green")).toBe(true);
  expect(published().flatMap(({ ExchangeLatency }) => ExchangeLatency)).toEqual(
    Array.from({ length: 250 }, (_, post) => post),
  );
});
