import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventsOf, failuresOf, sqsRecord } from "../../local/queues/sqs-event.ts";
import { type Resources, restApi, run, type TestRun } from "./cloud-assembly.ts";

/** Prints each batch, and does with each message what its body says. */
const worker = {
  code: `export const handler = async ({ Records }) => {
    console.log(JSON.stringify(Records.map(({ body, attributes, messageAttributes, eventSourceARN }) =>
      ({ body, receives: Number(attributes.ApproximateReceiveCount), group: attributes.MessageGroupId,
         attributes: messageAttributes, eventSourceARN }))));
    if (Records.some(({ body }) => body === "throw")) throw new Error("thrown");
    if (Records.some(({ body }) => body === "die")) setTimeout(() => process.exit(1), 20);
    if (Records.some(({ body }) => body === "die")) await new Promise(() => {});
    return { batchItemFailures: Records.filter(({ body, attributes }) =>
      body.startsWith("fail") && !(body === "fail once" && attributes.ApproximateReceiveCount > 1))
      .map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };`,
};

interface Handled {
  body: string;
  receives: number;
  group?: string;
  attributes: object;
  eventSourceARN: string;
}

/** A queue of its own for a test, the queue of its dead, and the mapping that feeds the worker from it. */
const queue = (
  name: string,
  visibilitySeconds: number,
  maxReceiveCount: number,
  mapping: object,
): Resources => ({
  [`${name}Dead`]: { Type: "AWS::SQS::Queue" },
  [name]: {
    Type: "AWS::SQS::Queue",
    Properties: {
      VisibilityTimeout: visibilitySeconds,
      RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": [`${name}Dead`, "Arn"] }, maxReceiveCount },
    },
  },
  [`${name}Mapping`]: {
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: {
      EventSourceArn: { "Fn::GetAtt": [name, "Arn"] },
      FunctionName: { Ref: "worker" },
      ...mapping,
    },
  },
});

const partial = { FunctionResponseTypes: ["ReportBatchItemFailures"] };
const inWindow = {
  BatchSize: 30,
  MaximumBatchingWindowInSeconds: 1,
  ScalingConfig: { MaximumConcurrency: 2 },
};

let stack: TestRun;
let sqs: SQSClient;

beforeAll(async () => {
  const resources = {
    ...restApi([]),
    ...queue("Some", 1, 2, partial),
    ...queue("Failing", 1, 2, partial),
    ...queue("Throwing", 1, 2, partial),
    ...queue("Dying", 1, 2, partial),
    ...queue("Held", 1, 1000, partial),
    ...queue("Many", 30, 2, inWindow),
    Patient: { Type: "AWS::SQS::Queue" },
  };
  stack = await run({ functions: { worker }, resources });
  sqs = new SQSClient({
    endpoint: stack.sqs,
    region: stack.region,
    credentials: { accessKeyId: "x", secretAccessKey: "x" },
  });
});

afterAll(async () => {
  sqs.destroy();
  await stack.stop();
});

const batches = (): Handled[][] =>
  stack.lines.filter(({ text }) => text.startsWith("[")).map(({ text }) => JSON.parse(text));

const handled = (body: string): Handled[] =>
  batches()
    .flat()
    .filter((message) => message.body === body);

async function send(queue: string, bodies: string[]): Promise<void> {
  const entries = bodies.map((body, index) => ({
    Id: String(index),
    MessageBody: body,
    MessageGroupId: "anna",
  }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: stack.resource(queue), Entries: entries }));
}

async function counts(queue: string): Promise<number[]> {
  const names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;
  const request = new GetQueueAttributesCommand({
    QueueUrl: stack.resource(queue),
    AttributeNames: [...names],
  });
  const { Attributes } = await sqs.send(request);
  return names.map((name) => Number(Attributes?.[name]));
}

async function receive(queue: string, waitSeconds: number): Promise<Message[]> {
  const request = { QueueUrl: stack.resource(queue), WaitTimeSeconds: waitSeconds, MaxNumberOfMessages: 10 };
  const asked = { MessageSystemAttributeNames: ["All"], VisibilityTimeout: 60 } as const;
  return (await sqs.send(new ReceiveMessageCommand({ ...request, ...asked } as never))).Messages ?? [];
}

test.concurrent("messages are handed over in batches, with what SQS says of them", async () => {
  for (let request = 0; request < 3; request += 1) {
    await send(
      "Many",
      Array.from({ length: 10 }, (_, message) => `many ${request} ${message}`),
    );
  }
  const many = (): Handled[][] => batches().filter(([first]) => first?.body.startsWith("many"));
  await expect.poll(() => many().flat().length, { timeout: 5000 }).toBe(30);
  // Two pollers share thirty messages; neither hands over one by one.
  expect(many().length).toBeLessThanOrEqual(4);
  expect(many()[0]?.[0]).toMatchObject({
    receives: 1,
    group: "anna",
    attributes: {},
    eventSourceARN: "arn:aws:sqs:eu-north-1:000000000000:things-test-Many",
  });
  await expect.poll(() => counts("Many")).toEqual([0, 0]);
});

