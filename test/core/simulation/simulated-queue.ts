import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { maxMessageDelay } from "../../../core/cards/delivery/timing.ts";
import type { EngineFaults, Environment, Request } from "./environment.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A message as the event source hands it over. */
export interface QueuedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  /** How often it has been received, this time included. */
  readonly receives: number;
}

/** A message that is in a queue. */
export interface StoredMessage {
  readonly body: string;
  /** When it came into this queue, in milliseconds since 1970. */
  readonly sentAt: number;
}

/** How likely each trouble with a message is, from 0 to 1. */
export interface QueueFaults {
  /** A message is handed over once more than it was sent. */
  duplicate: number;
  /** A message comes up to half a minute later than it should. */
  delay: number;
}

/** A standard queue of SQS. */
export interface SimulatedQueue {
  /** The client of an environment. */
  client(from: Environment): SQSClient;
  /** Some of the messages that are visible, in no order. */
  receive(most: number): QueuedMessage[];
  /** Settled when a message may have become visible. */
  arrival(): Promise<void>;
  remove(message: QueuedMessage): void;
  /** Puts a message into the queue, with a name to follow it by. */
  put(body: string): void;
  messages(): StoredMessage[];
  /** How many messages were put into it. */
  sent(): number;
  /** Removes all messages, those that are being worked on too. */
  purge(): void;
}

/** What a queue does with messages. */
export interface QueueSettings {
  readonly visibilitySeconds: number;
  readonly maxInFlight: number;
  /** Where messages go that have been received too often. */
  readonly redrive?: { readonly maxReceives: number; readonly to: SimulatedQueue };
}

/** One of the copies that the queue has of a message; it may forget that another was removed, or was received. */
interface Copy {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  receives: number;
  /** Milliseconds since 1970. */
  visibleAt: number;
  receiptHandle: string;
}

const maxDelay = 30_000;
/** SQS deletes a message that is older. */
const retention = 14 * 24 * 3_600_000;
const bytesLimit = 1_048_576;
let queues = 0;

/**
 * A queue in which nothing waits.
 *
 * @param mistake told of what SQS would refuse for good
 */
