import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { ReceivedMessage } from "../../../core/delivery/sort-messages.ts";
import type { SeededRandom } from "../../../stand-in/seeded-random.ts";
import type { EngineFaults, Environment, Request } from "./environment.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A standard queue of SQS. */
export interface SimulatedQueue {
  /** The client of an environment. */
  client(from: Environment): SQSClient;
  /** Some of the messages that are in sight, in no order. */
  receive(most: number): ReceivedMessage[];
  remove(message: ReceivedMessage): void;
  isEmpty(): boolean;
}

/** One of the copies that the queue has of a message; it may forget that another was removed, or is in somebody's hands. */
interface Copy {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  receives: number;
  /** Milliseconds since 1970: in sight from then on. */
  visibleAt: number;
  receiptHandle: string;
}

/** How a queue hands messages over. */
export interface QueueFaults {
  /** How often a message that is handed over is handed over once more, from 0 to 1. */
  twice: number;
}

const visibilityMilliseconds = 60_000;

/** A queue in which nothing waits. */
export function simulatedQueue(
  request: Request,
  time: VirtualTime,
  random: SeededRandom,
  faults: EngineFaults & QueueFaults,
): SimulatedQueue {
  const copies = new Set<Copy>();
  let messages = 0;

  /** Makes a request of entries of which some may fail. */
  function batch<Entry extends { readonly Id: string | undefined }>(
    from: Environment,
    entries: readonly Entry[],
    carryOut: (entry: Entry) => void,
  ) {
    const attempt = () => {
      const failed = random.chance(faults.leaveOut) ? entries.filter(() => random.chance(0.3)) : [];
      const taken = entries.filter((entry) => !failed.includes(entry));
      return { pieces: taken.map((entry) => () => carryOut(entry)), answer: () => ({ Failed: failed }) };
    };
    return request(from, attempt, undefined);
  }

  const send = (from: Environment, { input }: SendMessageBatchCommand) =>
    batch(from, input.Entries ?? [], ({ MessageBody: body = "", DelaySeconds: seconds = 0 }) => {
      const sentAt = time.now();
      const visibleAt = sentAt + seconds * 1000;
      copies.add({
        messageId: `message ${++messages}`,
        body,
        sentAt,
        receives: 0,
        visibleAt,
        receiptHandle: "",
      });
    });

  const postpone = (from: Environment, { input }: ChangeMessageVisibilityBatchCommand) =>
    batch(from, input.Entries ?? [], ({ ReceiptHandle, VisibilityTimeout: seconds = 0 }) => {
      const copy = copies.values().find(({ receiptHandle }) => receiptHandle === ReceiptHandle);
      if (copy !== undefined) copy.visibleAt = time.now() + seconds * 1000;
    });

  return {
    client(from) {
      const ask = (command: object) => {
        if (command instanceof SendMessageBatchCommand) return send(from, command);
        if (command instanceof ChangeMessageVisibilityBatchCommand) return postpone(from, command);
        throw new TypeError(`The simulated queue has no ${command.constructor.name}.`);
      };
      return { send: ask } as unknown as SQSClient;
    },
    receive(most) {
      const inSight = [...copies].filter(({ visibleAt }) => visibleAt <= time.now());
      return random
        .shuffled(inSight)
        .slice(0, most)
        .map((copy) => {
          copy.receives++;
          if (random.chance(faults.twice)) copies.add({ ...copy });
          copy.visibleAt = time.now() + visibilityMilliseconds;
          copy.receiptHandle = `receipt ${random.fraction()} of ${copy.messageId}`;
          const { messageId, receiptHandle, body, sentAt, receives } = copy;
          return { messageId, receiptHandle, body, sentAt, receives };
        });
    },
    remove(message) {
      const copy = copies.values().find(({ receiptHandle }) => receiptHandle === message.receiptHandle);
      if (copy !== undefined) copies.delete(copy);
    },
    isEmpty: () => copies.size === 0,
  };
}
