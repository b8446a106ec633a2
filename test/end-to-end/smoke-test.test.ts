import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { hurried } from "../hurried-settings.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

const everyMinutes = 5;
let pipeline: Pipeline;

beforeAll(async () => {
  const smokeTest = { everyMinutes, player: "25-1" };
  const assembly = await assemblyOf({ ...hurried, smokeTest, rollout: "canary" });
  pipeline = await startPipeline({ assembly });
});
afterAll(() => pipeline?.stop());

const run = () => pipeline.machine.run.invoke("smoke-test", {});

async function storeAccount(account: { username: string; password: string; apiSet: string }): Promise<void> {
  const { secretsManager: endpoint, region } = pipeline.machine.run;
  const secrets = new SecretsManagerClient({ endpoint, region, credentials: localCredentials });
  const SecretString = JSON.stringify({ ...account, token: "" });
  await secrets.send(new PutSecretValueCommand({ SecretId: "scorecards/test/smoke-test", SecretString }));
  secrets.destroy();
}

test("the scheduled smoke test fails while it has no account, and with a wrong password", async () => {
  expect(await run()).toEqual({ passed: false });
  await storeAccount({ ...pipeline.vendor(0).account, password: "wrong" });
  expect(await run()).toEqual({ passed: false });
});

test("the scheduled smoke test has a card of the test player delivered by the API, as a vendor's card is", async () => {
  const { username, password, apiSet } = pipeline.vendor(0).account;
  await storeAccount({ username, password, apiSet });
  expect(await run()).toEqual({ passed: true });
  const names = pipeline.standIn.received.map(({ card }) => (card as { ExternalID: string }).ExternalID);
  expect([...new Set(names)]).toEqual([expect.stringMatching(/^smoke-.*-good$/)]);
});

test("an alarm rings if two of three smoke tests fail, or do not run, and not if one does", async () => {
  const { metrics, alarms } = pipeline.machine.run;
  const alarm = alarms.find(({ path }) => path === "SmokeTest/SmokeTestAlarm");
  const period = everyMinutes * 60_000;
  const begun = Math.ceil(Date.now() / period) * period + 10 * period;
  const stateAfter = (...values: (number | undefined)[]) => {
    const offset = begun + stateAfter.tried++ * 10 * period;
    for (const [place, value] of values.entries()) {
      if (value === undefined) continue;
      metrics.put({
        namespace: "scorecard-pipeline-test",
        name: "SmokeTestsFailed",
        dimensions: { service: "smoke-test" },
        value,
        at: offset + place * period + 1000,
      });
    }
    return alarm?.state(offset + values.length * period);
  };
  stateAfter.tried = 0;
  expect(stateAfter(0, 0, 0)).toBe("OK");
  expect(stateAfter(0, 1, 0)).toBe("OK");
  expect(stateAfter(0, 1, 1)).toBe("ALARM");
  expect(stateAfter(1, 0, undefined)).toBe("ALARM");
});

test("a stage whose functions are behind aliases runs here as it is, with one version that has all invocations", async () => {
  const vendor = pipeline.vendor(0);
  const { status } = await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: "behind an alias" })]);
  expect(status).toBe(201);
  await expect.poll(() => vendor.states(["behind an alias"])).toEqual(["delivered"]);
  expect((await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: "" })])).status).toBe(422);
});
