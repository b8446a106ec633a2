import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dollarsOf, times } from "../../bench/cost/charged.ts";
import { unitPrices } from "../../functions/http/daily-quota.ts";
import { awsLimits, listPrices } from "../../lib/aws-facts.ts";
import {
  countReservedRuns,
  findReservedRuns,
  listVendorThrottles,
  vendorRuns,
} from "../../lib/reserved-runs.ts";
import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";
import { unitsOfRequest } from "../../lib/usage-limits.ts";
import { isVendors, servedOperations } from "../../lib/vendor-routes.ts";
import { templateOf } from "../synthesized-stack.ts";

const plans = Object.values(settings.production.usagePlans);

/** Reserved concurrency by function. */
async function reserved(changes: Partial<StageSettings> = {}): Promise<Record<string, number>> {
  const functions = (await templateOf({ ...settings.test, ...changes })).findResources(
    "AWS::Lambda::Function",
  );
  return Object.fromEntries(
    Object.values(functions).flatMap(({ Properties }) => {
      const name = Properties.Environment?.Variables?.POWERTOOLS_SERVICE_NAME as string | undefined;
      const { ReservedConcurrentExecutions: most } = Properties;
      return name === undefined || most === undefined ? [] : [[name, most]];
    }),
  );
}

test("what waits for a stranger has a limit, what vendors wait for a floor, and two stages fit an account of 1,000", async () => {
  const byDefault = await reserved();
  const rows = Object.entries(vendorRuns).map(([name, row]) => ({ name, isShared: false, ...row }));
  const own = rows.filter(({ isShared }) => !isShared).map(({ name, runs }) => [name, runs] as const);
  expect(byDefault).toEqual({
    ...Object.fromEntries(own),
    authorize: 20,
    "deliver-scorecards": 5,
    "deliver-webhooks": 20,
    "follow-outcomes": 20,
    "check-players": 1,
    "mirror-courses": 1,
  });
  const inAll = Object.values(byDefault).reduce((sum, most) => sum + most);
  expect(countReservedRuns(settings.test)).toBe(inAll);
  const pages = readFileSync("docs/deploy.md", "utf8");
  expect(pages).toContain(`A stage reserves ${inAll},`);
  expect(pages).toContain(`two stages need ${2 * inAll + awsLimits.unreservedRuns}`);
  const checkRecords = 1;
  const shared = rows.reduce((sum, { runs, isShared }) => sum + (isShared ? runs : 0), 0);
  const all = Object.values(byDefault).reduce((sum, most) => sum + most, checkRecords + shared);
  expect(2 * all).toBeLessThanOrEqual(1_000 - awsLimits.unreservedRuns);
});

test("one vendor with the largest plan leaves runs of every function to the others, in its worst request", () => {
  const planRate = Math.max(...plans.map(({ ratePerSecond }) => ratePerSecond));
  const throttles = listVendorThrottles();
  const answering = new Set(
    servedOperations.flatMap(({ route }) => (isVendors(route) ? [route.answeredBy as string] : [])),
  );
  expect(Object.keys(vendorRuns).toSorted()).toEqual([...answering].toSorted());
  for (const [name, { runs, maxSeconds, slow = {} }] of Object.entries(vendorRuns)) {
    let taken = planRate * maxSeconds;
    for (const { operationId, route, paths } of servedOperations) {
      const { seconds = 0 } = slow[operationId] ?? {};
      // API Gateway counts each spelling of a path.
      for (const path of paths) taken += seconds * (throttles[`${path}/${route.method}`]?.RateLimit ?? 0);
    }
    expect([name, taken <= runs]).toEqual([name, true]);
  }
});

test("a vendor spends at most 20 US dollars a day, whatever it asks for", () => {
  const { readUnit, writeUnit, sqsRequest, fairQueueRequest, ...prices } = listPrices;
  const unit = (amount: number) => amount * readUnit * 1.001;
  // A card is written when it is sent and when it is delivered, and its event is written.
  expect(3 * writeUnit).toBeLessThanOrEqual(unit(unitPrices.writeUnit));
  expect(3 * (sqsRequest + fairQueueRequest)).toBeLessThanOrEqual(unit(unitPrices.message));
  expect((unitPrices.bytesOfMessage / 1024) * writeUnit).toBeLessThanOrEqual(unit(1));
  expect((unitPrices.bytesOfAnswer / 2 ** 30) * prices.outgoingGigabyte).toBeLessThanOrEqual(unit(1));
  expect((unitPrices.megabyteMilliseconds / 1_024_000) * prices.gigabyteSecond).toBeLessThanOrEqual(unit(1));
  // Look-ups at the union are not counted: 0.6 seconds of half a gigabyte, and a record of a hundred kilobytes.
  const lookUp = 0.6 * 0.5 * prices.gigabyteSecond + 1e-4 * prices.outgoingGigabyte;
  const each = prices.apiRequest + prices.lambdaRequest + unitsOfRequest.sending * readUnit + lookUp;
  for (const { requestsPerDay } of plans) expect(requestsPerDay * each).toBeLessThanOrEqual(20);
});

test("docs/costs.md says what wrong passwords cost at most, which all runs of the authorizer refuse all day", () => {
  const refusals = ((findReservedRuns("authorize") ?? 0) / 0.005) * 86_400;
  const none = { apiRequests: 0, writeUnits: 0, readUnits: 0, sqsRequests: 0 };
  const one = { ...none, functionRuns: 1, gigabyteSeconds: 0.5 * 0.005, logBytes: 300, answerBytes: 1_000 };
  const costs = readFileSync("docs/costs.md", "utf8");
  expect(costs).toContain(`${Math.round(dollarsOf(times(refusals, one)))} on the authorizer`);
  expect(costs).toContain(`which costs ${Math.round(refusals * listPrices.firewallRequest)} for as many`);
});

test("in a small account no function reserves anything, since AWS keeps the last runs of an account", async () => {
  expect(await reserved({ accountConcurrency: "small" })).toEqual({});
});

test("delivery has what its event source may use, however much that is", async () => {
  const delivery = { ...settings.test.delivery, maximumConcurrency: 40 };
  expect((await reserved({ delivery }))["deliver-scorecards"]).toBe(40);
});
