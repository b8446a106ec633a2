import type { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test, vi } from "vitest";
import { readMessage } from "../../../core/delivery/message.ts";
import { countMessages, QueueBatchError, sendMessages, sendWakeUps } from "../../../core/delivery/queue.ts";
import { green } from "../memory/stored-card.ts";
import { names, wakeUp } from "./delivery-world.ts";

// What is sent again is sent after a pause, for which nobody waits here.
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

const messages = (count: number) => names(count).map((body) => ({ apiSet: green, delaySeconds: 0, body }));
const bodies = (entries: readonly Entry[]) => entries.map(({ MessageBody }) => MessageBody).toSorted();

test("messages go ten a request, each with its vendor as message group", async () => {
  const { client, taken, batches } = queue(() => false);
  await sendMessages(client, "url", messages(25));
  expect(batches.map(({ length }) => length).toSorted()).toEqual([10, 10, 5]);
  expect(new Set(taken.map(({ MessageGroupId }) => MessageGroupId))).toEqual(new Set(["green"]));
  expect(bodies(taken)).toEqual(names(25).toSorted());
});

test("the wake-ups of five hundred cards go in one request; those that wait go by themselves", async () => {
  const { client, taken, batches } = queue(() => false);
  const all = names(501).map((name, n) => wakeUp(name, { delaySeconds: n === 500 ? 30 : 0 }));
  await sendWakeUps(client, "url", all);
  expect(batches.map(({ length }) => length).toSorted()).toEqual([1, 10]);
  expect(taken.map(({ DelaySeconds }) => DelaySeconds)).toEqual([...Array(10).fill(undefined), 30]);
  expect(
    taken.flatMap(({ MessageBody }) => readMessage(MessageBody)?.cards.map(({ externalId }) => externalId)),
  ).toEqual(names(501));
});

test("what the queue does not take of a batch is sent again, and nothing else", async () => {
  const { client, taken, batches } = queue(
    ({ MessageBody }, attempt) => attempt < 3 && /[02468]$/.test(MessageBody),
  );
  await sendMessages(client, "url", messages(10));
  expect(batches.map(({ length }) => length)).toEqual([10, 5, 5]);
  expect(bodies(taken)).toEqual(names(10));
});

test("a message that the queue never takes is an error, but not before the others have been sent", async () => {
  const { client, taken } = queue(({ MessageBody }) => MessageBody === "card-3");
  await expect(sendMessages(client, "url", messages(40))).rejects.toThrow(QueueBatchError);
  expect(taken).toHaveLength(39);
});

test("nothing to send is no request", async () => {
  const { client, batches } = queue(() => false);
  await sendWakeUps(client, "url", []);
  expect(batches).toEqual([]);
});

test("messages are counted that wait, that are delayed and that are being worked on", async () => {
  const client = {
    async send(command: GetQueueAttributesCommand) {
      const asked = command.input.AttributeNames ?? [];
      const Attributes = Object.fromEntries(asked.map((name, n) => [name, String(10 ** n)]));
      return { Attributes };
    },
  };
  expect(await countMessages(client as unknown as SQSClient, "url")).toBe(111);
});
