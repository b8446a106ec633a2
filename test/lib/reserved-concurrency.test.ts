import { expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";
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
  expect(byDefault).toEqual({
    authorize: 50,
    "submit-scorecards": 200,
    "deliver-scorecards": 5,
    "read-members": 50,
    "manage-webhooks": 20,
    "deliver-webhooks": 20,
    "check-players": 1,
    "mirror-courses": 1,
  });
  const checkRecords = 1;
  const all = Object.values(byDefault).reduce((sum, most) => sum + most, checkRecords);
  expect(2 * all).toBeLessThanOrEqual(1_000 - 100);
});

test("in a small account functions reserve nothing, except for what runs once at a time", async () => {
  expect(await reserved({ accountConcurrency: "small" })).toEqual({
    "check-players": 1,
    "mirror-courses": 1,
  });
});

test("delivery has what its event source may use, however much that is", async () => {
  const delivery = { ...settings.test.delivery, maximumConcurrency: 40 };
  expect((await reserved({ delivery }))["deliver-scorecards"]).toBe(40);
});
