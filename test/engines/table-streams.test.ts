import { randomUUID } from "node:crypto";
import {
  BatchExecuteStatementCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import {
  openStream,
  type StreamRecord,
  type StreamsApi,
  streamsApiAt,
} from "@scorecard-pipeline/local-aws/dynamodb";
import { localAccount, localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RunningDynamoDb } from "../core/aws/engine.ts";
import { describeOnEachEngine } from "./dynamodb-engines.ts";

const region = "eu-north-1";
const S = (text: string) => ({ S: text });
const N = (number: number) => ({ N: String(number) });

await describeOnEachEngine("the stream of a table", (engine) => {
  let dynamodb: RunningDynamoDb;
  let client: DynamoDBClient;
  let api: StreamsApi;

  beforeAll(async () => {
    dynamodb = await engine.start();
    client = new DynamoDBClient({ endpoint: dynamodb.endpoint, region, credentials: localCredentials });
    const place = { region, accountId: localAccount, partition: "aws", stackName: "test" };
    api = streamsApiAt(dynamodb.endpoint, place, new AbortController().signal);
  });
  afterAll(async () => {
    client.destroy();
    await dynamodb.stop();
  });

  /** @returns the table's name, and its stream's ARN if it has one */
  async function createTable(StreamViewType?: "NEW_AND_OLD_IMAGES") {
    const TableName = `streamed-${randomUUID()}`;
    const request = new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
      ...(StreamViewType && { StreamSpecification: { StreamEnabled: true, StreamViewType } }),
    });
    await client.send(request);
    return vi.waitFor(async () => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      expect(Table?.TableStatus).toBe("ACTIVE");
      return { TableName, StreamArn: Table?.LatestStreamArn ?? "" };
    }, 240_000);
  }

  const put = (TableName: string, id: string, version = 1) =>
    client.send(new PutItemCommand({ TableName, Item: { id: S(id), version: N(version) } }));

  /** As many records as there should be, from the beginning. */
  async function records(StreamArn: string, count: number): Promise<StreamRecord[]> {
    const reader = await openStream(api, StreamArn);
    const found: StreamRecord[] = [];
    await vi.waitFor(async () => {
      found.push(...(await reader.read()));
      expect(found.length).toBeGreaterThanOrEqual(count);
    }, 240_000);
    return [...found, ...(await reader.read())];
  }

  const changes = async (StreamArn: string, count: number) =>
    (await records(StreamArn, count)).map(({ eventName, dynamodb: { Keys, NewImage, OldImage } }) => [
      eventName,
      Keys.id?.S,
      OldImage?.version,
      NewImage?.version,
    ]);

  test("every operation that changes an item is recorded, and none that changes nothing", async () => {
    const { TableName, StreamArn } = await createTable("NEW_AND_OLD_IMAGES");
    const Key = { id: S("a") };
    const set = (version: number) => ({
      UpdateExpression: "SET version = :version",
      ExpressionAttributeValues: { ":version": N(version) },
    });
    const statements = (...ids: string[]) => ({
      Statements: ids.map((id) => ({
        Statement: `UPDATE "${TableName}" SET "version" = ? WHERE "id" = ?`,
        Parameters: [N(4), S(id)],
      })),
    });
    await put(TableName, "a");
    await put(TableName, "a");
    await put(TableName, "a", 2);
    await client.send(new UpdateItemCommand({ TableName, Key, ...set(3) }));
    await client.send(new UpdateItemCommand({ TableName, Key, ...set(3) }));
    await client.send(new BatchExecuteStatementCommand(statements("a", "missing")));
    await client.send(new BatchExecuteStatementCommand(statements("a")));
    await client.send(
      new BatchExecuteStatementCommand({
        Statements: [{ Statement: `INSERT INTO "${TableName}" VALUE {'id': ?}`, Parameters: [S("b")] }],
      }),
    );
    await client.send(new DeleteItemCommand({ TableName, Key }));
    await client.send(new DeleteItemCommand({ TableName, Key }));
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: { [TableName]: [{ DeleteRequest: { Key: { id: S("b") } } }] },
      }),
    );
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: { [TableName]: [{ PutRequest: { Item: { id: S("c"), version: N(1) } } }] },
      }),
    );
    // The same attributes, in another order.
    for (const SS of [
      ["x", "y"],
      ["y", "x"],
    ]) {
      const item = { id: S("d"), tags: { SS } };
      const Item = SS[0] === "x" ? item : Object.fromEntries(Object.entries(item).toReversed());
      await client.send(new PutItemCommand({ TableName, Item }));
    }
    await put(TableName, "e");
    expect(await changes(StreamArn, 10)).toEqual([
      ["INSERT", "a", undefined, N(1)],
      ["MODIFY", "a", N(1), N(2)],
      ["MODIFY", "a", N(2), N(3)],
      ["MODIFY", "a", N(3), N(4)],
      ["INSERT", "b", undefined, undefined],
      ["REMOVE", "a", N(4), undefined],
      ["REMOVE", "b", undefined, undefined],
      ["INSERT", "c", undefined, N(1)],
      ["INSERT", "d", undefined, undefined],
      ["INSERT", "e", undefined, N(1)],
    ]);
  });

  test("the records of an item are in the order of its changes, however many writers it has", async () => {
    const { TableName, StreamArn } = await createTable("NEW_AND_OLD_IMAGES");
    const increment = () =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: { id: S("counted") },
          UpdateExpression: "ADD version :one",
          ExpressionAttributeValues: { ":one": N(1) },
        }),
      );
    await Promise.all(Array.from({ length: 30 }, increment));
    const found = await records(StreamArn, 30);
    const versions = Array.from({ length: 30 }, (_, index) => N(index + 1));
    expect(found.map(({ dynamodb: { NewImage } }) => NewImage?.version)).toEqual(versions);
    const numbers = found.map(({ dynamodb: { SequenceNumber } }) => SequenceNumber);
    expect(numbers).toEqual(numbers.toSorted());
  });

  test("a stream is read from its beginning, or after a record", async () => {
    const { TableName, StreamArn } = await createTable("NEW_AND_OLD_IMAGES");
    await put(TableName, "a");
    await put(TableName, "b");
    const [first] = await records(StreamArn, 2);
    await put(TableName, "c");

    const { StreamDescription } = (await api("DescribeStream", { StreamArn })) as {
      StreamDescription: { Shards: { ShardId: string }[] };
    };
    const ShardId = StreamDescription.Shards[0]?.ShardId;
    const read = async (position: object, Limit: number) => {
      const { ShardIterator } = (await api("GetShardIterator", { StreamArn, ShardId, ...position })) as {
        ShardIterator: string;
      };
      const answer = (await api("GetRecords", { ShardIterator, Limit })) as { Records: StreamRecord[] };
      return answer.Records.map(({ dynamodb: { Keys } }) => Keys.id?.S);
    };
    const SequenceNumber = first?.dynamodb.SequenceNumber;
    await expect.poll(() => read({ ShardIteratorType: "TRIM_HORIZON" }, 10)).toEqual(["a", "b", "c"]);
    expect(await read({ ShardIteratorType: "TRIM_HORIZON" }, 2)).toEqual(["a", "b"]);
    expect(await read({ ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber }, 10)).toEqual([
      "b",
      "c",
    ]);
  });

  test("a stream is described, and one that is not there is an error", async () => {
    const { TableName, StreamArn } = await createTable("NEW_AND_OLD_IMAGES");
    const StreamLabel = StreamArn.split("/stream/")[1];
    expect(await api("DescribeStream", { StreamArn })).toMatchObject({
      StreamDescription: {
        StreamArn,
        StreamLabel,
        TableName,
        StreamStatus: "ENABLED",
        StreamViewType: "NEW_AND_OLD_IMAGES",
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        Shards: [{ ShardId: expect.any(String) }],
      },
    });
    await expect(api("DescribeStream", { StreamArn: `${StreamArn}0` })).rejects.toMatchObject({
      code: "ResourceNotFoundException",
    });
    await expect(api("GetRecords", { ShardIterator: "none" })).rejects.toMatchObject({ status: 400 });
  });

  test("a table that is to have no stream has none", async () => {
    const { TableName, StreamArn } = await createTable();
    await put(TableName, "a");
    expect(StreamArn).toBe("");
  });
});
