import { App, Validations } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../api/operations.ts";
import { outputsSchema } from "../../command/base/target.ts";
import { gatewayResponses } from "../../lib/gateway-responses.ts";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import { type Stage, type StageSettings, stackName, stages } from "../../lib/stage-settings.ts";
import { deployedTiming, giveUpAfterSeconds } from "../../lib/stage-timing.ts";
import { apiOperations } from "../api-operations.ts";
import { templateOf } from "../synthesized-stack.ts";
import { everySetting } from "./every-setting.ts";

let templates: Record<Stage, Template>;

/** Synthesis of both stages with both rule packs: a finding makes it throw. */
beforeAll(() => {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  const stacks = stages.map(
    (stage) =>
      [
        stage,
        new PipelineStack(app, stackName(stage), { settings: settings[stage], commit: "0a1b2c3" }),
      ] as const,
  );
  app.synth();
  const made = stacks.map(([stage, stack]) => [stage, Template.fromStack(stack)]);
  templates = Object.fromEntries(made);
});

interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

const resources = (stage: Stage, type: string): Resource[] =>
  Object.values(templates[stage].findResources(type)) as Resource[];

const operationsOf = (stage: Stage) =>
  apiOperations(templates[stage].toJSON() as { Resources: Record<string, unknown> });

/** Methods of the API with their paths, from the body in a template. */
function routes(stage: Stage, authorization?: "NONE"): string[] {
  const operations = operationsOf(stage).filter(
    ({ authorized }) => authorization === undefined || !authorized,
  );
  return operations.map(({ method, path }) => `${method} ${path}`);
}