test.concurrent("a message's own attributes are handed over, bytes in Base64", async () => {
  const sent = {
    Of: { DataType: "String", StringValue: "anna" },
    Key: { DataType: "Binary", BinaryValue: Buffer.from("ab") },
  };
  const request = {
    QueueUrl: stack.resource("Some"),
    MessageBody: "with attributes",
    MessageAttributes: sent,
  };
  await sqs.send(new SendMessageCommand(request));
  const attributes = () => handled("with attributes").map((message) => message.attributes);
  await expect.poll(attributes, { timeout: 5000 }).toEqual([
    {
      Of: { dataType: "String", stringValue: "anna", stringListValues: [], binaryListValues: [] },
      Key: { dataType: "Binary", binaryValue: "YWI=", stringListValues: [], binaryListValues: [] },
    },
  ]);
});

test.concurrent("what the answer says has failed comes back, and the rest does not", async () => {
  await send("Some", ["well", "fail once"]);
  const receives = (): number[] => handled("fail once").map((message) => message.receives);
  await expect.poll(receives, { timeout: 6000 }).toEqual([1, 2]);
  expect(handled("well")).toHaveLength(1);
});

test.concurrent.for([
  ["fail always", "Failing"],
  ["throw", "Throwing"],
  ["die", "Dying"],
] as const)("after its last receive a message that makes the function %s is dead", async ([body, name]) => {
  await send(name, [body]);
  await expect.poll(() => handled(body).length, { timeout: 8000 }).toBe(2);
  const [dead] = await receive(`${name}Dead`, 5);
  expect(dead).toMatchObject({ Body: body, Attributes: { MessageGroupId: "anna" } });
});

test.concurrent("a message is invisible for as long as it is said to be", async () => {
  const QueueUrl = stack.resource("Patient");
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "later", DelaySeconds: 1 }));
  expect(await receive("Patient", 0)).toEqual([]);
  const [message] = await receive("Patient", 2);
  expect(message?.Body).toBe("later");
  const entry = { Id: "0", ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout: 1 };
  await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: [entry] }));
  expect(await receive("Patient", 0)).toEqual([]);
  const [again] = await receive("Patient", 2);
  expect(again?.Attributes).toMatchObject({ ApproximateReceiveCount: "2" });
});

test.concurrent("an operator holds and releases delivery", async () => {
  const base = `${stack.lambda}/2015-03-31/event-source-mappings/`;
  const queueArn = "arn:aws:sqs:eu-north-1:000000000000:things-test-Held";
  const listing = await fetch(`${base}?FunctionName=things-test-worker&EventSourceArn=${queueArn}`);
  const listed = (await listing.json()) as { EventSourceMappings: { UUID: string; State: string }[] };
  expect(listed.EventSourceMappings).toMatchObject([{ State: "Enabled", BatchSize: 10 }]);
  const update = (Enabled: boolean): Promise<Response> =>
    fetch(base + listed.EventSourceMappings[0]?.UUID, { method: "PUT", body: JSON.stringify({ Enabled }) });
  await expect((await update(false)).json()).resolves.toMatchObject({ State: "Disabled" });
  await send("Held", ["held"]);
  // What was on its way to the function has gone back, for whoever asks.
  const [held] = await receive("Held", 2);
  expect(held?.Body).toBe("held");
  expect(handled("held")).toEqual([]);
  await expect((await update(true)).json()).resolves.toMatchObject({ State: "Enabled" });
  const entry = { Id: "0", ReceiptHandle: held?.ReceiptHandle, VisibilityTimeout: 0 };
  const QueueUrl = stack.resource("Held");
  await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: [entry] }));
  await expect.poll(() => handled("held").length).toBe(1);
});

test("an answer is read as Lambda reads it", () => {
  const ids = ["a", "b"];
  for (const well of ["null", "{}", '{"batchItemFailures":null}', '{"batchItemFailures":[]}']) {
    expect(failuresOf(well, ids)).toEqual([]);
  }
  expect(failuresOf('{"batchItemFailures":[{"itemIdentifier":"b"}]}', ids)).toEqual(["b"]);
  for (const wrong of ['"a"', "[]", '{"batchItemFailures":["a"]}']) {
    expect(failuresOf(wrong, ids)).toEqual(ids);
  }
  for (const identifier of ['""', "null", '"c"']) {
    expect(failuresOf(`{"batchItemFailures":[{"itemIdentifier":${identifier}}]}`, ids)).toEqual(ids);
  }
});

test("an event is never larger than Lambda takes", () => {
  const records = Array.from({ length: 10 }, () =>
    sqsRecord({ Body: "x".repeat(1_000_000) }, "arn:aws:sqs:r:a:q"),
  );
  const events = eventsOf(records);
  expect(events.map((event) => event.records.length)).toEqual([6, 4]);
  for (const { event } of events) expect(Buffer.byteLength(event)).toBeLessThan(6_291_556);
  expect(JSON.parse(events[0]?.event ?? "").Records).toHaveLength(6);
});
