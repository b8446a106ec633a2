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

/** Each service and resource with the actions that a role may use on it. */
function permissions(role: string): string[] {
  const permitted = statements(role).flatMap(({ Action, Resource }) =>
    all(Resource).flatMap((resource) =>
      all(Action).map((action) => {
        const [service, operation = ""] = action.split(":");
        return { place: `${service} ${readable(resource)}`, operation };
      }),
    ),
  );
  const byPlace = [...Map.groupBy(permitted, ({ place }) => place)];
  return byPlace
    .map(([place, of]) => `${place}: ${[...new Set(of.map(({ operation }) => operation))].sort().join(", ")}`)
    .sort();
}

const work: Record<string, string[]> = {
  authorize: ["dynamodb AccountTable: GetItem", "secretsmanager SessionSecret: GetSecretValue"],
  "change-delivery": [
    "dynamodb ActivityTable: UpdateItem",
    "dynamodb ScorecardTable: BatchGetItem, PartiQLInsert, PartiQLUpdate",
    "sqs DeliveryQueue: SendMessage",
  ],
  "check-players": [
    "dynamodb CourseTable/index/byCourse: Query",
    "dynamodb CourseTable: GetItem",
    "dynamodb ScorecardTable: BatchGetItem, DescribeStream, GetRecords, GetShardIterator, ListStreams, PartiQLInsert, PartiQLUpdate",
    "secretsmanager PlayerHashSecret: GetSecretValue",
    "secretsmanager arn::secretsmanager:::secret:scorecards/test/vendor/*: GetSecretValue",
  ],
  "deliver-scorecards": [
    "dynamodb ScorecardTable: BatchGetItem, PartiQLInsert, PartiQLUpdate",
    "secretsmanager arn::secretsmanager:::secret:scorecards/test/vendor/*: GetSecretValue",
    "sqs DeliveryQueue: DeleteMessage, GetQueueAttributes, ReceiveMessage, SendMessage",
  ],
  "describe-account": [
    "dynamodb AccountTable: GetItem, UpdateItem",
    "secretsmanager SessionSecret: GetSecretValue",
  ],
  "describe-api": [],
  "follow-outcomes": [
    "dynamodb ActivityTable: BatchWriteItem, DeleteItem, GetItem, PutItem, Query, UpdateItem",
    "dynamodb ScorecardTable: DescribeStream, GetRecords, GetShardIterator, ListStreams",
    "dynamodb WebhookTable: Query",
    "sns AlarmTopic: Publish",
    "sqs WebhookQueue: SendMessage",
  ],
  "deliver-webhooks": [
    "dynamodb ActivityTable: PutItem, Query",
    "dynamodb WebhookTable: GetItem, PartiQLInsert, PartiQLUpdate, Query",
    "sqs WebhookQueue: DeleteMessage, GetQueueAttributes, ReceiveMessage, SendMessage",
    "sts arn::iam::*:role/scorecard-events*: AssumeRole",
  ],
  "manage-webhooks": [
    "dynamodb ActivityTable: Query, UpdateItem",
    "dynamodb ScorecardTable: BatchGetItem",
    "dynamodb WebhookTable: DeleteItem, GetItem, PartiQLInsert, PartiQLUpdate, Query",
    "sqs WebhookQueue: SendMessage",
    "sts arn::iam::*:role/scorecard-events*: AssumeRole",
  ],
  "measure-unsent": ["sqs DeliveryQueue: GetQueueAttributes"],
  "mirror-courses": [
    "dynamodb ClubTable: BatchWriteItem, Scan",
    "dynamodb CourseTable/index/byClub: Query",
    "dynamodb CourseTable: BatchGetItem, BatchWriteItem, GetItem, PartiQLInsert, PartiQLUpdate",
    "secretsmanager MirrorSecret: GetSecretValue",
  ],
  "read-courses": [
    "dynamodb ActivityTable: UpdateItem",
    "dynamodb ClubTable: GetItem, Scan",
    "dynamodb CourseTable/index/byClub: Query",
    "dynamodb CourseTable/index/byCourse: Query",
    "dynamodb CourseTable: BatchGetItem, GetItem",
  ],
  "read-operations": [
    "cloudwatch *: DescribeAlarms, GetMetricData",
    "dynamodb AccountTable: Scan",
    "dynamodb ActivityTable: Query",
    "dynamodb CourseTable: GetItem",
    "dynamodb ScorecardTable: BatchGetItem",
    "lambda arn::lambda:::event-source-mapping:DeliveryEventSource: GetEventSourceMapping",
    "sqs DeadLetterQueue: GetQueueAttributes",
    "sqs DeliveryQueue: GetQueueAttributes",
  ],
  "read-members": ["secretsmanager arn::secretsmanager:::secret:scorecards/test/vendor/*: GetSecretValue"],
  "serve-portal": [],
  "submit-scorecards": [
    "dynamodb ActivityTable: BatchWriteItem, Query, UpdateItem",
    "dynamodb ClubTable: GetItem",
    "dynamodb CourseTable/index/byClub: Query",
    "dynamodb CourseTable/index/byCourse: Query",
    "dynamodb CourseTable: BatchGetItem, GetItem",
    "dynamodb ScorecardTable: BatchGetItem, PartiQLInsert, PartiQLUpdate",
    "secretsmanager MirrorSecret: GetSecretValue",
    "secretsmanager PlayerHashSecret: GetSecretValue",
    "sqs DeliveryQueue: SendMessage",
  ],
  "track-scorecards": [
    "dynamodb ActivityTable: Query, UpdateItem",
    "dynamodb ScorecardTable/index/byState: Query",
    "dynamodb ScorecardTable: BatchGetItem",
  ],
  "validate-scorecards": [
    "dynamodb ActivityTable: Query, UpdateItem",
    "dynamodb ClubTable: GetItem",
    "dynamodb CourseTable/index/byClub: Query",
    "dynamodb CourseTable/index/byCourse: Query",
    "dynamodb CourseTable: BatchGetItem, GetItem",
    "dynamodb ScorecardTable: BatchGetItem",
    "secretsmanager MirrorSecret: GetSecretValue",
    "secretsmanager PlayerHashSecret: GetSecretValue",
    "secretsmanager arn::secretsmanager:::secret:scorecards/test/vendor/*: GetSecretValue",
  ],
  "wake-waiting-cards": [
    "cloudwatch *: GetMetricData",
    "dynamodb AccountTable: Scan",
    "dynamodb ActivityTable: PutItem, Query",
    "dynamodb ScorecardTable/index/byState: Query",
    "dynamodb ScorecardTable: BatchGetItem, PartiQLUpdate",
    "dynamodb WebhookTable: Query",
    "lambda arn::lambda:::event-source-mapping:DeliveryEventSource: GetEventSourceMapping",
    "sqs DeliveryQueue: GetQueueAttributes, SendMessage",
    "sqs WebhookQueue: SendMessage",
  ],
};

test.each(Object.entries(work))(
  "%s may use only the tables, queues and secrets that it needs",
  (name, wanted) => {
    const forItself = `logs ${name}-logs: CreateLogStream, PutLogEvents`;
    expect(permissions(`${name}-role`)).toEqual([...wanted, forItself].sort());
  },
);

test("describe-account may change of an account when its sessions begin, and nothing else", () => {
  const writes = statements("describe-account-role").filter(({ Action }) =>
    all(Action).includes("dynamodb:UpdateItem"),
  );
  const Condition = {
    "ForAllValues:StringEquals": { "dynamodb:Attributes": ["username", "sessionsFrom", "endedSessions"] },
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
