import { execFileSync } from "node:child_process";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { PipelineStack } from "../../../lib/pipeline-stack.ts";
import { settings } from "../../../lib/settings.ts";
import { type Adaptation, adaptStack, trialContext } from "../../../local/trial/adapt-stack.ts";
import { bufferedResponses } from "../../../local/trial/buffered-responses.ts";
import { deployAdapted, type RefusedResource } from "../../../local/trial/deploy-adapted.ts";
import { apiAddresses } from "../../../local/trial/endpoint.ts";
import { apiOperations } from "../../api-operations.ts";
import { templateOf } from "../../synthesized-stack.ts";

const complete: Adaptation = { leaveOut: [], withoutApiKeys: false, withoutStreaming: false };
const alarm: RefusedResource = {
  logicalId: "StoppedAlarm",
  type: "AWS::CloudWatch::Alarm",
  reason: "no metric math",
};
const table: RefusedResource = {
  logicalId: "ScorecardTable",
  type: "AWS::DynamoDB::Table",
  reason: "no streams",
};

/** An endpoint that refuses a type in its change set, and resources when it makes them. */
function endpoint(unknownType: string | undefined, resources: readonly RefusedResource[]) {
  const deployments: Adaptation[] = [];
  const refused = () =>
    resources.filter(({ logicalId }) => !deployments.at(-1)?.leaveOut.includes(logicalId));
  return {
    deployments,
    refusedResources: async () => refused(),
    async deploy(adaptation: Adaptation) {
      deployments.push(adaptation);
      const failed = (stderr: string) => ({ code: 1, stdout: "", stderr });
      if (unknownType !== undefined && !adaptation.leaveOut.includes(unknownType)) {
        return failed(`Template format error: Unrecognized resource types: [${unknownType}]`);
      }
      return refused().length > 0 ? failed("the deployment failed") : { code: 0, stdout: "", stderr: "" };
    },
  };
}

describe("a trial's deployment", () => {
  test("the stack is deployed without what the endpoint does not know, and each is named with its reason", async () => {
    const refusing = endpoint("AWS::CloudWatch::Dashboard", [alarm]);
    const named: string[] = [];
    const deployed = await deployAdapted(refusing, complete, (what, reason) =>
      named.push(`${what}: ${reason}`),
    );
    expect(deployed.leaveOut).toEqual([
      "AWS::CloudWatch::Dashboard",
      "StoppedAlarm",
      "alarms on metric math",
    ]);
    expect(named).toEqual([
      "AWS::CloudWatch::Dashboard: CloudFormation does not know this type",
      "StoppedAlarm (AWS::CloudWatch::Alarm): no metric math",
      "alarms on metric math: the endpoint has none",
    ]);
    expect(refusing.deployments).toHaveLength(3);
  });

  test("a resource without which no card is delivered is never left out: the deployment fails and names it", async () => {
    const refusing = endpoint(undefined, [alarm, table]);
    const deployed = deployAdapted(refusing, complete, () => undefined);
    await expect(deployed).rejects.toThrow("ScorecardTable (AWS::DynamoDB::Table): no streams");
    expect(refusing.deployments).toHaveLength(1);
  });

  test("a deployment that fails for another reason ends with the CDK's own words", async () => {
    const failing = {
      deploy: async () => ({ code: 1, stdout: "", stderr: "no credentials" }),
      refusedResources: async () => [],
    };
    await expect(deployAdapted(failing, complete, () => undefined)).rejects.toThrow("no credentials");
  });
});