describe("a vendor", () => {
  test("a vendor needs credentials for every path except the login page, the API's description and reference, and the portal's files", () => {
    const open = routes("test", "NONE");
    expect(open.sort()).toEqual([
      "DELETE /portal/session",
      "GET /login.aspx",
      "GET /openapi.json",
      "GET /portal",
      "GET /portal.css",
      "GET /portal.js",
      "GET /reference",
      "POST /login.aspx",
      "POST /portal/session",
      "PUT /portal/session",
    ]);
    const authorized = operationsOf("test").length - open.length;
    expect(operationsOf("test").filter((operation) => operation.authorized)).toHaveLength(authorized);
  });

  test("a request with credentials counts under a usage plan, by the API key that the authorizer returns", () => {
    templates.test.hasResourceProperties("AWS::ApiGateway::RestApi", { ApiKeySourceType: "AUTHORIZER" });
    for (const { counted, authorized } of operationsOf("test")) expect(counted).toBe(authorized);
    const { standard, tournament } = settings.production.usagePlans;
    for (const { ratePerSecond, requestsPerDay } of [standard, tournament]) {
      templates.production.hasResourceProperties("AWS::ApiGateway::UsagePlan", {
        Throttle: { RateLimit: ratePerSecond, BurstLimit: 2 * ratePerSecond },
        Quota: { Limit: requestsPerDay, Period: "DAY" },
      });
    }
  });

  test("the OpenAPI document has exactly the paths that are served", () => {
    const spelt = (route: string) => route.toLowerCase();
    const documented = operations.map(({ method, path }) => spelt(`${method} ${path}`));
    const served = routes("test").filter((route) => !route.startsWith("OPTIONS "));
    expect([...new Set(served.map(spelt))].sort()).toEqual([...new Set(documented)].sort());
  });

  test("clubs, courses, the API's description and the portal's files are streamed, by the address that streams, and nothing else is", () => {
    const streamed = operationsOf("test").flatMap(({ integration: { uri, responseTransferMode } }) => {
      const address = JSON.stringify(uri);
      expect(address).toMatch(
        responseTransferMode === "STREAM"
          ? /2021-11-15\/functions\/.*\/response-streaming-invocations/
          : /2015-03-31\/functions\/.*\/invocations/,
      );
      return responseTransferMode === "STREAM"
        ? [address.match(/readcourses|describeapi|serveportal/)?.[0]]
        : [];
    });
    const counts = Object.groupBy(streamed, (name) => name ?? "another");
    // Four paths, in both spellings of each segment; the document; the portal.
    expect([counts.readcourses, counts.describeapi, counts.serveportal].map((all) => all?.length)).toEqual([
      12, 1, 4,
    ]);
    expect(streamed).toHaveLength(17);
  });

  test("a function streams the responses of all its routes or of none, because it has one handler", () => {
    const modes = new Map<string, unknown>();
    for (const { integration } of operationsOf("test")) {
      const target =
        /"Fn::GetAtt":\["(\w+)"|"Ref":"(\w+)"/
          .exec(JSON.stringify(integration.uri).replaceAll('{"Ref":"AWS::', ""))
          ?.slice(1)
          .find(Boolean) ?? "";
      expect(target).not.toBe("");
      if (modes.has(target)) expect(integration.responseTransferMode).toBe(modes.get(target));
      modes.set(target, integration.responseTransferMode);
    }
    expect(modes.size).toBeGreaterThan(10);
  });

  test("the settings limit the requests of all vendors together", () => {
    for (const stage of stages) {
      const { requestsPerSecond } = settings[stage];
      templates[stage].hasResourceProperties("AWS::ApiGateway::Stage", {
        MethodSettings: Match.arrayWith([
          Match.objectLike({
            HttpMethod: "*",
            ResourcePath: "/*",
            ThrottlingRateLimit: requestsPerSecond,
            ThrottlingBurstLimit: 2 * requestsPerSecond,
          }),
        ]),
      });
    }
  });

  test("what a stranger may ask for has limits of its own, far below those of vendors", () => {
    const [stage] = resources("production", "AWS::ApiGateway::Stage");
    const [, ...own] = (stage?.Properties.MethodSettings ?? []) as readonly Record<string, unknown>[];
    const limited = own.map(
      ({ HttpMethod, ResourcePath }) =>
        `${HttpMethod} ${String(ResourcePath).slice(1).replaceAll("~1", "/")}`,
    );
    expect(limited.sort()).toEqual(routes("production", "NONE").sort());
    // API Gateway takes what is absent here as off, not from the stage.
    for (const settings of own) expect(settings).toMatchObject({ LoggingLevel: "ERROR" });
    expect(Math.max(...own.map(({ ThrottlingRateLimit: rate }) => Number(rate)))).toBeLessThanOrEqual(20);
  });

  test("API Gateway's own refusals are those of the project", () => {
    const [{ Properties } = { Properties: {} }] = resources("test", "AWS::ApiGateway::RestApi");
    expect(Properties).toMatchObject({
      Body: { "x-amazon-apigateway-gateway-responses": gatewayResponses(settings.test.allowedOrigins) },
    });
  });
});

describe("an operator", () => {
  test("every table can be restored to any second, and is paid per request", () => {
    for (const { Properties } of resources("test", "AWS::DynamoDB::Table")) {
      expect(Properties).toMatchObject({
        BillingMode: "PAY_PER_REQUEST",
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      });
    }
  });

  test("both stacks have the outputs that the scorecards command needs", () => {
    for (const stage of stages) {
      expect(Object.keys(templates[stage].findOutputs("*"))).toEqual(
        expect.arrayContaining(Object.keys(outputsSchema.shape)),
      );
    }
  });

  test("ExternalIDs force outcomes on the stage test alone", () => {
    for (const stage of stages) {
      const variables = resources(stage, "AWS::Lambda::Function").map(
        ({ Properties }) => (Properties.Environment as { Variables: Record<string, unknown> }).Variables,
      );
      const sandboxes = variables.flatMap(({ SANDBOX }) => SANDBOX ?? []);
      expect(sandboxes).toEqual(stage === "test" ? ["on", "on"] : ["off", "off"]);
    }
  });

  test("the union's address is the template's parameter if given, else the setting", () => {
    // A deployment keeps a parameter's previous value, so as its default a changed setting would have no effect.
    templates.test.hasParameter("UnionBaseAddress", { Default: "" });
    const [isGiven] = Object.keys(templates.test.findConditions("UnionBaseAddressGiven"));
    const addresses = resources("test", "AWS::Lambda::Function").flatMap(({ Properties }) => {
      const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
      return "UNION_BASE_ADDRESS" in Variables ? [Variables.UNION_BASE_ADDRESS] : [];
    });
    expect(addresses).toHaveLength(7);
    for (const address of addresses) {
      expect(address).toEqual({
        "Fn::If": [isGiven, { Ref: "UnionBaseAddress" }, settings.test.union.baseAddress],
      });
    }
  });

  test("alarms are mailed to the address in the settings, and to nobody if there is none", async () => {
    const subscriptions = (template: Template) =>
      Object.values(template.findResources("AWS::SNS::Subscription")).map(({ Properties }) => Properties);
    for (const stage of stages) expect(subscriptions(templates[stage])).toEqual([]);

    const alarms = { ...settings.test.alarms, address: "greenkeeper@scorecards.example" };
    const given = { ...settings.test, alarms };
    const template = await templateOf(given);
    const topics = Object.keys(template.findResources("AWS::SNS::Topic"));
    expect(topics).toHaveLength(2);
    const mail = { Protocol: "email", Endpoint: "greenkeeper@scorecards.example" };
    expect(subscriptions(template)).toEqual(topics.map((Ref) => ({ ...mail, TopicArn: { Ref } })));
    for (const { Properties } of Object.values(template.findResources("AWS::CloudWatch::Alarm"))) {
      expect(topics.map((Ref) => [{ Ref }])).toContainEqual(Properties.AlarmActions);
      expect(Properties.OKActions).toEqual(Properties.AlarmActions);
    }
  });

  test("both stages have the same code", () => {
    const assets = (stage: Stage) =>
      resources(stage, "AWS::Lambda::Function").map(
        ({ Properties }) => (Properties.Code as { S3Key: string }).S3Key,
      );
    expect(assets("test")).toEqual(assets("production"));
  });
});

test("every function runs on Node 24 for ARM", () => {
  for (const { Properties } of resources("test", "AWS::Lambda::Function")) {
    expect(Properties).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      Handler: "index.handler",
    });
  }
});

