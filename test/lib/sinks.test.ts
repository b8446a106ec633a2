import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { templateOf } from "../synthesized-stack.ts";
import { everySetting } from "./every-setting.ts";

interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has other properties
  readonly Properties?: any;
}

const template = await templateOf({ ...settings.test, ...everySetting });
const resources = Object.entries(template.toJSON().Resources as Record<string, Resource>);
const ofType = (type: string) => resources.filter(([, { Type }]) => Type === type);

/** In this place nothing of a request comes to rest. */
const nothing = undefined;

/**
 * Every place at which something of a request can come to rest, by type and by the beginning of its logical ID, with the words that
 * docs/privacy.md has for it in the column "where".
 */
const sinks: Readonly<Record<string, Readonly<Record<string, string | typeof nothing>>>> = {
  "AWS::DynamoDB::Table": {
    AccountsAccountTable: "AccountTable",
    ActivityTable: "ActivityTable",
    // The union's own register.
    MirrorClubTable: nothing,
    MirrorCourseTable: nothing,
    ScorecardTable: "ScorecardTable",
    WebhooksWebhookTable: "WebhookTable",
  },
  "AWS::SQS::Queue": {
    DeliveryDeadLetterQueue: "dead letters",
    DeliveryDeliveryQueue: "the delivery queue",
    WebhooksDeadWebhookQueue: "dead letters",
    WebhooksWebhookQueue: "the webhook queue",
  },
  "AWS::Logs::LogGroup": { "": "logs" },
  "AWS::SNS::Topic": { AlarmTopic: "mails", MorningTopic: "mails", WebhooksNoticeTopic: "mails" },
  "AWS::SecretsManager::Secret": {
    AccountsSessionSecret: nothing,
    DeliveryPlayerHashSecret: nothing,
    MirrorMirrorSecret: nothing,
    RecordCheckRecordHashSecret: nothing,
  },
  "AWS::CloudWatch::Alarm": { "": "metrics" },
};

/** Types in which nothing of a request comes to rest, if their properties are as the tests below say. */
const restless = [
  "AWS::ApiGateway::BasePathMapping",
  "AWS::ApiGateway::Deployment",
  "AWS::ApiGateway::DomainName",
  "AWS::ApiGateway::RestApi",
  "AWS::ApiGateway::Stage",
  "AWS::ApiGateway::UsagePlan",
  "AWS::Budgets::Budget",
  "AWS::CloudWatch::Dashboard",
  "AWS::CodeDeploy::Application",
  "AWS::CodeDeploy::DeploymentGroup",
  "AWS::IAM::Policy",
  "AWS::IAM::Role",
  "AWS::KMS::Alias",
  "AWS::KMS::Key",
  "AWS::Lambda::Alias",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Lambda::EventSourceMapping",
  "AWS::Lambda::Function",
  "AWS::Lambda::Permission",
  "AWS::Lambda::Version",
  "AWS::SNS::Subscription",
  "AWS::SSM::Parameter",
  "AWS::SNS::TopicPolicy",
  "AWS::SQS::QueuePolicy",
  "AWS::Scheduler::Schedule",
  "AWS::WAFv2::WebACL",
  "AWS::WAFv2::WebACLAssociation",
];

/** Places outside the template: AWS's own copies, browsers, and what vendors and the union keep. */
const outside = [
  "Secrets Manager",
  "point-in-time recovery",
  "the browser of",
  "the stream of",
  "the union's exchange",
  "vendors",
  "their endpoints and queues",
  "messages",
  "with the card",
  "nothing is traced",
];

/** The places that docs/privacy.md names. */
const documented = readFileSync("docs/privacy.md", "utf8")
  .split("## What is held")[1]
  ?.matchAll(/^\| (?!what|---)[^|]+\| ([^|]+) \|/gm)
  .flatMap(([, where = ""]) => where.split(/[,;] /))
  .toArray();

