import { type Message, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readMessage } from "../../../core/cards/queue.ts";
import { settings } from "../../../lib/settings.ts";
import { assemblyOf } from "../../synthesized-stack.ts";
import { minimalCard } from "../good-card.ts";
import { type FaultyPipeline, startFaultyPipeline } from "./faulty-pipeline.ts";

const vendors = ["refused", "breaking", "outage", "slow", "quick", "counted", "grouped"];
/** What runs are counted by, with so much time for each post that no machine is too slow for it. */
const unhurried = {
  ...settings.test.delivery,
  postTimeoutSeconds: 17,
  timeoutSeconds: 120,
  visibilityTimeoutSeconds: 120,
};
let pipeline: FaultyPipeline;

beforeAll(async () => {
  const assembly = await assemblyOf({ ...settings.test, delivery: unhurried });
  pipeline = await startFaultyPipeline({ assembly, vendors, seed: 5 });
});
afterAll(async () => {
  await pipeline?.stop();
});
beforeEach(() => pipeline.setDelivery(false));

const vendor = (name: string) => pipeline.vendor(name);
const cards = (count: number) =>
  Array.from({ length: count }, (_, n) => minimalCard(pipeline.standIn, { ExternalID: `card-${n}` }));
const ids = (count: number) => Array.from({ length: count }, (_, n) => `card-${n}`);
const posts = () => pipeline.standIn.requests.scorecards;
const receivedBy = (name: string) => pipeline.standIn.received.filter(({ apiSet }) => apiSet === name);

const messageOf = ({ Body = "" }: Message) => readMessage(Body);
const cardsIn = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + (messageOf(message)?.cards.length ?? 0), 0);

/** Takes the messages with so many cards of these vendors; those that others have left in the queue come back there. */
async function take(count: number, ...names: readonly string[]): Promise<Message[]> {
  const taken: Message[] = [];
  while (cardsIn(taken) < count) {
    const request = new ReceiveMessageCommand({
      QueueUrl: `${pipeline.run.resource("DeliveryQueue")}`,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ["All"],
      MessageAttributeNames: ["All"],
    });
    const { Messages = [] } = await pipeline.queues.send(request);
    taken.push(...Messages.filter((message) => names.includes(messageOf(message)?.apiSet ?? "")));
  }
  return taken;
}

/** One run of the function with a batch of messages, up to fifty cards in each; resolves to the number of those that stay. */
async function deliverOnce(messages: readonly Message[]): Promise<number> {
  const Records = messages.map(({ MessageId, ReceiptHandle, Body, Attributes }) => ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes,
  }));
  const answer = (await pipeline.run.invoke("deliver-scorecards", { Records })) as {
    batchItemFailures: unknown[];
  };
  return answer.batchItemFailures.length;
}

test("a card of a submission of hundreds costs few requests to AWS", async () => {
  const count = 500;
  const polling = ["ReceiveMessage", "ChangeMessageVisibilityBatch", "DeleteMessageBatch"];
  // Reading the stream is free, and counting is shared by all cards of a second.
  const following = [
    "DescribeStream",
    "GetShardIterator",
    "GetRecords",
    "UpdateItem",
    "BatchWriteItem",
    "Query",
  ];
  const total = (leftOut: readonly string[] = []) =>
    [...pipeline.dynamodb.counts, ...pipeline.sqs.counts].reduce(
      (sum, [operation, times]) => sum + ([...leftOut, ...following].includes(operation) ? 0 : times),
      0,
    );
  // What the event source still asks while it is being held is no part of a submission.
  const beforeSubmission = total(polling);
  expect((await vendor("counted").submit(cards(count))).status).toBe(201);
  const submitted = (total(polling) - beforeSubmission) / count;
  const deletions = () => pipeline.sqs.counts.get("DeleteMessageBatch") ?? 0;
  const [beforeDelivery, deletionsBefore] = [total(), deletions()];
  await pipeline.setDelivery(true);
  await expect.poll(() => receivedBy("counted").length).toBe(count);
  await expect.poll(() => deletions() - deletionsBefore).toBeGreaterThanOrEqual(1);
  const delivered = (total() - beforeDelivery) / count;
  expect(submitted).toBeLessThanOrEqual(0.08);
  expect(delivered).toBeLessThanOrEqual(0.15);
});

describe("in one run", () => {
  test.each([
    ["refused", 422],
    ["breaking", 500],
  ] as const)(
    "a poison card among 100, %s with %i, is found in at most 2 log2(100) + 4 posts, and the other 99 are delivered",
    async (name, status) => {
      pipeline.standIn.faultsOfVendor(name).poison["card-37"] = status;
      expect((await vendor(name).submit(cards(100))).status).toBe(201);
      const messages = await take(100, name);
      const before = posts();
      expect(await deliverOnce(messages)).toBe(0);
      expect(posts() - before).toBeLessThanOrEqual(2 * Math.log2(100) + 4);
      const states = Map.groupBy(await vendor(name).states(ids(100)), (one) => one);
      expect([states.get("delivered")?.length, states.get("retrying")?.length]).toEqual([99, 1]);
    },
  );

  test("an outage costs a vendor at most four posts of a run", async () => {
    pipeline.standIn.faultsOfVendor("outage").failShare = 1;
    expect((await vendor("outage").submit(cards(100))).status).toBe(201);
    const messages = await take(100, "outage");
    const before = posts();
    expect(await deliverOnce(messages)).toBe(0);
    expect(posts() - before).toBeLessThanOrEqual(4);
  });

  test("a vendor whose posts take too long does not delay another's", async () => {
    Object.assign(pipeline.standIn.faultsOfVendor("slow"), { lateShare: 1, lateMilliseconds: 3_600_000 });
    expect((await vendor("slow").submit(cards(50))).status).toBe(201);
    const slow = await take(50, "slow");
    expect((await vendor("quick").submit(cards(50))).status).toBe(201);
    const run = deliverOnce([...slow, ...(await take(50, "quick"))]);
    const states = async (name: string) => new Set(await vendor(name).states(ids(50)));
    await expect
      .poll(async () => ({ slow: await states("slow"), quick: await states("quick") }))
      .toEqual({ slow: new Set(["queued"]), quick: new Set(["delivered"]) });

    // Nobody waits for the end of the hour.
    await pipeline.standIn.refuseConnections();
    expect(await run).toBe(0);
    await pipeline.standIn.acceptConnections();
    expect(await states("slow")).toEqual(new Set(["retrying"]));
  });
});

test("every message carries its vendor's API set as message group", async () => {
  expect((await vendor("grouped").submit(cards(30))).status).toBe(201);
  const messages = await take(30, "grouped");
  expect(new Set(messages.map(({ Attributes }) => Attributes?.MessageGroupId))).toEqual(new Set(["grouped"]));
});