test("messages arrive at once, in batches of up to ten, and only failed ones return to the queue", () => {
  templates.test.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
    BatchSize: 10,
    MaximumBatchingWindowInSeconds: 0,
    FunctionResponseTypes: ["ReportBatchItemFailures"],
    ScalingConfig: { MaximumConcurrency: settings.test.delivery.maximumConcurrency },
  });
});

/** @see AWS Lambda Developer Guide, "Use Lambda recursive loop detection to prevent infinite loops" */
test("a long outage is no recursive loop: Lambda does not stop the function that sends messages to its own queue", () => {
  for (const stage of stages) {
    const loops = resources(stage, "AWS::Lambda::Function").filter(
      ({ Properties }) => Properties.RecursiveLoop === "Allow",
    );
    expect(loops.map(({ Properties }) => Properties.Description)).toEqual([
      "Posts events to vendors' webhook endpoints",
      "Delivers scorecards to the union's exchange",
    ]);
  }
});

test("a message becomes a dead letter after an hour at the earliest, and the queue keeps it longer than cards are retried", () => {
  const queues = resources("production", "AWS::SQS::Queue").filter(
    ({ Properties }) => Properties.RedrivePolicy !== undefined,
  );
  expect(queues).toHaveLength(2);
  for (const { Properties } of queues) {
    const { maxReceiveCount } = Properties.RedrivePolicy as { maxReceiveCount: number };
    expect(maxReceiveCount * Number(Properties.VisibilityTimeout)).toBeGreaterThanOrEqual(3600);
    expect(Number(Properties.MessageRetentionPeriod)).toBeGreaterThan(giveUpAfterSeconds);
  }
});

test("no rule of either pack finds anything in a stack with every setting on", () => {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  new PipelineStack(app, "optional", { settings: { ...settings.test, keepData: true, ...everySetting } });
  expect(() => app.synth()).not.toThrow();
});