export function simulatedQueue(
  request: Request,
  time: VirtualTime,
  random: SeededRandom,
  faults: EngineFaults & QueueFaults,
  { visibilitySeconds, maxInFlight, redrive }: QueueSettings,
  mistake: (words: string) => void,
): SimulatedQueue {
  const name = `queue ${++queues}`;
  const copies = new Set<Copy>();
  const copied = new Map<string, number>();
  /** SQS seldom delivers a message twice. Copies of copies would have a card posted without end. */
  function isCopied(body: string): boolean {
    if (!random.chance(faults.duplicate)) return false;
    const ids = JSON.parse(body) as unknown;
    const name =
      JSON.stringify(ids)
        .match(/"externalId":"[^"]*"/g)
        ?.join() ?? body;
    copied.set(name, (copied.get(name) ?? 0) + 1);
    return (copied.get(name) ?? 0) <= 2;
  }
  let messages = 0;
  let receipts = 0;
  let next = Promise.withResolvers<void>();

  function show(copy: Copy, visibleAt: number): void {
    copy.visibleAt = visibleAt;
    time.after(visibleAt - time.now(), () => {
      if (copy.visibleAt !== visibleAt) return;
      next.resolve();
      next = Promise.withResolvers();
    });
  }

  function expire(): void {
    for (const copy of copies) if (copy.sentAt + retention <= time.now()) copies.delete(copy);
  }

  function put(body: string, delaySeconds = 0): void {
    const late = random.chance(faults.delay) ? random.whole(0, maxDelay) : 0;
    const messageId = `${name}, message ${++messages}`;
    const copy: Copy = { messageId, body, sentAt: time.now(), receives: 0, visibleAt: 0, receiptHandle: "" };
    copies.add(copy);
    show(copy, time.now() + delaySeconds * 1000 + late);
    if (isCopied(body)) {
      const other = { ...copy };
      copies.add(other);
      show(other, copy.visibleAt + random.whole(0, maxDelay));
    }
  }

  /** Simulates a batch request in which single entries can fail. */
  function batch<Entry extends { readonly Id: string | undefined }>(
    from: Environment,
    entries: readonly Entry[],
    carryOut: (entry: Entry) => void,
  ) {
    return request(from, () => {
      const failed = random.chance(faults.refusePart) ? entries.filter(() => random.chance(0.3)) : [];
      const taken = entries.filter((entry) => !failed.includes(entry));
      return { pieces: taken.map((entry) => () => carryOut(entry)), answer: () => ({ Failed: failed }) };
    });
  }

  function send(from: Environment, { input }: SendMessageBatchCommand) {
    const entries = input.Entries ?? [];
    for (const { DelaySeconds: seconds = 0 } of entries) {
      if (Number.isInteger(seconds) && seconds >= 0 && seconds * 1000 <= maxMessageDelay) continue;
      mistake(`a delay of ${seconds} seconds`);
    }
    const bytes = entries.reduce((sum, { MessageBody = "" }) => sum + Buffer.byteLength(MessageBody), 0);
    if (bytes > bytesLimit || entries.length > 10 || entries.length === 0)
      mistake("a batch that is too large");
    return batch(from, entries, ({ MessageBody = "", DelaySeconds }) => put(MessageBody, DelaySeconds));
  }

  function copyOf(receipt: string | undefined): Copy | undefined {
    return copies.values().find(({ receiptHandle }) => receiptHandle === receipt && receipt !== "");
  }

  function receive(most: number, seconds = visibilitySeconds): QueuedMessage[] {
    expire();
    const now = time.now();
    const visible: Copy[] = [];
    let inFlight = 0;
    for (const copy of copies) {
      if (copy.visibleAt <= now) visible.push(copy);
      else if (copy.receives > 0) inFlight++;
    }
    if (visible.length === 0) return [];
    return random
      .shuffled(visible)
      .slice(0, Math.min(most, Math.max(0, maxInFlight - inFlight)))
      .flatMap((copy): QueuedMessage[] => {
        if (redrive !== undefined && copy.receives >= redrive.maxReceives) {
          copies.delete(copy);
          redrive.to.put(copy.body);
          return [];
        }
        copy.receives++;
        if (isCopied(copy.body)) {
          const other = { ...copy };
          copies.add(other);
          show(other, now + random.whole(0, maxDelay));
        }
        show(copy, now + seconds * 1000);
        copy.receiptHandle = `receipt ${++receipts}`;
        const { messageId, receiptHandle, body, receives } = copy;
        return [{ messageId, receiptHandle, body, receives }];
      });
  }

  function receiveBy(from: Environment, { input }: ReceiveMessageCommand) {
    return request(from, () => {
      let Messages: object[] = [];
      const look = () => {
        Messages = receive(input.MaxNumberOfMessages ?? 1, input.VisibilityTimeout).map((message) => ({
          MessageId: message.messageId,
          ReceiptHandle: message.receiptHandle,
          Body: message.body,
          Attributes: { ApproximateReceiveCount: String(message.receives) },
        }));
      };
      return { pieces: [look], answer: () => ({ Messages }) };
    });
  }

  return {
    client(from) {
      const ask = (command: object) => {
        if (command instanceof SendMessageBatchCommand) return send(from, command);
        if (command instanceof ReceiveMessageCommand) return receiveBy(from, command);
        if (command instanceof DeleteMessageBatchCommand) {
          return batch(from, command.input.Entries ?? [], ({ ReceiptHandle }) => {
            const copy = copyOf(ReceiptHandle);
            if (copy !== undefined) copies.delete(copy);
          });
        }
        if (command instanceof ChangeMessageVisibilityBatchCommand) {
          return batch(from, command.input.Entries ?? [], ({ ReceiptHandle, VisibilityTimeout = 0 }) => {
            const copy = copyOf(ReceiptHandle);
            if (copy !== undefined) show(copy, time.now() + VisibilityTimeout * 1000);
          });
        }
        throw new TypeError(`The simulated queue has no ${command.constructor.name}.`);
      };
      return { send: ask } as unknown as SQSClient;
    },
    receive,
    arrival: () => next.promise,
    remove(message) {
      const copy = copyOf(message.receiptHandle);
      if (copy !== undefined) copies.delete(copy);
    },
    put,
    purge: () => copies.clear(),
    sent: () => messages,
    messages() {
      expire();
      return [...copies].map(({ body, sentAt }) => ({ body, sentAt }));
    },
  };
}
