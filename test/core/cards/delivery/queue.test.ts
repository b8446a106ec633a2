import type { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test, vi } from "vitest";
import { QueueBatchError } from "../../../../core/aws/send-messages.ts";
import { readMessage, readMessages, sendWakeUps } from "../../../../core/cards/delivery/queue.ts";
import { message, names, wakeUp } from "../delivery-world.ts";

// Retries do not wait here.
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined }));

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
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
        const attempt = (attempts.get(entry.MessageBody) ?? 0) + 1;
        attempts.set(entry.MessageBody, attempt);
        return refuses(entry, attempt);
      });
      taken.push(...input.Entries.filter((entry) => !failed.includes(entry)));
      return { Failed: failed.map(({ Id }) => ({ Id })) };
    },
  };
  return { client: client as unknown as SQSClient, taken, batches };
}

/** Wake-ups that cannot be merged, since each is due at another time. */
const separate = (count: number) => names(count).map((name, n) => wakeUp(name, { delaySeconds: n }));
const cardsIn = (entries: readonly Entry[]) =>
  entries.flatMap(({ MessageBody }) => readMessage(MessageBody)?.cards.map(({ externalId }) => externalId));

test("messages are sent ten a request, each with its vendor as message group", async () => {
  const { client, taken, batches } = queue(() => false);
  await sendWakeUps(client, "url", separate(25));
  expect(batches.map(({ length }) => length).toSorted()).toEqual([10, 10, 5]);
  expect(new Set(taken.map(({ MessageGroupId }) => MessageGroupId))).toEqual(new Set(["green"]));
  expect(cardsIn(taken).toSorted()).toEqual(names(25).toSorted());
});

test("the wake-ups of five hundred cards are sent in one request, and a delayed one in another message", async () => {
  const { client, taken, batches } = queue(() => false);
  const all = names(501).map((name, n) => wakeUp(name, { delaySeconds: n === 500 ? 30 : 0 }));
  await sendWakeUps(client, "url", all);
  expect(batches.map(({ length }) => length).toSorted()).toEqual([1, 10]);
  expect(taken.map(({ DelaySeconds }) => DelaySeconds)).toEqual([...Array(10).fill(undefined), 30]);
  expect(cardsIn(taken)).toEqual(names(501));
});

test("only the messages of a batch that SQS refused are sent again", async () => {
  const { client, taken, batches } = queue(
    ({ MessageBody }, attempt) => attempt < 3 && /card-[02468]"/.test(MessageBody),
  );
  await sendWakeUps(client, "url", separate(10));
  expect(batches.map(({ length }) => length)).toEqual([10, 5, 5]);
  expect(cardsIn(taken).toSorted()).toEqual(names(10));
});

test("a message that SQS keeps refusing is an error after all others have been sent", async () => {
  const { client, taken } = queue(({ MessageBody }) => MessageBody.includes('"card-3"'));
  await expect(sendWakeUps(client, "url", separate(40))).rejects.toThrow(QueueBatchError);
  expect(taken).toHaveLength(39);
});

test.each([1, 2])(
  "a version that two messages name is one wake-up of both, and is perhaps posted if run %i died",
  (dead) => {
    const both = [1, 2].map((number) => {
      const isDead = number === dead;
      const wakeUps = [wakeUp("1", { mark: isDead ? undefined : "stored" })];
      return message(wakeUps, { messageId: `message-${number}`, receives: isDead ? 2 : 1 });
    });
    expect([...readMessages(both).vendors.values()]).toMatchObject([
      {
        wakeUps: [{ externalId: "1", maybePosted: true, mark: "stored" }],
        messageIds: ["message-1", "message-2"],
      },
    ]);
  },
);

test("no request is made if there is nothing to send", async () => {
  const { client, batches } = queue(() => false);
  await sendWakeUps(client, "url", []);
  expect(batches).toEqual([]);
});
