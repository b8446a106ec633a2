import {
  APIGatewayClient,
  FlushStageAuthorizersCacheCommand,
  GetUsagePlanCommand,
} from "@aws-sdk/client-api-gateway";
import { expect, test } from "vitest";
import { usageKeys } from "../../../core/accounts/usage-keys.ts";
import { localCredentials } from "../../../packages/local-aws/base/environment.ts";
import { gatewayResponses, provideRun, restApi } from "./cloud-assembly.ts";

/** Lets everybody in, counted by the key that the credentials name. */
const guard = {
  code: `let times = 0;
  export const handler = async ({ methodArn, headers: { Authorization } }) => ({
    principalId: String(++times),
    policyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] },
    ...(Authorization !== "no key" && { usageIdentifierKey: Authorization }),
  });`,
  properties: { ReservedConcurrentExecutions: 1 },
};
const who = {
  code: `export const handler = async ({ requestContext: { authorizer } }) => ({ body: authorizer.principalId });`,
};

const throttled = { responseParameters: { "gatewayresponse.header.Retry-After": "'1'" } };
const resources = restApi(
  [{ path: "/things", method: "GET", function: "who", guarded: true, counted: true }],
  "guard",
  {},
  { "x-amazon-apigateway-api-key-source": "AUTHORIZER", ...gatewayResponses({ THROTTLED: throttled }) },
);
const sections = { Outputs: { PlanId: { Value: { Ref: "Plan" } }, ApiId: { Value: { Ref: "Api" } } } };
const plan = {
  Type: "AWS::ApiGateway::UsagePlan",
  Properties: {
    ApiStages: [{ ApiId: { Ref: "Api" }, Stage: { Ref: "Stage" } }],
    Throttle: { RateLimit: 0.001, BurstLimit: 2 },
    Quota: { Limit: 1000, Period: "DAY" },
  },
};
const api = await provideRun({
  functions: { guard, who },
  resources: { ...resources, Plan: plan },
  sections,
});
const gateway = new APIGatewayClient({
  endpoint: api.apiGateway,
  region: api.region,
  credentials: localCredentials,
});

const ask = (Authorization: string) => fetch(`${api.api}/things`, { headers: { Authorization } });

test("a caller over the rate of its plan is asked to come again, and no other is", async () => {
  const keys = usageKeys(gateway);
  const one = await keys.create("one", "plan", api.outputs.PlanId ?? "");
  const other = await keys.create("other", "plan", api.outputs.PlanId ?? "");
  const answers = [await ask(one.key), await ask(one.key), await ask(one.key), await ask(other.key)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
  expect(answers[2]?.headers.get("retry-after")).toBe("1");
  expect(await answers[2]?.json()).toEqual({ message: "Too Many Requests" });
});

test("a key is made of what API Gateway allows in one, however it falls out", async () => {
  const keys = usageKeys(gateway);
  const made = Array.from({ length: 20 }, (_, index) =>
    keys.create(`key ${index}`, "plan", api.outputs.PlanId ?? ""),
  );
  for (const { key } of await Promise.all(made)) expect(key).toMatch(/^[A-Za-z0-9]{20,128}$/);
});

test("a key that was replaced or removed is refused", async () => {
  const keys = usageKeys(gateway);
  const first = await keys.create("renewed", "plan", api.outputs.PlanId ?? "");
  const second = await keys.create("renewed", "plan", api.outputs.PlanId ?? "");
  expect([(await ask(first.key)).status, (await ask(second.key)).status]).toEqual([403, 200]);
  await keys.remove(second.keyId);
  await keys.remove(second.keyId);
  expect((await ask(second.key)).status).toBe(403);
});

test("an operator can empty the authorizer's cache", async () => {
  const { key } = await usageKeys(gateway).create("forgotten", "plan", api.outputs.PlanId ?? "");
  const before = await (await ask(key)).text();
  await gateway.send(
    new FlushStageAuthorizersCacheCommand({ restApiId: api.outputs.ApiId, stageName: "live" }),
  );
  expect(await (await ask(key)).text()).not.toBe(before);
});

test("an unsupported operation of API Gateway is an error that names it", async () => {
  const plan = new GetUsagePlanCommand({ usagePlanId: "x" });
  await expect(gateway.send(plan)).rejects.toThrow("has nothing at GET /usageplans/x");
});
