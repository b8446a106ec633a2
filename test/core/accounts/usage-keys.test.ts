import { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { createUsagePlans, startApiGatewayApi } from "@scorecard-pipeline/local-aws/api-gateway";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import type { LoopbackServer } from "@scorecard-pipeline/local-aws/loopback-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type UsageKeys, usageKeys } from "../../../core/accounts/usage-keys.ts";

const usagePlans = createUsagePlans(() => 0);
usagePlans.plans.set("plan", { throttle: undefined, quota: undefined });
let gateway: LoopbackServer;
let client: APIGatewayClient;
let keys: UsageKeys;

beforeAll(async () => {
  gateway = await startApiGatewayApi(usagePlans, () => undefined);
  client = new APIGatewayClient({
    endpoint: gateway.address,
    region: "local",
    credentials: localCredentials,
  });
  keys = usageKeys(client);
});
afterAll(async () => {
  client.destroy();
  await gateway.stop();
});

const counts = (key: string) => {
  try {
    usagePlans.count(key);
    return true;
  } catch {
    return false;
  }
};

test("a key that an interrupted run left behind makes way for the new one of its name, and no other does", async () => {
  const left = await keys.create("red", "standard", "plan");
  const other = await keys.create("red-and-white", "standard", "plan");
  const made = await keys.create("red", "standard", "plan");
  expect([left, other, made].map(({ key }) => counts(key))).toEqual([false, true, true]);
  // Taking one away may be asked for twice.
  for (const _ of [1, 2]) await keys.remove(made.keyId);
  expect(counts(made.key)).toBe(false);
});
