import { type Message, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { readMessage } from "../../../core/delivery/message.ts";
import { minimalCard } from "../good-card.ts";
import { type Vendor, vendorOf } from "../pipeline.ts";
import { type FaultyPipeline, startFaultyPipeline } from "./faulty-pipeline.ts";

const vendors = ["refused", "breaking", "outage", "slow", "quick", "counted", "grouped"];
let pipeline: FaultyPipeline;

beforeAll(async () => {
  pipeline = await startFaultyPipeline({ assembly: inject("assembly"), vendors, seed: 5 });
});
afterAll(() => pipeline?.stop());
beforeEach(() => pipeline.setDelivery(false));

const vendor = (name: string): Vendor => {
  const account = pipeline.accounts.find(({ apiSet }) => apiSet === name);
  if (account === undefined) throw new Error(`There is no vendor ${name}.`);
  return vendorOf(pipeline.run.api, account);
};
const cards = (count: number) =>
  Array.from({ length: count }, (_, n) => minimalCard(pipeline.standIn, { ExternalID: `card-${n}` }));
const ids = (count: number) => Array.from({ length: count }, (_, n) => `card-${n}`);
const posts = () => pipeline.standIn.requests.scorecards;
const receivedBy = (name: string) => pipeline.standIn.received.filter(({ apiSet }) => apiSet === name);

const cardsOf = ({ Body = "" }: Message) => readMessage(Body) ?? [];

/** Takes the messages with so many cards of these vendors; those that others have left in the queue come back there. */
async function take(count: number, ...names: readonly string[]): Promise<Message[]> {
  const taken: Message[] = [];
  while (taken.flatMap(cardsOf).length < count) {
    const request = new ReceiveMessageCommand({
      QueueUrl: `${pipeline.run.resource("DeliveryQueue")}`,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ["All"],
      MessageAttributeNames: ["All"],
    });
    const { Messages = [] } = await pipeline.queues.send(request);
    taken.push(
      ...Messages.filter((message) => cardsOf(message).some(({ apiSet }) => names.includes(apiSet))),
    );
  }
  return taken;
}

/** One run of the function with a batch of messages, ten cards in each; resolves to the number of those that stay. */
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

// Again where posts have timed out, since a busy machine is not what is measured.
test("a card of a submission of hundreds costs few requests to AWS", { retry: 2 }, async () => {
  const count = 500;
  const round = crypto.randomUUID();
  const sent = Array.from({ length: count }, (_, n) =>
    minimalCard(pipeline.standIn, { ExternalID: `${round} ${n}` }),
  );
  const polling = ["ReceiveMessage", "ChangeMessageVisibilityBatch", "DeleteMessageBatch"];
  const total = (leftOut: readonly string[] = []) =>
    [...pipeline.dynamodb.counts, ...pipeline.sqs.counts].reduce(
      (sum, [operation, times]) => sum + (leftOut.includes(operation) ? 0 : times),
      0,
    );
  // What the event source still asks while it is being held is no part of a submission.
  const beforeSubmission = total(polling);
  expect((await vendor("counted").submit(sent)).status).toBe(201);
  const submitted = (total(polling) - beforeSubmission) / count;
  const before = receivedBy("counted").length;
  const deletions = () => pipeline.sqs.counts.get("DeleteMessageBatch") ?? 0;
  const [beforeDelivery, deletionsBefore] = [total(), deletions()];
  await pipeline.setDelivery(true);
  await expect
    .poll(() => receivedBy("counted").length - before, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(count);
  await expect
    .poll(() => deletions() - deletionsBefore, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(count / 100);
  const delivered = (total() - beforeDelivery) / count;
  expect(submitted).toBeLessThanOrEqual(0.08);
  expect(delivered).toBeLessThanOrEqual(0.15);
});

describe("in one run", () => {
  test.each([
    ["refused", 422, "rejected", 0],
    ["breaking", 500, "retrying", 1],
  ] as const)(
    "a poison card among 100, %s with %i, is found in at most 2 log2(100) + 2 posts, and the other 99 are delivered",
    async (name, status, state, kept) => {
      pipeline.standIn.faultsOfVendor(name).poison["card-37"] = status;
      expect((await vendor(name).submit(cards(100))).status).toBe(201);
      const messages = await take(100, name);
      const before = posts();
      expect(await deliverOnce(messages)).toBe(kept);
      expect(posts() - before).toBeLessThanOrEqual(2 * Math.log2(100) + 2);
      const states = Map.groupBy(await vendor(name).states(ids(100)), (one) => one);
      expect([states.get("delivered")?.length, states.get(state)?.length]).toEqual([99, 1]);
    },
  );

  test("an outage costs a vendor at most three posts", async () => {
    pipeline.standIn.faultsOfVendor("outage").failShare = 1;
    expect((await vendor("outage").submit(cards(100))).status).toBe(201);
    const messages = await take(100, "outage");
    const before = posts();
    expect(await deliverOnce(messages)).toBe(10);
    expect(posts() - before).toBeLessThanOrEqual(3);
  });

  test("a vendor whose posts take too long does not delay another's", async () => {
    Object.assign(pipeline.standIn.faultsOfVendor("slow"), { lateShare: 1, lateMilliseconds: 2000 });
    expect((await vendor("slow").submit(cards(50))).status).toBe(201);
    expect((await vendor("quick").submit(cards(50))).status).toBe(201);
    const messages = await take(100, "slow", "quick");
    const startedAt = Date.now();
    expect(await deliverOnce(messages)).toBe(5);
    const tookMilliseconds = Date.now() - startedAt;
    const timeoutMilliseconds = 1000;
    expect(tookMilliseconds).toBeGreaterThanOrEqual(timeoutMilliseconds);
    const [first] = receivedBy("quick");
    expect((first?.at.getTime() ?? Number.POSITIVE_INFINITY) - startedAt).toBeLessThan(timeoutMilliseconds);
    expect(await vendor("quick").states(ids(50))).toEqual(Array(50).fill("delivered"));
  });
});

test("every message carries its vendor's API set as message group", async () => {
  expect((await vendor("grouped").submit(cards(30))).status).toBe(201);
  const messages = await take(30, "grouped");
  expect(new Set(messages.map(({ Attributes }) => Attributes?.MessageGroupId))).toEqual(new Set(["grouped"]));
});
