import type { ApiSet } from "../../../core/account/api-set.ts";
import { correctionTimes } from "../../../core/delivery/correction-times.ts";
import { createDelivery, type DeliverySettings } from "../../../core/delivery/deliver.ts";
import { postpone, sendCards, sendToDeadLetters } from "../../../core/delivery/queue.ts";
import type { ReceivedMessage } from "../../../core/delivery/sort-messages.ts";
import { ProblemError } from "../../../core/problem/problem.ts";
import { recordedDeliveries } from "../../../core/store/parcel-items.ts";
import type { DeliveryRecord } from "../../../core/store/scorecard-table.ts";
import { scorecardTable } from "../../../core/store/scorecards.ts";
import { createSubmission } from "../../../core/submission/submit.ts";
import { createWithdrawal } from "../../../core/submission/withdraw.ts";
import { type CardStatus, cardStatus } from "../../../core/tracking/card-status.ts";
import { CredentialsUnavailable } from "../../../core/union/account.ts";
import type { SeededRandom } from "../../../stand-in/seeded-random.ts";
import { type EngineFaults, type Environment, environment, requester } from "./environment.ts";
import {
  type ExchangeFaults,
  type Refusal,
  simulatedExchange,
  type TakenCard,
} from "./simulated-exchange.ts";
import { type QueueFaults, simulatedQueue } from "./simulated-queue.ts";
import { simulatedTable } from "./simulated-table.ts";
import type { VirtualTime } from "./virtual-time.ts";

const correctionDelaySeconds = 30;
const settings: Omit<DeliverySettings, "giveUpMilliseconds"> = {
  postSize: 50,
  parallelPosts: 4,
  postTimeoutMilliseconds: 10_000,
  backoffCapSeconds: 300,
  correction: correctionTimes(correctionDelaySeconds),
};
const submissionMilliseconds = 29_000;
const deliveryMilliseconds = 30_000;
const deliveriesAtOnce = 3;

/** What goes wrong; may be changed while it does. */
export interface Faults {
  readonly engines: EngineFaults & QueueFaults;
  readonly exchange: ExchangeFaults;
  /** How often a vendor's credentials cannot be had, and environments that are idle are given up, each from 0 to 1. */
  readonly environments: { withoutCredentials: number; givenUp: number };
}

/** What was recorded of a card's delivery, and when it could be read, in milliseconds since 1970. */
export interface RecordedDelivery extends Pick<DeliveryRecord, "externalId" | "revision" | "state"> {
  readonly at: number;
}

/** The pipeline as vendors see it, and what went on behind that. */
export interface SimulatedPipeline {
  /** @returns the cards as they were answered with 201; undefined where there was no such answer */
  submit(apiSet: ApiSet, cards: readonly object[]): Promise<readonly string[] | undefined>;
  /** @returns the status of the answer */
  withdraw(apiSet: ApiSet, externalId: string): Promise<number>;
  statusesOf(apiSet: ApiSet, externalIds: readonly string[]): Promise<readonly CardStatus[]>;
  readonly taken: readonly TakenCard[];
  readonly recorded: readonly RecordedDelivery[];
  /** Whether every message has been dealt with. */
  isIdle(): boolean;
  /** Environments that died at work. */
  kills(): number;
}

/** What is asked of a simulated pipeline. */
export interface SimulationOptions {
  readonly faults: Faults;
  readonly giveUpMilliseconds: number;
  readonly refusal: Refusal;
}