test("with a name of its own, vendors' base address is that name, and it accepts no TLS below 1.2", async () => {
  const domain = {
    name: "scorecards.union.example",
    certificateArn: "arn:aws:acm:eu-north-1:123456789012:certificate/1",
  };
  const template = await templateOf({ ...settings.test, domain });
  template.hasOutput("BaseAddress", { Value: "https://scorecards.union.example/test/" });
  template.hasOutput("DomainTarget", Match.anyValue());
  template.hasResourceProperties("AWS::ApiGateway::DomainName", { SecurityPolicy: "TLS_1_2" });
  template.hasResourceProperties("AWS::ApiGateway::BasePathMapping", { BasePath: "test" });
});

test("the API's own name accepts no TLS below 1.2, and each address is one output", () => {
  templates.test.hasResourceProperties("AWS::ApiGateway::RestApi", {
    SecurityPolicy: Match.stringLikeRegexp("TLS13_1_2"),
  });
  const outputs = Object.values(templates.test.findOutputs("*")).map(({ Value }) => JSON.stringify(Value));
  expect(new Set(outputs).size).toBe(outputs.length);
});

test("with a firewall, an address that sends too much is blocked with 429", async () => {
  const template = await templateOf({ ...settings.test, firewall: { requestsInFiveMinutes: 200_000 } });
  template.resourceCountIs("AWS::WAFv2::WebACLAssociation", 1);
  template.hasResourceProperties("AWS::WAFv2::WebACL", {
    Rules: [
      Match.objectLike({
        Statement: { RateBasedStatement: { AggregateKeyType: "IP", Limit: 200_000 } },
        Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
      }),
    ],
  });
  templates.test.resourceCountIs("AWS::WAFv2::WebACL", 0);
});

test("every role can be assumed for this AWS account only", () => {
  const roles = resources("test", "AWS::IAM::Role");
  const functions = resources("test", "AWS::Lambda::Function");
  expect(roles.length).toBeGreaterThan(functions.length);
  for (const { Properties } of roles) {
    const { Statement } = Properties.AssumeRolePolicyDocument as { Statement: readonly object[] };
    expect(Statement).toEqual([
      expect.objectContaining({
        Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
      }),
    ]);
  }
});

test("an alarm on crashes can ring for every function that a schedule runs", () => {
  // A failed count at the end of the day is repeated twice.
  const runsAnHour = { mirror: 3600 / deployedTiming.mirrorEvery, measure: 3, wake: 12 };
  const alarm = resources("test", "AWS::CloudWatch::Alarm").find(({ Properties }) =>
    String(Properties.AlarmDescription).startsWith("Functions in the background have crashed"),
  )?.Properties;
  expect(JSON.stringify(alarm?.Metrics)).toContain('"Period":3600');
  expect(alarm?.Threshold).toBeLessThanOrEqual(Math.min(...Object.values(runsAnHour)));
});

test("a stage whose data is kept is protected from termination, and each stage has its tags", () => {
  const stackOf = (given: StageSettings) => new PipelineStack(new App(), "Stack", { settings: given });
  const [trial, kept] = [stackOf(settings.test), stackOf(settings.production)];
  expect([trial.terminationProtection, kept.terminationProtection]).toEqual([false, true]);
  expect(kept.tags.tagValues()).toEqual({ application: "scorecard-pipeline", stage: "production" });
});

test("a stage with a bootstrap qualifier is deployed by the roles of that bootstrap only", () => {
  const rolesOf = (given: StageSettings) => {
    const app = new App();
    new PipelineStack(app, "Stack", { settings: given });
    return JSON.stringify(app.synth().getStackByName("Stack").manifest.properties);
  };
  expect(rolesOf(settings.test)).toContain("cdk-hnb659fds-deploy-role");
  const own = rolesOf({ ...settings.test, bootstrapQualifier: "sctest" });
  expect(own).toContain("cdk-sctest-deploy-role");
  expect(own).not.toContain("hnb659fds");
});
