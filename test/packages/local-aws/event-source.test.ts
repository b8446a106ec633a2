import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, expect, test } from "vitest";
import { eventsOf, failuresOf } from "../../../packages/local-aws/functions/batch-events.ts";
import { sqsRecord } from "../../../packages/local-aws/queues/sqs-event.ts";
import { provideRun, type Resources, restApi } from "./cloud-assembly.ts";

/** Prints each batch, and does with each message what its body says. */
const worker = {
  code: `export const handler = async ({ Records }) => {
    console.log(JSON.stringify(Records.map(({ body, receiptHandle, attributes, messageAttributes, eventSourceARN }) =>
      ({ body, receiptHandle, receives: Number(attributes.ApproximateReceiveCount),
         group: attributes.MessageGroupId, attributes: messageAttributes, eventSourceARN }))));
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
  receiptHandle: string;
  receives: number;
  group?: string;
  attributes: object;
  eventSourceARN: string;
}

/** Long enough for a message never to come back by itself while a test runs, however slow the machine. */
const forGood = 600;
/** How long to wait for a message that has to come; the longest that SQS allows. */
const longPollSeconds = 20;
/** A queue for one test, its dead-letter queue, and the event source mapping from it to the worker. */
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
  Enabled: false,
};

const resources = {
  ...restApi([]),
  ...queue("Some", forGood, 2, partial),
  ...queue("Failing", 1, 2, partial),
  ...queue("Throwing", 1, 2, partial),
  ...queue("Dying", 1, 2, partial),
  ...queue("Held", forGood, 1000, partial),
  ...queue("Many", forGood, 2, inWindow),
  Patient: { Type: "AWS::SQS::Queue" },
};
const stack = await provideRun({ functions: { worker }, resources });
const sqs = new SQSClient({
  endpoint: stack.sqs,
  region: stack.region,
  credentials: { accessKeyId: "x", secretAccessKey: "x" },
});
afterAll(() => sqs.destroy());

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
  const asked = { MessageSystemAttributeNames: ["All"], VisibilityTimeout: forGood } as const;
  return (await sqs.send(new ReceiveMessageCommand({ ...request, ...asked } as never))).Messages ?? [];
}

/** Makes a message visible again at once, as it is when its visibility timeout is over. */
async function bringBack(queue: string, receiptHandle: string | undefined): Promise<void> {
  const Entries = [{ Id: "0", ReceiptHandle: receiptHandle, VisibilityTimeout: 0 }];
  const QueueUrl = stack.resource(queue);
  await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
}

interface Mapping {
  UUID: string;
  State: string;
  BatchSize: number;
}

const mappings = (): string => `${stack.lambda}/2015-03-31/event-source-mappings/`;

async function mappingsOf(queue: string): Promise<Mapping[]> {
  const queueArn = `arn:aws:sqs:eu-north-1:000000000000:things-test-${queue}`;
  const listing = await fetch(`${mappings()}?FunctionName=things-test-worker&EventSourceArn=${queueArn}`);
  return ((await listing.json()) as { EventSourceMappings: Mapping[] }).EventSourceMappings;
}

/** @returns the mapping as it then is */
async function setEnabled(mapping: Mapping | undefined, Enabled: boolean): Promise<Mapping> {
  const answer = await fetch(mappings() + mapping?.UUID, {
    method: "PUT",
    body: JSON.stringify({ Enabled }),
  });
  return (await answer.json()) as Mapping;
}

test.concurrent("messages are handed over in batches, with what SQS says of them", async ({ expect }) => {
  for (let request = 0; request < 3; request += 1) {
    await send(
      "Many",
      Array.from({ length: 10 }, (_, message) => `many ${request} ${message}`),
    );
  }
  const [mapping] = await mappingsOf("Many");
  await setEnabled(mapping, true);
  const many = (): Handled[][] => batches().filter(([first]) => first?.body.startsWith("many"));
  await expect.poll(() => many().flat().length).toBe(30);
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

test.concurrent("a message's own attributes are handed over, bytes in Base64", async ({ expect }) => {
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
  await expect.poll(attributes).toEqual([
    {
      Of: { dataType: "String", stringValue: "anna", stringListValues: [], binaryListValues: [] },
      Key: { dataType: "Binary", binaryValue: "YWI=", stringListValues: [], binaryListValues: [] },
    },
  ]);
});

test.concurrent("what the answer says has failed comes back, and the rest does not", async ({ expect }) => {
  await send("Some", ["well", "fail once"]);
  const receives = (): number[] => handled("fail once").map((message) => message.receives);
  await expect.poll(receives).toEqual([1]);
  await bringBack("Some", handled("fail once")[0]?.receiptHandle);
  await expect.poll(receives).toEqual([1, 2]);
  // What would come back one day is still counted.
  await expect.poll(() => counts("Some")).toEqual([0, 0]);
  expect(handled("well")).toHaveLength(1);
});

test.concurrent.for([
  ["fail always", "Failing"],
  ["throw", "Throwing"],
  ["die", "Dying"],
] as const)(
  "after its last receive a message that makes the function %s is dead",
  async ([body, name], { expect }) => {
    await send(name, [body]);
    await expect.poll(() => handled(body).length).toBe(2);
    const [dead] = await receive(`${name}Dead`, longPollSeconds);
    expect(dead).toMatchObject({ Body: body, Attributes: { MessageGroupId: "anna" } });
  },
);

test.concurrent("a message is invisible for as long as it is said to be", async ({ expect }) => {
  const QueueUrl = stack.resource("Patient");
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "much later", DelaySeconds: 900 }));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "later", DelaySeconds: 1 }));
  const [message] = await receive("Patient", longPollSeconds);
  expect(message?.Body).toBe("later");
  expect(await receive("Patient", 0)).toEqual([]);
  await bringBack("Patient", message?.ReceiptHandle);
  const [again] = await receive("Patient", longPollSeconds);
  expect(again).toMatchObject({ Body: "later", Attributes: { ApproximateReceiveCount: "2" } });
});

test.concurrent("an operator holds and releases delivery", async ({ expect }) => {
  const listed = await mappingsOf("Held");
  expect(listed).toMatchObject([{ State: "Enabled", BatchSize: 10 }]);
  const [mapping] = listed;
  expect(await setEnabled(mapping, false)).toMatchObject({ State: "Disabled" });
  await send("Held", ["held"]);
  // What was on its way to the function has gone back, for whoever asks.
  const [held] = await receive("Held", longPollSeconds);
  expect(held?.Body).toBe("held");
  expect(handled("held")).toEqual([]);
  expect(await setEnabled(mapping, true)).toMatchObject({ State: "Enabled" });
  await bringBack("Held", held?.ReceiptHandle);
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
