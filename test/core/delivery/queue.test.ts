import { randomBytes } from "node:crypto";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { readMessage } from "../../../core/delivery/message.ts";
import type { OutgoingCard } from "../../../core/delivery/outgoing-messages.ts";
import { postpone, QueueBusy, sendCards } from "../../../core/delivery/queue.ts";

interface Entry {
  readonly Id: string;
  readonly MessageBody?: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
  readonly VisibilityTimeout?: number;
}

/** A queue that refuses entries of a batch by a rule; it keeps what it took, and how large the batches were. */
function queue(refuses: (entry: Entry, attempt: number) => boolean) {
  const taken: Entry[] = [];
  const batches: Entry[][] = [];
  const attempts = new Map<string, number>();
  const client = {
    async send({ input }: { input: { Entries: Entry[] } }) {
      batches.push(input.Entries);
      const failed = input.Entries.filter((entry) => {
        const name = entry.MessageBody ?? entry.Id;
        const attempt = (attempts.get(name) ?? 0) + 1;
        attempts.set(name, attempt);
        return refuses(entry, attempt);
      });
      taken.push(...input.Entries.filter((entry) => !failed.includes(entry)));
      return { Failed: failed.map(({ Id }) => ({ Id })) };
    },
  };
  return { client: client as unknown as SQSClient, taken, batches };
}

/** Cards that share no message, each being of a submission of its own. */
const cards = (count: number, bytes = 0): OutgoingCard[] =>
  Array.from({ length: count }, (_, n) => ({
    queued: {
      apiSet: "green" as ApiSet,
      externalId: String(n),
      revision: "first",
      acceptedAt: n,
      card: JSON.stringify({ Comment: randomBytes(bytes).toString("latin1") }),
    },
    delaySeconds: 0,
  }));
const externalIds = (entries: readonly Entry[]) =>
  entries.flatMap(({ MessageBody = "" }) =>
    (readMessage(MessageBody) ?? []).map(({ externalId }) => externalId),
  );

test("messages go ten a request, each with its vendor as message group", async () => {
  const { client, taken, batches } = queue(() => false);
  await sendCards(client, "url", cards(25));
  expect(batches.map(({ length }) => length).sort()).toEqual([10, 10, 5]);
  expect(new Set(taken.map(({ MessageGroupId }) => MessageGroupId))).toEqual(new Set(["green"]));
});

test("a hundred cards of one submission go in one request; those that wait go by themselves", async () => {
  const { client, taken, batches } = queue(() => false);
  const hundred = cards(100).map(({ queued }, n) => ({
    queued: { ...queued, acceptedAt: 0 },
    delaySeconds: n === 99 ? 30 : 0,
  }));
  await sendCards(client, "url", hundred);
  expect(batches.map(({ length }) => length).sort()).toEqual([1, 10]);
  expect(externalIds(taken)).toEqual(hundred.map(({ queued }) => queued.externalId));
  expect(taken.map(({ DelaySeconds }) => DelaySeconds)).toEqual([...Array(10).fill(undefined), 30]);
});

test("large cards go in requests of a mebibyte at most", async () => {
  const { client, batches } = queue(() => false);
  await sendCards(client, "url", cards(12, 200 * 1024));
  const bytes = (batch: Entry[]) => batch.reduce((sum, { MessageBody = "" }) => sum + MessageBody.length, 0);
  for (const batch of batches) expect(bytes(batch)).toBeLessThanOrEqual(1024 * 1024);
  expect(batches.flat()).toHaveLength(12);
});

test("what the queue does not take of a batch is sent again, and nothing else", async () => {
  const { client, taken, batches } = queue((_, attempt) => attempt === 1);
  await sendCards(client, "url", cards(10));
  expect(batches.map(({ length }) => length)).toEqual([10, 10]);
  const half = queue(({ Id }, attempt) => attempt < 3 && Number(Id) % 2 === 0);
  await sendCards(half.client, "url", cards(10));
  expect(half.batches.map(({ length }) => length)).toEqual([10, 5, 5]);
  for (const all of [taken, half.taken]) expect(new Set(externalIds(all)).size).toBe(10);
  expect(half.taken).toHaveLength(10);
});

test("a card that the queue never takes fails them all, but not before the others have been sent", async () => {
  const { client, taken } = queue(({ Id }) => Id === "3");
  await expect(sendCards(client, "url", cards(40))).rejects.toThrow(QueueBusy);
  expect(taken).toHaveLength(39);
});

test("messages that cannot be postponed do not keep others from it", async () => {
  const { client, taken } = queue(({ Id }) => Id === "3");
  const all = Array.from({ length: 35 }, (_, n) => ({ receiptHandle: String(n), seconds: n }));
  await expect(postpone(client, "url", all)).rejects.toThrow(QueueBusy);
  expect(taken.map(({ VisibilityTimeout }) => VisibilityTimeout).sort((a = 0, b = 0) => a - b)).toEqual(
    all.map(({ seconds }) => seconds).filter((seconds) => seconds !== 3),
  );
});
