import {
  CreateQueueCommand,
  type DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { startSqs } from "@scorecard-pipeline/local-aws/sqs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countMessages } from "../../../core/aws/count-messages.ts";
import { deleteMessages } from "../../../core/aws/delete-messages.ts";
import { receiveMessages } from "../../../core/aws/receive-messages.ts";
import { sendMessages } from "../../../core/aws/send-messages.ts";
import { createDraining } from "../../../core/cards/delivery/drain-queue.ts";
import type { ReceivedMessage } from "../../../core/cards/delivery/queue.ts";
import { names } from "../cards/delivery-world.ts";

const region = "eu-north-1";
const never = new AbortController().signal;
let engine: Awaited<ReturnType<typeof startSqs>>;
let client: SQSClient;

beforeAll(async () => {
  engine = await startSqs(region);
  client = new SQSClient({ endpoint: engine.address, region, credentials: localCredentials });
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
});

/** A queue with messages. */
async function queueOf(name: string, messages: number, attributes: Record<string, string> = {}) {
  const { QueueUrl = "" } = await client.send(
    new CreateQueueCommand({ QueueName: name, Attributes: attributes }),
  );
  const outgoing = names(messages).map((body) => ({ body, group: "vendor", delaySeconds: 0 }));
  await sendMessages(client, QueueUrl, outgoing);
  return QueueUrl;
}

test("messages are received with their bodies and how often that was", async () => {
  const queue = await queueOf("received", 12, { VisibilityTimeout: "0" });
  const all = await receiveMessages(client, queue, 10, never);
  expect(all).toHaveLength(10);
  expect(all.map(({ body }) => body).sort()).toEqual(names(12).slice(0, 10).sort());
  expect(all.every(({ messageId, receives }) => messageId !== "" && receives === 1)).toBe(true);
  const again = [
    ...(await receiveMessages(client, queue, 10, never)),
    ...(await receiveMessages(client, queue, 10, never)),
  ];
  expect(again.some(({ receives }) => receives > 1)).toBe(true);
});

test("an empty queue is not waited for, though its own receives are long polls", async () => {
  const queue = await queueOf("empty", 0, { ReceiveMessageWaitTimeSeconds: "20" });
  const asked = client.middlewareStack;
  const waits: unknown[] = [];
  asked.add(
    (next) => (args) => {
      waits.push((args.input as { WaitTimeSeconds?: number }).WaitTimeSeconds);
      return next(args);
    },
    { step: "initialize", name: "waits" },
  );
  expect(await receiveMessages(client, queue, 10, never)).toEqual([]);
  asked.remove("waits");
  expect(waits).toEqual([0]);
});

test("messages are deleted, ten a request", async () => {
  const queue = await queueOf("deleted", 23);
  const all = (
    await Promise.all(Array.from({ length: 3 }, () => receiveMessages(client, queue, 10, never)))
  ).flat();
  const handles = all.map(({ receiptHandle }) => receiptHandle);
  expect(handles).toHaveLength(23);
  expect(await deleteMessages(client, queue, handles)).toEqual([]);
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: queue,
      AttributeNames: ["ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessages"],
    }),
  );
  expect(Object.values(Attributes ?? {})).toEqual(["0", "0"]);
});

test("the handles are returned that SQS refuses to delete", async () => {
  // The engine deletes what does not exist, too.
  const refusing = {
    send: async ({ input: { Entries = [] } }: DeleteMessageBatchCommand) => {
      return { Failed: Entries.filter(({ ReceiptHandle }) => ReceiptHandle?.endsWith("3")) };
    },
  };
  expect(await deleteMessages(refusing as unknown as SQSClient, "queue", names(15))).toEqual([
    "card-3",
    "card-13",
  ]);
});

/** A run that is given a message, and receives the last of another one itself. */
async function lastReceive(name: string, failing: boolean) {
  const deadLetters = await queueOf(`${name}-dead`, 0);
  const redrive = {
    deadLetterTargetArn: `arn:aws:sqs:${region}:000000000000:${name}-dead`,
    maxReceiveCount: 1,
  };
  const queue = await queueOf(name, 1, { VisibilityTimeout: "1", RedrivePolicy: JSON.stringify(redrive) });
  const given: ReceivedMessage = { messageId: "given", body: "card", receives: 1 };
  const handled: string[] = [];
  const deliver = createDraining(
    async (messages) => {
      handled.push(...messages.map(({ body }) => body));
      return failing ? messages.map(({ messageId }) => messageId) : [];
    },
    {
      settings: { batchSize: 1, postSize: 50 },
      receive: (most, signal) => receiveMessages(client, queue, most, signal),
      remove: (receiptHandles) => deleteMessages(client, queue, receiptHandles),
      timeLimit: () => never,
      report: () => undefined,
    },
  );
  await deliver([given], () => 30_000);
  expect(handled).toEqual(["card", "card-0"]);
  const bodiesOf = async (QueueUrl: string) => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, WaitTimeSeconds: 0 }),
    );
    return Messages.map(({ Body }) => Body);
  };
  return { inQueue: () => bodiesOf(queue), inDeadLetters: () => bodiesOf(deadLetters) };
}

test("a message that a run receives itself for the last time is a dead letter if the run fails", async () => {
  const { inQueue, inDeadLetters } = await lastReceive("last-failing", true);
  await expect
    .poll(async () => {
      await inQueue();
      return inDeadLetters();
    })
    .toEqual(["card-0"]);
});

test("a message that a run receives itself for the last time is deleted if its cards are done with", async () => {
  const { inQueue, inDeadLetters } = await lastReceive("last-done", false);
  // If it were still there, another message that is received after it would find it in the other queue.
  const other = await lastReceive("last-beside", true);
  await expect
    .poll(async () => {
      await other.inQueue();
      return other.inDeadLetters();
    })
    .toEqual(["card-0"]);
  expect(await inQueue()).toEqual([]);
  expect(await inDeadLetters()).toEqual([]);
});

test("visible, delayed and in-flight messages are counted", async () => {
  const client = {
    async send(command: GetQueueAttributesCommand) {
      const asked = command.input.AttributeNames ?? [];
      const Attributes = Object.fromEntries(asked.map((name, n) => [name, String(10 ** n)]));
      return { Attributes };
    },
  };
  expect(await countMessages(client as unknown as SQSClient, "url")).toBe(111);
});