test("every resource of the template is known as a place for something of a request, or as none", () => {
  const unknown = resources.flatMap(([id, { Type }]) => {
    const known = Object.keys(sinks[Type] ?? {}).some((beginning) => id.startsWith(beginning));
    return known || restless.includes(Type) ? [] : [`${Type} ${id}`];
  });
  expect(unknown).toEqual([]);
});

test("docs/privacy.md names every such place, and no other", () => {
  const places = [...new Set(Object.values(sinks).flatMap(Object.values))].filter((one) => one !== nothing);
  for (const place of places) expect(documented).toContain(place);
  const known = [...places, ...outside];
  expect(documented?.filter((one) => !known.some((place) => one.startsWith(place)))).toEqual([]);
});

test("docs/privacy.md names the copies of tables, too: streams and point-in-time recovery", () => {
  for (const [id, { Properties }] of ofType("AWS::DynamoDB::Table")) {
    const [, name] =
      Object.entries(sinks["AWS::DynamoDB::Table"] ?? {}).find(([beginning]) => id.startsWith(beginning)) ??
      [];
    if (name === nothing) continue;
    const { StreamSpecification, PointInTimeRecoverySpecification: recovery } = Properties;
    if (StreamSpecification !== undefined) expect(documented).toContain(`the stream of ${name}`);
    if (recovery?.PointInTimeRecoveryEnabled) expect(documented).toContain("point-in-time recovery");
  }
});

test("nothing is traced, and no request is sampled or logged by API Gateway, Lambda or the firewall", () => {
  for (const [, { Properties }] of ofType("AWS::ApiGateway::Stage")) {
    expect([Properties.TracingEnabled ?? false, Properties.CacheClusterEnabled ?? false]).toEqual([
      false,
      false,
    ]);
    for (const { DataTraceEnabled = false } of Properties.MethodSettings)
      expect(DataTraceEnabled).toBe(false);
    expect(JSON.parse(Properties.AccessLogSetting.Format)).toEqual({
      requestId: "$context.requestId",
      account: "$context.authorizer.principalId",
      method: "$context.httpMethod",
      resource: "$context.resourcePath",
      status: "$context.status",
      bytes: "$context.responseLength",
      milliseconds: "$context.responseLatency",
      refusal: "$context.error.responseType",
    });
  }
  for (const [, { Properties }] of ofType("AWS::Lambda::Function")) {
    expect([Properties.TracingConfig, Properties.DeadLetterConfig]).toEqual([undefined, undefined]);
  }
  for (const [, { Properties }] of ofType("AWS::Lambda::EventInvokeConfig"))
    expect(Properties.DestinationConfig).toBeUndefined();
  expect(JSON.stringify(ofType("AWS::WAFv2::WebACL"))).not.toContain('"SampledRequestsEnabled":true');
});

test("a source of events that gives something up keeps the place in its stream only, in no bucket", () => {
  for (const [, { Properties }] of ofType("AWS::Lambda::EventSourceMapping")) {
    const { OnFailure } = Properties.DestinationConfig ?? {};
    // SNS and SQS get the shard and the sequence numbers, a bucket would get the records.
    if (OnFailure !== undefined)
      expect(OnFailure.Destination).toEqual({ Ref: expect.stringMatching(/Topic/) });
  }
});

test("every topic and queue refuses requests without TLS, also those that a setting makes", () => {
  const denials = ["SNS::TopicPolicy", "SQS::QueuePolicy"]
    .flatMap((type) => ofType(`AWS::${type}`))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .filter(
      ({ Effect, Condition }) => Effect === "Deny" && Condition?.Bool?.["aws:SecureTransport"] === "false",
    )
    .map(({ Resource: denied }) => JSON.stringify(denied));
  const topicsAndQueues = [...ofType("AWS::SNS::Topic"), ...ofType("AWS::SQS::Queue")];
  expect(topicsAndQueues.length).toBeGreaterThan(4);
  for (const [id] of topicsAndQueues)
    expect(denials.filter((denied) => denied.includes(`"${id}"`))).toHaveLength(1);
});
