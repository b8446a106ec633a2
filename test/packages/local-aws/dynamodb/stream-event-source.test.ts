import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BatchExecuteStatementCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import { afterAll, expect, test } from "vitest";
import { localCredentials } from "../../../../packages/local-aws/base/environment.ts";
import { provideRun, type Resources, restApi, run } from "../cloud-assembly.ts";

/** Remembers for all environments how often each record was seen. */
const folder = mkdtempSync(join(tmpdir(), "seen-records-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Prints each batch, and does with each record what the item's `does` says. */
const follower = {
  code: `import { appendFileSync, statSync } from "node:fs";
  export const handler = async ({ Records }) => {
    console.log(JSON.stringify(Records));
    for (const { eventSourceARN, dynamodb: { Keys, NewImage, SequenceNumber } } of Records) {
      const seen = ${JSON.stringify(`${folder}/`)} + (eventSourceARN + SequenceNumber).replace(/\\W/g, "-");
      appendFileSync(seen, "1");
      const times = statSync(seen).size;
      const does = NewImage?.does?.S;
      if (does === "throw" || (does === "throw once" && times === 1)) throw new Error(Keys.id.S);
    }
  };`,
};

/** Prints what it is told of its tumbling window, and counts its records in the window's state. */
const counter = {
  code: `export const handler = async ({ Records, ...window }) => {
    console.log(JSON.stringify({ ...window, records: Records.length }));
    return { state: { records: (window.state.records ?? 0) + Records.length } };
  };`,
};

/** A table with a stream, and a mapping from it. */
function streamed(name: string, mapping: object, invoked = "follower"): Resources {
  return {
    [name]: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
        BillingMode: "PAY_PER_REQUEST",
        StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      },
    },
    [`${name}Mapping`]: {
      Type: "AWS::Lambda::EventSourceMapping",
      Properties: {
        EventSourceArn: { "Fn::GetAtt": [name, "StreamArn"] },
        FunctionName: { Ref: invoked },
        StartingPosition: "TRIM_HORIZON",
        ...mapping,
      },
    },
  };
}

const fourAtOnce = { BatchSize: 4, MaximumBatchingWindowInSeconds: 300 };
const pattern = (value: object) => ({ Pattern: JSON.stringify(value) });
const written = (state: string) =>
  pattern({ eventName: ["INSERT", "MODIFY"], dynamodb: { NewImage: { state: { S: [state] } } } });

const resources = {
  ...restApi([]),
  ...streamed("Changes", {}),
  ...streamed("Filtered", { FilterCriteria: { Filters: [written("delivered"), written("rejected")] } }),
  ...streamed("Windowed", { BatchSize: 3, MaximumBatchingWindowInSeconds: 300 }),
  ...streamed("Bisected", {
    ...fourAtOnce,
    BisectBatchOnFunctionError: true,
    MaximumRecordAgeInSeconds: 2,
    DestinationConfig: { OnFailure: { Destination: "arn:aws:sns:eu-north-1:000000000000:operator" } },
  }),
  ...streamed("Held", { Enabled: false }),
  ...streamed("Tumbling", { TumblingWindowInSeconds: 1 }, "counter"),
};
const stack = await provideRun({ functions: { follower, counter }, resources });
const client = new DynamoDBClient({
  endpoint: stack.dynamodb,
  region: stack.region,
  credentials: localCredentials,
});
afterAll(() => client.destroy());

/** The batches of a table's records that the function was handed. */
function batches(table: string): DynamoDBRecord[][] {
  const handed = stack.lines.filter(({ text }) => text.startsWith("[{"));
  return handed
    .map(({ text }) => JSON.parse(text) as DynamoDBRecord[])
    .filter(([first]) => first?.eventSourceARN?.includes(`table/things-test-${table}/`));
}

const idsOf = (records: readonly DynamoDBRecord[]) => records.map(({ dynamodb }) => dynamodb?.Keys?.id?.S);

/** Writes items one after the other, so that their records are in this order. */
async function put(table: string, items: Record<string, string>[]): Promise<void> {
  for (const item of items) {
    const attributes = Object.entries(item).map(([name, value]) => [name, { S: value }]);
    const request = { TableName: stack.resource(table), Item: Object.fromEntries(attributes) };
    await client.send(new PutItemCommand(request));
  }
}

test.concurrent("a function is handed each change of a table's items, as Lambda words it", async ({
  expect,
}) => {
  const TableName = stack.resource("Changes");
  const content = Buffer.from([1, 2, 3]);
  const statements = [
    [
      `INSERT INTO "${TableName}" VALUE {'id': ?, 'content': ?, 'version': ?}`,
      [{ S: "a" }, { B: content }, { N: "1" }],
    ],
    [`UPDATE "${TableName}" SET "version" = ? REMOVE "content" WHERE "id" = ?`, [{ N: "2" }, { S: "a" }]],
    [`UPDATE "${TableName}" SET "version" = ? WHERE "id" = ?`, [{ N: "2" }, { S: "a" }]],
  ] as const;
  for (const [Statement, Parameters] of statements) {
    await client.send(
      new BatchExecuteStatementCommand({ Statements: [{ Statement, Parameters: [...Parameters] }] }),
    );
  }
  await expect.poll(() => batches("Changes").flat()).toHaveLength(2);
  const old = { id: { S: "a" }, content: { B: content.toString("base64") }, version: { N: "1" } };
  const shared = {
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    eventSourceARN: expect.stringMatching(`:table/${TableName}/stream/`),
  };
  expect(batches("Changes").flat()).toMatchObject([
    {
      ...shared,
      eventName: "INSERT",
      dynamodb: { Keys: { id: { S: "a" } }, NewImage: old, StreamViewType: "NEW_AND_OLD_IMAGES" },
    },
    {
      ...shared,
      eventName: "MODIFY",
      dynamodb: {
        Keys: { id: { S: "a" } },
        NewImage: { id: { S: "a" }, version: { N: "2" } },
        OldImage: old,
      },
    },
  ]);
});