/** Submitting, withdrawing and delivering as the functions do it, with engines, a union and a clock that are simulated. */
export function simulatedPipeline(
  time: VirtualTime,
  random: SeededRandom,
  { faults, giveUpMilliseconds, refusal }: SimulationOptions,
): SimulatedPipeline {
  const { postTimeoutMilliseconds } = settings;
  const recorded: RecordedDelivery[] = [];
  let kills = 0;
  let running = 0;
  const now = () => new Date(time.now());
  const request = requester(time, random, faults.engines);
  const queue = simulatedQueue(request, time, random, faults.engines);
  const deadLetters = simulatedQueue(request, time, random, faults.engines);
  const exchange = simulatedExchange(time, random, faults.exchange, postTimeoutMilliseconds, refusal);
  const table = simulatedTable(request, random, faults.engines, (item) => {
    if (item.item?.S !== "delivery" && item.item?.S !== "parcel") return;
    for (const { externalId, revision, state } of recordedDeliveries(item)) {
      recorded.push({ externalId, revision, state, at: time.now() });
    }
  });
  const cardsOf = (from: Environment) => scorecardTable("cards", table(from));

  /** Has an environment work for as long as it may; undefined where it dies over it. */
  async function worked<T>(
    from: Environment,
    milliseconds: number,
    work: Promise<T>,
  ): Promise<T | undefined> {
    let isOver = false;
    time.after(milliseconds, () => {
      if (!isOver) from.kill();
    });
    const result = await Promise.race([work, from.killed]);
    isOver = true;
    if (!from.isAlive()) kills++;
    return result;
  }

  /** What a function answers to a vendor, in an environment of its own; undefined where it dies over it. */
  function answered<T>(work: (from: Environment) => Promise<T>): Promise<T | undefined> {
    const from = environment();
    return worked(from, submissionMilliseconds, work(from));
  }

  function newDelivery() {
    const from = environment();
    const client = queue.client(from);
    const deliver = createDelivery({
      settings: { ...settings, giveUpMilliseconds },
      cards: cardsOf(from),
      account: async (apiSet) => {
        await time.sleep(random.whole(1, 20));
        if (random.chance(faults.environments.withoutCredentials)) throw new CredentialsUnavailable();
        return { username: apiSet, password: "", unionApiSet: apiSet, token: "" };
      },
      forgetAccount: () => undefined,
      post: exchange.post(from),
      postpone: (postponements) => postpone(client, "queue", postponements),
      sendToDeadLetters: (bodies) => sendToDeadLetters(deadLetters.client(from), "dead letters", bodies),
      now,
      random: random.fraction,
      log: () => undefined,
    });
    return { from, deliver };
  }

  let idle: ReturnType<typeof newDelivery>[] = [];
  async function deliverBatch(messages: readonly ReceivedMessage[]): Promise<void> {
    idle = idle.filter(({ from }) => from.isAlive() && !random.chance(faults.environments.givenUp));
    const delivery = idle.pop() ?? newDelivery();
    const endsAt = time.now() + deliveryMilliseconds;
    const run = delivery.deliver(messages, () => endsAt - time.now());
    const kept = await worked(delivery.from, deliveryMilliseconds, run);
    if (kept === undefined) return;
    idle.push(delivery);
    await time.sleep(random.whole(1, 50));
    for (const message of messages) if (!kept.includes(message.messageId)) queue.remove(message);
  }

  /** The event source. */
  function poll(): void {
    const messages = running < deliveriesAtOnce ? queue.receive(random.whole(1, 12)) : [];
    if (messages.length > 0) {
      running++;
      void deliverBatch(messages).finally(() => running--);
    }
    time.after(random.whole(50, 400), poll);
  }
  poll();

  return {
    taken: exchange.taken,
    recorded,
    isIdle: () => queue.isEmpty() && running === 0,
    kills: () => kills,
    async submit(apiSet, cards) {
      const answers = await answered(async (from) => {
        const submit = createSubmission({
          cards: cardsOf(from),
          send: (outgoing) => sendCards(queue.client(from), "queue", outgoing),
          courses: { find: async () => new Map() },
          now,
          timeZone: "Europe/Copenhagen",
          correctionDelaySeconds,
        });
        return submit(apiSet, cards, "strict", `request ${random.fraction()}`).catch((error: unknown) => {
          if (statusOf(error) === 503) return undefined;
          throw error;
        });
      });
      return answers?.map((answer) => (answer.good ? answer.card : ""));
    },
    async withdraw(apiSet, externalId) {
      const status = await answered(async (from) => {
        const withdraw = createWithdrawal({
          cards: cardsOf(from),
          now,
          wait: time.sleep,
          correctionDelaySeconds,
        });
        return withdraw(apiSet, externalId).then(() => 204, statusOf);
      });
      return status ?? 504;
    },
    async statusesOf(apiSet, externalIds) {
      for (;;) {
        const histories = await answered((from) =>
          cardsOf(from)
            .read(apiSet, externalIds)
            .catch(() => undefined),
        );
        if (histories !== undefined) return externalIds.map((id) => cardStatus(id, histories.get(id)));
      }
    },
  };
}

/** The status of the answer that an error becomes. */
function statusOf(error: unknown): number {
  if (error instanceof ProblemError) return error.problem.status;
  throw error;
}