describe("a trial's stack", async () => {
  const synthesized = new Map<string, Template>();
  const adapted = (adaptation: Adaptation, given = settings.test) => {
    const key = JSON.stringify([adaptation, given]);
    const known = synthesized.get(key);
    if (known !== undefined) return known;
    const stack = new PipelineStack(new App(), "scorecard-pipeline-test", { settings: given });
    adaptStack(stack, trialContext(adaptation));
    const template = Template.fromStack(stack);
    synthesized.set(key, template);
    return template;
  };
  const whole = await templateOf(settings.test);
  const operationsOf = (template: Template) =>
    apiOperations(template.toJSON() as { Resources: Record<string, unknown> });
  const ids = (template: Template) => Object.keys(template.toJSON().Resources);

  test("the stack of a trial lacks what is left out, by type or logical ID, and nothing else", () => {
    const [oneAlarm = ""] = Object.keys(whole.findResources("AWS::CloudWatch::Alarm"));
    const template = adapted({ ...complete, leaveOut: ["AWS::CloudWatch::Dashboard", oneAlarm] });
    template.resourceCountIs("AWS::CloudWatch::Dashboard", 0);
    expect(template.findResources("AWS::CloudWatch::Alarm")).not.toHaveProperty(oneAlarm);
    expect(ids(template)).toHaveLength(ids(whole).length - 2);
  });

  test.each([
    ["the type", (_id: string) => "AWS::WAFv2::WebACL"],
    ["its logical ID", (id: string) => id],
  ])("a firewall that the endpoint refuses is left out by %s, with what refers to it", (_what, nameOf) => {
    const firewalled = { ...settings.test, firewall: { requestsInFiveMinutes: 200_000 } };
    const [firewall = ""] = Object.keys(adapted(complete, firewalled).findResources("AWS::WAFv2::WebACL"));
    const template = adapted({ ...complete, leaveOut: [nameOf(firewall)] }, firewalled);
    expect(ids(template)).toEqual(ids(whole));
    expect(JSON.stringify(template.toJSON())).not.toContain(firewall);
  });

  test.each(["AWS::CodeDeploy::Application", "AWS::CodeDeploy::DeploymentGroup"])(
    "at an endpoint without %s the functions are behind aliases that move at once",
    (type) => {
      const template = adapted({ ...complete, leaveOut: [type] }, { ...settings.test, rollout: "canary" });
      template.resourceCountIs(type, 0);
      template.resourceCountIs("AWS::CodeDeploy::DeploymentGroup", 0);
      const aliases = Object.values(template.findResources("AWS::Lambda::Alias"));
      expect(aliases).toHaveLength(3);
      for (const alias of aliases) expect(alias).not.toHaveProperty("UpdatePolicy");
      // The trial tells the stage its union by the parameter.
      expect(template.toJSON().Rules).not.toHaveProperty("UnionBaseAddressInSettings");
    },
  );

  test("at an endpoint without metric math all alarms on expressions are left out at once, and no other", () => {
    const alarmsOf = (template: Template) => Object.entries(template.findResources("AWS::CloudWatch::Alarm"));
    const onMetrics = alarmsOf(whole).filter(([, { Properties }]) => Properties.Metrics === undefined);
    const template = adapted({ ...complete, leaveOut: ["alarms on metric math"] });
    expect(alarmsOf(template)).toHaveLength(onMetrics.length);
    expect(alarmsOf(template).map(([id]) => id)).toEqual(onMetrics.map(([id]) => id));
    expect(onMetrics.length).toBeLessThan(alarmsOf(whole).length);
  });

  test("a table cannot be left out of a trial's stack", () => {
    const template = adapted({ ...complete, leaveOut: ["AWS::DynamoDB::Table"] });
    template.resourceCountIs("AWS::DynamoDB::Table", 6);
  });

  test("functions of a trial use the endpoint's address, and give a card up while somebody waits", () => {
    const functions = Object.values(adapted(complete).findResources("AWS::Lambda::Function"));
    const variables = functions.map(({ Properties }) => Properties.Environment.Variables);
    for (const { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: ignored } of variables) expect(ignored).toBe("false");
    expect(variables.map((one) => one.GIVE_UP_AFTER_SECONDS).filter(Boolean)).toEqual(["10"]);
  });

  test("methods of a trial need an API key, unless the endpoint does not read the authorizer's", () => {
    const needing = (template: Template) => operationsOf(template).filter(({ counted }) => counted).length;
    expect(needing(adapted(complete))).toBeGreaterThan(10);
    expect(needing(adapted({ ...complete, withoutApiKeys: true }))).toBe(0);
  });

  test("functions of a trial stream clubs, courses and the API's description, unless the endpoint does not stream", () => {
    const streamed = (template: Template) =>
      operationsOf(template).filter(({ integration }) =>
        /"STREAM"|2021-11-15|response-streaming-invocations/.test(JSON.stringify(integration)),
      ).length;
    expect(streamed(adapted(complete))).toBe(16);
    const buffered = adapted({ ...complete, withoutStreaming: true });
    expect(streamed(buffered)).toBe(0);
    const functions = Object.values(buffered.findResources("AWS::Lambda::Function"));
    for (const { Properties } of functions) {
      expect(Properties.Environment.Variables.NODE_OPTIONS).toBe(bufferedResponses);
    }
  });
});

/** What a function returns that writes these bytes. @param written JavaScript */
function buffered(written: string): unknown {
  const script = `
    const handler = awslambda.streamifyResponse(async ({ headers }, stream) => {
      const response = awslambda.HttpResponseStream.from(stream, { statusCode: 203, headers });
      response.write(${written});
      await new Promise((resolve) => response.end(resolve));
    });
    console.log(JSON.stringify(await handler({ headers: { "accept-Encoding": "gzip", Origin: "a" } }, {})));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    env: { NODE_OPTIONS: bufferedResponses },
  });
  return JSON.parse(printed.toString());
}

test("where responses are not streamed, a function returns what it would have streamed, without gzip", () => {
  expect(buffered('"høj"')).toEqual({ statusCode: 203, headers: { Origin: "a" }, body: "høj" });
});

test("where responses are not streamed, a function returns a package in base64, which no text can hold", () => {
  expect(buffered("Buffer.from([0x1f, 0x8b, 0xff])")).toMatchObject({ body: "H4v/", isBase64Encoded: true });
});

test("the API of a trial is looked for at the endpoint, and never at AWS itself", () => {
  const ofAws = "https://a1b2.execute-api.eu-west-1.amazonaws.com/test";
  const found = apiAddresses(ofAws, "http://127.0.0.1:4566");
  expect(found[0]).toBe("http://127.0.0.1:4566/restapis/a1b2/test/_user_request_");
  expect(found.join()).not.toContain("amazonaws.com");
  expect(apiAddresses("http://127.0.0.1:3000/test", "http://127.0.0.1:4566")[0]).toBe(
    "http://127.0.0.1:3000/test",
  );
});
