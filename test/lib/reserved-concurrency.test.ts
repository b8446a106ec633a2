import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { awsLimits, listPrices } from "../../lib/aws-facts.ts";
import { countReservedRuns, listVendorThrottles, vendorRuns } from "../../lib/reserved-runs.ts";
import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";
import { isVendors, servedOperations } from "../../lib/vendor-routes.ts";
import { templateOf } from "../synthesized-stack.ts";

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
  const { standard, tournament } = settings.production.usagePlans;
  const planRate = Math.max(standard.ratePerSecond, tournament.ratePerSecond);
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
    // A page of a hundred cards takes as many read units.
    const run = listPrices.apiRequest + listPrices.lambdaRequest + 100 * listPrices.readUnit;
    const dollars = (run + maxSeconds * listPrices.gigabyteSecond) * tournament.requestsPerDay;
    expect([name, dollars <= 20]).toEqual([name, true]);
  }
});

test("in a small account no function reserves anything, since AWS keeps the last runs of an account", async () => {
  expect(await reserved({ accountConcurrency: "small" })).toEqual({});
});

test("delivery has what its event source may use, however much that is", async () => {
  const delivery = { ...settings.test.delivery, maximumConcurrency: 40 };
  expect((await reserved({ delivery }))["deliver-scorecards"]).toBe(40);
});
