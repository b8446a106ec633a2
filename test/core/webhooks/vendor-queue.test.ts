import type { SendMessageBatchCommand, SQSClient, SQSClientConfig } from "@aws-sdk/client-sqs";
import type { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { beforeEach, expect, test } from "vitest";
import type { QueueEndpoint } from "../../../core/webhooks/endpoint.ts";
import { createQueueSender, isRoleOpen, type QueuedEvent } from "../../../core/webhooks/vendor-queue.ts";
import { green, red } from "../memory/stored-card.ts";

type Request = SendMessageBatchCommand["input"];
type Entry = NonNullable<Request["Entries"]>[number];

const named = (name: string) => Object.assign(new Error("arn:aws:iam::999999999999:role/ours"), { name });
const now = new Date(Date.UTC(2026, 6, 4, 12));
const fifo = "https://sqs.eu-west-1.amazonaws.com/123456789012/events.fifo";
const roleArn = "arn:aws:iam::123456789012:role/scorecard-events";
const endpoint = (given: Partial<QueueEndpoint> = {}): QueueEndpoint => ({
  ...{ apiSet: green, id: "queue", version: 1, url: fifo, roleArn, types: [], createdAt: 0 },
  secrets: [{ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }],
  ...given,
});

let assumed: AssumeRoleCommand["input"][];
let configs: SQSClientConfig[];
let requests: Request[];
/** What the queue says to an entry; nothing to take it. */
let refuses: (entry: Entry, request: number) => { Code: string; SenderFault: boolean } | undefined;
let fails: Error | undefined;
let assumeFails: Error | undefined;
/** Whether the role lets everybody in, whatever the external ID. */
let isOpen: boolean;
let probed: AssumeRoleCommand["input"][];
/** The bodies that the queue has, in order. */
let taken: string[];

beforeEach(() => {
  assumed = [];
  configs = [];
  requests = [];
  taken = [];
  refuses = () => undefined;
  fails = undefined;
  assumeFails = undefined;
  isOpen = false;
  probed = [];
});

const sts = {
  async send({ input }: AssumeRoleCommand) {
    if (input.RoleSessionName === "scorecard-probe") {
      probed.push(input);
      if (!isOpen) throw assumeFails ?? named("AccessDenied");
    } else assumed.push(input);
    if (assumeFails !== undefined) throw assumeFails;
    return { Credentials: { AccessKeyId: "a", SecretAccessKey: "s", SessionToken: "t" } };
  },
} as unknown as STSClient;

function sqs(config: SQSClientConfig): SQSClient {
  configs.push(config);
  return {
    async send({ input }: SendMessageBatchCommand) {
      await (config.credentials as () => Promise<unknown>)();
      if (fails !== undefined) throw fails;
      requests.push(input);
      const Failed = (input.Entries ?? []).flatMap((entry) => {
        const refusal = refuses(entry, requests.length);
        if (refusal === undefined) taken.push(entry.MessageBody ?? "");
        return refusal === undefined ? [] : [{ Id: entry.Id, ...refusal }];
      });
      return { Failed };
    },
    destroy: () => undefined,
  } as unknown as SQSClient;
}

const sender = () =>
  createQueueSender({
    ...{ sts, sqs, now: () => now, timeoutMilliseconds: 5_000 },
    externalId: (apiSet) => `stage:${apiSet}`,
  });

const eventOf = (card: string, version = 1): QueuedEvent => ({
  eventId: `evt_${card}_${version}`,
  body: JSON.stringify({
    type: "scorecard.delivered",
    data: { apiSet: green, cards: [{ externalId: card, version }] },
  }),
});
const many = (count: number) => Array.from({ length: count }, (_, place) => eventOf(`card-${place}`));

test("events go to a queue ten a request, with the vendor's role and external ID, and no more rights than to send there", async () => {
  const send = sender();
  expect(await send(endpoint(), many(25))).toEqual({ sent: 25 });
  expect(requests.map(({ Entries }) => Entries?.length)).toEqual([10, 10, 5]);
  expect(assumed[0]).toMatchObject({ RoleArn: roleArn, ExternalId: `stage:${green}` });
  const { Statement } = JSON.parse(assumed[0]?.Policy ?? "");
  expect(Statement[0]).toEqual({
    Effect: "Allow",
    Action: "sqs:SendMessage",
    Resource: "arn:aws:sqs:eu-west-1:123456789012:events.fifo",
  });
  expect(configs).toMatchObject([{ region: "eu-west-1", useQueueUrlAsEndpoint: false }]);
  await send(endpoint({ apiSet: red }), many(1));
  expect(assumed.at(-1)).toMatchObject({ ExternalId: `stage:${red}` });
});

test("a role that lets us in with an external ID of nobody gets no event, and learns why", async () => {
  isOpen = true;
  const { sent, message } = await sender()(endpoint(), many(2));
  expect([sent, message]).toEqual([0, expect.stringMatching(/^Your role does not ask for the external ID/)]);
  expect(requests).toEqual([]);
  expect(assumed).toEqual([]);
  // Otherwise our own policy would refuse the probe, and every role would seem to be closed.
  expect(probed[0]?.ExternalId).toMatch(/^stage:probe:[\w-]{36}$/);
  expect(JSON.parse(probed[0]?.Policy ?? "").Statement).toEqual([
    { Effect: "Deny", Action: "*", Resource: "*" },
  ]);
});

test("a role counts as closed only if STS denies access: any other error says nothing of it", async () => {
  const options = { sts, externalId: () => "of nobody" };
  expect(await isRoleOpen(options, roleArn)).toBe(false);
  assumeFails = named("Throttling");
  await expect(isRoleOpen(options, roleArn)).rejects.toThrow(assumeFails);
});

test("a message has the event's body, the headers of a webhook and the vendor's own as attributes", async () => {
  await sender()(endpoint({ headers: { stage: "test" } }), [eventOf("one")]);
  const [entry] = requests[0]?.Entries ?? [];
  expect(entry).toMatchObject({
    MessageBody: eventOf("one").body,
    MessageGroupId: "one",
    MessageDeduplicationId: "evt_one_1",
    MessageAttributes: {
      stage: { DataType: "String", StringValue: "test" },
      "webhook-id": { StringValue: "evt_one_1" },
      "webhook-signature": { StringValue: expect.stringMatching(/^v1,/) },
    },
  });
});

test("a standard queue's messages have no group, and an event that was asked for again is no repeat to a FIFO queue", async () => {
  await sender()(endpoint({ url: fifo.replace(".fifo", "") }), [eventOf("one")]);
  expect(requests[0]?.Entries?.[0]).not.toHaveProperty("MessageGroupId");
  await sender()(endpoint(), [{ ...eventOf("one"), requestId: "request-7" }]);
  expect(requests[1]?.Entries?.[0]).toMatchObject({ MessageDeduplicationId: "evt_one_1-request-7" });
});

test.each([
  ["a card", { type: "scorecard.rejected", data: { cards: [{ externalId: "r/1" }] } }, "r/1"],
  ["a card with a space", { type: "x.y", data: { cards: [{ externalId: "r 1" }] } }, /^[\w-]{43}$/],
  [
    "a card with a long name",
    { type: "x.y", data: { cards: [{ externalId: "r".repeat(129) }] } },
    /^[\w-]{43}$/,
  ],
  ["a pause", { type: "delivery.paused", data: {} }, "delivery"],
  ["the end of a pause", { type: "delivery.resumed", data: {} }, "delivery"],
])("the group of %s in a FIFO queue is what must stay in order", async (_, body, group) => {
  await sender()(endpoint(), [{ eventId: "evt", body: JSON.stringify(body) }]);
  expect(requests[0]?.Entries?.[0]?.MessageGroupId).toMatch(group);
});

test("no request to a FIFO queue has two events of a card, so that none overtakes one that was refused", async () => {
  const events = [eventOf("one"), eventOf("two"), eventOf("one", 2), eventOf("three")];
  refuses = ({ MessageDeduplicationId }, request) =>
    MessageDeduplicationId === "evt_one_1" && request === 1
      ? { Code: "InternalError", SenderFault: false }
      : undefined;
  expect(await sender()(endpoint(), events)).toEqual({ sent: 4 });
  const ofOne = taken.filter((body) => body.includes('"one"'));
  expect(ofOne).toEqual([eventOf("one").body, eventOf("one", 2).body]);
});

test("what SQS keeps refusing ends it there: what came before is sent, and nothing of later requests", async () => {
  refuses = ({ MessageDeduplicationId }) =>
    MessageDeduplicationId === "evt_card-13_1" ? { Code: "InternalError", SenderFault: false } : undefined;
  const result = await sender()(endpoint(), many(25));
  expect(result).toEqual({ sent: 13, message: "The queue did not take the event (InternalError)." });
  expect(taken).not.toContain(eventOf("card-20").body);
});

test("what is the vendor's fault is not tried three times", async () => {
  refuses = () => ({ Code: "KmsAccessDenied", SenderFault: true });
  expect((await sender()(endpoint(), many(2))).message).toMatch(/key cannot be used/);
  expect(requests).toHaveLength(1);
});

test.each([
  ["QueueDoesNotExist", /^The queue does not exist \(QueueDoesNotExist\)/],
  ["AccessDenied", /^The role may not send to the queue .*sqs:SendMessage/],
  ["KmsThrottled", /key cannot be used .*kms:GenerateDataKey/],
  ["Odd name\n", /^The queue did not take the event\.$/],
])("an error %s of SQS tells the vendor what to do, without names of our account", async (name, said) => {
  fails = named(name);
  const { sent, message } = await sender()(endpoint(), many(2));
  expect([sent, message]).toEqual([0, expect.stringMatching(said)]);
  expect(message).not.toContain("999999999999");
});

test.each([
  ["AccessDenied", /^The role cannot be assumed \(AccessDenied\)\. Its trust policy/],
  ["ThrottlingException", /^The role cannot be assumed \(ThrottlingException\)\.$/],
])("an error %s of STS is told of the role", async (name, said) => {
  assumeFails = named(name);
  expect(await sender()(endpoint(), many(2))).toEqual({ sent: 0, message: expect.stringMatching(said) });
});

test("a queue that does not answer is given up after the time for all events, and keeps what it has", async () => {
  const slow: typeof sqs = (config) => {
    const client = sqs(config);
    return {
      ...client,
      send: async (command: SendMessageBatchCommand, { abortSignal }: { abortSignal: AbortSignal }) => {
        if (requests.length === 1) {
          await new Promise((_, reject) => {
            abortSignal.addEventListener("abort", () => reject(named("AbortError")));
          });
        }
        return await client.send(command);
      },
    } as unknown as SQSClient;
  };
  const send = createQueueSender({
    ...{ sts, sqs: slow, now: () => now, timeoutMilliseconds: 50, externalId: () => "x" },
  });
  expect(await send(endpoint(), many(20))).toEqual({
    sent: 10,
    message: "The queue took longer than 0.05 seconds.",
  });
});
