import { expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { deployedRoles } from "./deployed-roles.ts";

const { names, statements } = await deployedRoles(settings.test);

/** A resource in one line, by its construct's ID. */
function readable(resource: unknown): string {
  if (typeof resource === "string") return resource;
  const [[intrinsic, argument] = ["", undefined]] = Object.entries(resource as Record<string, unknown>);
  if (intrinsic === "Ref") return names.get(argument as string) ?? "";
  if (intrinsic === "Fn::GetAtt") return names.get((argument as [string, string])[0]) ?? "";
  if (intrinsic === "Fn::Join") return (argument as [string, unknown[]])[1].map(readable).join("");
  throw new Error(`This test does not know the intrinsic ${intrinsic}.`);
}

const all = <Value>(value: Value | readonly Value[]): readonly Value[] =>
  Array.isArray(value) ? value : [value as Value];

/** Each action with each resource that a role may use it on. */
function permissions(role: string): string[] {
  const permitted = statements(role).flatMap(({ Action, Resource }) =>
    all(Action).flatMap((action) => all(Resource).map((resource) => `${action} ${readable(resource)}`)),
  );
  return [...new Set(permitted)].sort();
}

const work: Record<string, string[]> = {
  authorize: ["dynamodb:GetItem AccountTable", "secretsmanager:GetSecretValue SessionSecret"],
  "change-delivery": [
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:PartiQLInsert ScorecardTable",
    "dynamodb:PartiQLUpdate ScorecardTable",
    "sqs:SendMessage DeliveryQueue",
  ],
  "check-players": [
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:DescribeStream ScorecardTable",
    "dynamodb:GetItem CourseTable",
    "dynamodb:GetRecords ScorecardTable",
    "dynamodb:GetShardIterator ScorecardTable",
    "dynamodb:ListStreams ScorecardTable",
    "dynamodb:PartiQLInsert ScorecardTable",
    "dynamodb:PartiQLUpdate ScorecardTable",
    "dynamodb:Query CourseTable/index/byCourse",
    "secretsmanager:GetSecretValue PlayerHashSecret",
    "secretsmanager:GetSecretValue arn::secretsmanager:::secret:scorecards/test/vendor/*",
  ],
  "deliver-scorecards": [
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:PartiQLInsert ScorecardTable",
    "dynamodb:PartiQLUpdate ScorecardTable",
    "secretsmanager:GetSecretValue arn::secretsmanager:::secret:scorecards/test/vendor/*",
    "sqs:DeleteMessage DeliveryQueue",
    "sqs:GetQueueAttributes DeliveryQueue",
    "sqs:ReceiveMessage DeliveryQueue",
    "sqs:SendMessage DeliveryQueue",
  ],
  "describe-account": [
    "dynamodb:GetItem AccountTable",
    "dynamodb:UpdateItem AccountTable",
    "secretsmanager:GetSecretValue SessionSecret",
  ],
  "describe-api": [],
  "follow-outcomes": [
    "dynamodb:BatchWriteItem ActivityTable",
    "dynamodb:DeleteItem ActivityTable",
    "dynamodb:DescribeStream ScorecardTable",
    "dynamodb:GetItem ActivityTable",
    "dynamodb:GetRecords ScorecardTable",
    "dynamodb:GetShardIterator ScorecardTable",
    "dynamodb:ListStreams ScorecardTable",
    "dynamodb:PutItem ActivityTable",
    "dynamodb:Query ActivityTable",
    "dynamodb:Query WebhookTable",
    "dynamodb:UpdateItem ActivityTable",
    "sns:Publish AlarmTopic",
    "sqs:SendMessage WebhookQueue",
  ],
  "deliver-webhooks": [
    "dynamodb:GetItem WebhookTable",
    "dynamodb:PartiQLInsert WebhookTable",
    "dynamodb:PartiQLUpdate WebhookTable",
    "dynamodb:PutItem ActivityTable",
    "dynamodb:Query ActivityTable",
    "dynamodb:Query WebhookTable",
    "sqs:DeleteMessage WebhookQueue",
    "sqs:GetQueueAttributes WebhookQueue",
    "sqs:ReceiveMessage WebhookQueue",
    "sqs:SendMessage WebhookQueue",
    "sts:AssumeRole arn::iam::*:role/scorecard-events*",
  ],
  "manage-webhooks": [
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:DeleteItem WebhookTable",
    "dynamodb:GetItem ActivityTable",
    "dynamodb:GetItem WebhookTable",
    "dynamodb:PartiQLInsert WebhookTable",
    "dynamodb:PartiQLUpdate WebhookTable",
    "dynamodb:Query ActivityTable",
    "dynamodb:Query WebhookTable",
    "sqs:SendMessage WebhookQueue",
    "sts:AssumeRole arn::iam::*:role/scorecard-events*",
  ],
  "measure-unsent": ["sqs:GetQueueAttributes DeliveryQueue"],
  "mirror-courses": [
    "dynamodb:BatchGetItem CourseTable",
    "dynamodb:BatchWriteItem ClubTable",
    "dynamodb:BatchWriteItem CourseTable",
    "dynamodb:GetItem CourseTable",
    "dynamodb:PartiQLInsert CourseTable",
    "dynamodb:PartiQLUpdate CourseTable",
    "dynamodb:Query CourseTable/index/byClub",
    "dynamodb:Scan ClubTable",
    "secretsmanager:GetSecretValue MirrorSecret",
  ],
  "read-courses": [
    "dynamodb:BatchGetItem CourseTable",
    "dynamodb:GetItem ClubTable",
    "dynamodb:GetItem CourseTable",
    "dynamodb:Query CourseTable/index/byClub",
    "dynamodb:Query CourseTable/index/byCourse",
    "dynamodb:Scan ClubTable",
  ],
  "read-operations": [
    "cloudwatch:DescribeAlarms *",
    "cloudwatch:GetMetricData *",
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:GetItem CourseTable",
    "dynamodb:Query ActivityTable",
    "dynamodb:Scan AccountTable",
    "lambda:GetEventSourceMapping arn::lambda:::event-source-mapping:DeliveryEventSource",
    "sqs:GetQueueAttributes DeadLetterQueue",
    "sqs:GetQueueAttributes DeliveryQueue",
  ],
  "read-members": ["secretsmanager:GetSecretValue arn::secretsmanager:::secret:scorecards/test/vendor/*"],
  "serve-portal": [],
  "submit-scorecards": [
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:BatchWriteItem ActivityTable",
    "dynamodb:GetItem ClubTable",
    "dynamodb:GetItem CourseTable",
    "dynamodb:PartiQLInsert ScorecardTable",
    "dynamodb:PartiQLUpdate ScorecardTable",
    "dynamodb:Query CourseTable/index/byCourse",
    "dynamodb:UpdateItem ActivityTable",
    "secretsmanager:GetSecretValue MirrorSecret",
    "sqs:SendMessage DeliveryQueue",
  ],
  "track-scorecards": [
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:Query ActivityTable",
    "dynamodb:Query ScorecardTable/index/byState",
  ],
  "validate-scorecards": [
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:GetItem ClubTable",
    "dynamodb:GetItem CourseTable",
    "dynamodb:Query CourseTable/index/byCourse",
    "secretsmanager:GetSecretValue MirrorSecret",
    "secretsmanager:GetSecretValue arn::secretsmanager:::secret:scorecards/test/vendor/*",
  ],
  "wake-waiting-cards": [
    "cloudwatch:GetMetricData *",
    "dynamodb:BatchGetItem ScorecardTable",
    "dynamodb:PartiQLUpdate ScorecardTable",
    "dynamodb:PutItem ActivityTable",
    "dynamodb:Query ActivityTable",
    "dynamodb:Query WebhookTable",
    "dynamodb:Scan AccountTable",
    "lambda:GetEventSourceMapping arn::lambda:::event-source-mapping:DeliveryEventSource",
    "sqs:GetQueueAttributes DeliveryQueue",
    "sqs:SendMessage DeliveryQueue",
    "sqs:SendMessage WebhookQueue",
  ],
};

test.each(Object.entries(work))(
  "%s may use only the tables, queues and secrets that it needs",
  (name, wanted) => {
    const forItself = [`logs:CreateLogStream ${name}-logs`, `logs:PutLogEvents ${name}-logs`];
    expect(permissions(`${name}-role`)).toEqual([...wanted, ...forItself].sort());
  },
);

test("describe-account may change of an account when its sessions begin, and nothing else", () => {
  const writes = statements("describe-account-role").filter(({ Action }) =>
    all(Action).includes("dynamodb:UpdateItem"),
  );
  const Condition = {
    "ForAllValues:StringEquals": { "dynamodb:Attributes": ["username", "sessionsFrom"] },
  };
  expect(writes).toMatchObject([{ Condition }]);
});

test.each(["deliver-webhooks", "manage-webhooks"])(
  "%s may assume a vendor's role only with an external ID of its own stage",
  (name) => {
    const assumes = statements(`${name}-role`).filter(({ Action }) => all(Action).includes("sts:AssumeRole"));
    expect(assumes).toMatchObject([
      { Condition: { StringLike: { "sts:ExternalId": "scorecard-pipeline-test:*" } } },
    ]);
  },
);
