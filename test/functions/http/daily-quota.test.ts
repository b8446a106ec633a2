import { BatchGetItemCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import type { Context } from "aws-lambda";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { conditionalWrites } from "../../../core/aws/batch.ts";
import { dailyQuota } from "../../../functions/http/daily-quota.ts";
import { provideEngine, tables } from "../../core/aws/engine.ts";

const { TableName } = tables.activity;
const engine = await provideEngine(tables.activity);
const key = { apiSet: { S: "any" }, at: { S: "any" } };
const item = (kilobytes: number) => ({ text: { S: "x".repeat(kilobytes * 1024) } });
await engine.client.send(new PutItemCommand({ TableName, Item: { ...key, ...item(199) } }));

/** An execution environment of a function, with a plan of 5,000 units and 1,500 cards a day. */
function createEnvironment() {
  const options = { endpoint: "http://127.0.0.1", region: "eu-north-1", credentials: localCredentials };
  const client = new DynamoDBClient({ ...options, endpoint: engine.endpoint });
  const sqs = new SQSClient(options);
  sqs.middlewareStack.add(() => async () => ({ output: { $metadata: {} }, response: {} }), { step: "build" });
  const settings = {
    ...{ ACTIVITY_TABLE: TableName, TIME_ZONE: "UTC" },
    QUOTAS: { small: { cards: 1_500, units: 5_000 } },
  };
  const { metered, takeCards } = dailyQuota(settings, client, sqs);
  /** Makes requests until one is refused. @returns how many were answered */
  async function exhaust(apiSet: string, work: () => Promise<unknown> | undefined, body = "") {
    const vendor = { apiSet: apiSet as ApiSet, plan: "small" };
    for (let answered = 0; ; answered++) {
      try {
        await metered(vendor, { memoryLimitInMB: "1" } as Context, async () => {
          await work();
          return { statusCode: 200, headers: {}, body };
        });
      } catch (refusal) {
        // Other accounts of the API set may have used it.
        const detail = expect.stringMatching(/^Today's .* of this API set /);
        const problem = { status: 429, title: "Quota used up", detail };
        expect(refusal).toMatchObject({ problem, headers: { "Retry-After": "3600" } });
        return answered;
      }
    }
  }
  return { client, sqs, exhaust, takeCards };
}

test("a vendor's requests of a day end when they have read, written, sent or answered what its plan allows", async () => {
  const { client, sqs, exhaust } = createEnvironment();
  const RequestItems = { [TableName]: { Keys: [key], ConsistentRead: true } };
  const read = () => client.send(new BatchGetItemCommand({ RequestItems }));
  // 50 units and less than a millisecond of a megabyte, which is one more, since a part of one counts. Writing the count costs 15.
  expect(await exhaust("reads", read)).toBe(Math.ceil((5_000 - 15) / 51));
  let writes = 0;
  const write = () =>
    conditionalWrites(client, TableName, [{ key: { ...key, at: { S: `${writes++}` } }, set: item(19) }]);
  expect(await exhaust("writes", write)).toBe(Math.ceil(5_000 / (20 * 15 + 1)));
  const Entries = [1, 2].map((id) => ({ Id: `${id}`, MessageBody: "x".repeat(4_000) }));
  const send = () => sqs.send(new SendMessageBatchCommand({ QueueUrl: "http://127.0.0.1/queue", Entries }));
  expect(await exhaust("messages", send)).toBe(Math.ceil(5_000 / (2 * (12 + 20) + 1)));
  expect(await exhaust("answers", () => undefined, "x".repeat(1_400_000))).toBe(5);
});

test("environments learn of each other's use with every four thousand units or thousand cards, and cards end without requests", async () => {
  const [one, other] = [createEnvironment(), createEnvironment()];
  const body = "x".repeat(700_000 - 1_400);
  expect(await one.exhaust("green", () => undefined, body)).toBe(10);
  expect(await other.exhaust("green", () => undefined, body)).toBe(9);
  const vendor = { apiSet: "cards" as ApiSet, plan: "small" };
  const submit =
    ({ takeCards }: typeof one) =>
    async () =>
      takeCards(vendor, 250);
  expect(await one.exhaust(vendor.apiSet, submit(one))).toBe(6);
  expect(await other.exhaust(vendor.apiSet, submit(other))).toBe(5);
});