test.concurrent("a function is handed only the records that pass a filter", async ({ expect }) => {
  await put("Filtered", [
    { id: "a", state: "queued" },
    { id: "b", state: "delivered" },
    { id: "c" },
    { id: "d", state: "rejected" },
    { id: "a", state: "rejected" },
  ]);
  await expect.poll(() => idsOf(batches("Filtered").flat())).toEqual(["b", "d", "a"]);
});

test.concurrent("a batch is handed over once it is full, long before its window is over", async ({
  expect,
}) => {
  await put(
    "Windowed",
    ["a", "b", "c", "d"].map((id) => ({ id })),
  );
  await expect.poll(() => batches("Windowed").map(idsOf)).toEqual([["a", "b", "c"]]);
});

test.concurrent("a batch that fails is halved until the failing record is alone, which is given up when it is too old", async ({
  expect,
}) => {
  await put("Bisected", [{ id: "a" }, { id: "b" }, { id: "c", does: "throw" }, { id: "d" }]);
  await expect
    .poll(() => batches("Bisected").map(idsOf).slice(0, 4))
    .toEqual([["a", "b", "c", "d"], ["a", "b"], ["c", "d"], ["c"]]);
  const told = "AWS would notify arn:aws:sns:eu-north-1:000000000000:operator";
  await expect
    .poll(() => stack.lines.find(({ text }) => text.includes(told)))
    .toEqual({ function: "stream", text: expect.stringMatching(/records 0*3 of/) });
});

test.concurrent("a disabled mapping hands over nothing, and goes on where it was", async ({ expect }) => {
  await put("Held", [{ id: "a" }]);
  const listing = await fetch(
    `${stack.lambda}/2015-03-31/event-source-mappings/?FunctionName=things-test-follower`,
  );
  const { EventSourceMappings } = (await listing.json()) as {
    EventSourceMappings: { UUID: string; State: string; EventSourceArn: string; StartingPosition: string }[];
  };
  const mapping = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn.includes("-Held/"));
  expect(mapping).toMatchObject({ State: "Disabled", StartingPosition: "TRIM_HORIZON" });
  expect(batches("Held")).toEqual([]);
  await fetch(`${stack.lambda}/2015-03-31/event-source-mappings/${mapping?.UUID}`, {
    method: "PUT",
    body: JSON.stringify({ Enabled: true }),
  });
  await expect.poll(() => batches("Held").map(idsOf)).toEqual([["a"]]);
});

test.concurrent("a tumbling window names its shard, keeps what the function returned, and ends without records", async ({
  expect,
}) => {
  await put("Tumbling", [{ id: "a" }, { id: "b" }]);
  const events = () =>
    stack.lines
      .filter(({ text }) => text.startsWith('{"window"'))
      .map(({ text }) => JSON.parse(text) as { readonly [name: string]: unknown });
  const ended = () => events().filter(({ isFinalInvokeForWindow: isFinal }) => isFinal);
  const countedIn = ({ state }: { readonly state?: unknown }) => (state as { records?: number }).records ?? 0;
  await expect.poll(() => ended().reduce((sum, event) => sum + countedIn(event), 0)).toBe(2);
  expect(ended()[0]).toMatchObject({
    records: 0,
    shardId: expect.stringMatching(/^shardId-/),
    eventSourceARN: expect.stringContaining("-Tumbling/stream/"),
    isWindowTerminatedEarly: false,
  });
  const { start = "", end = "" } = (ended()[0]?.window ?? {}) as { start?: string; end?: string };
  expect(Date.parse(end) - Date.parse(start)).toBe(1000);
});

test("a mapping with what the local run does not know is an error that names it", async () => {
  const provision = (mapping: object) =>
    run({ functions: { follower }, resources: { ...restApi([]), ...streamed("Changes", mapping) } });
  await expect(provision({ StartingPositionTimestamp: 5 })).rejects.toThrow("StartingPositionTimestamp");
  const Filters = [pattern({ eventName: [{ prefix: "IN" }] })];
  await expect(provision({ FilterCriteria: { Filters } })).rejects.toThrow('[{"prefix":"IN"}] at eventName');
  await expect(provision({ EventSourceArn: "arn:aws:kinesis:eu-north-1:0:stream/s" })).rejects.toThrow(
    "no event source for arn:aws:kinesis:eu-north-1:0:stream/s, only for dynamodb, sqs",
  );
});
