import { randomBytes } from "node:crypto";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { type OutgoingCard, postpone, QueueBusy, sendCards } from "../../../core/delivery/queue.ts";
import { contentOf } from "../../../core/store/card-content.ts";

interface Entry {
  readonly Id: string;
  readonly MessageBody?: string;
  readonly MessageGroupId?: string;
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

const cards = (count: number, bytes = 0): OutgoingCard[] =>
  Array.from({ length: count }, (_, n) => ({
    message: {
      apiSet: "green" as ApiSet,
      externalId: String(n),
      revision: "first",
      acceptedAt: 0,
      content: contentOf({ Comment: randomBytes(bytes).toString("latin1") }),
    },
    delaySeconds: 0,
  }));
const externalIds = (entries: readonly Entry[]) =>
  entries.map(({ MessageBody }) => (JSON.parse(MessageBody ?? "") as { externalId: string }).externalId);

test("cards go ten a request, each with its vendor as message group", async () => {
  const { client, taken, batches } = queue(() => false);
  await sendCards(client, "url", cards(25));
  expect(batches.map(({ length }) => length).sort()).toEqual([10, 10, 5]);
  expect(new Set(taken.map(({ MessageGroupId }) => MessageGroupId))).toEqual(new Set(["green"]));
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
