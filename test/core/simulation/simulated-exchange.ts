import type { DeliveryParts } from "../../../core/delivery/deliver.ts";
import type { QueuedCard } from "../../../core/delivery/message.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import type { SeededRandom } from "../../../stand-in/seeded-random.ts";
import type { Environment } from "./environment.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A card as the exchange took it. */
export interface TakenCard {
  readonly externalId: string;
  readonly revision: string;
  /** JSON of the card. */
  readonly card: string;
  /** When the post began that brought it, in milliseconds since 1970. */
  readonly postedAt: number;
}

/** How likely which trouble is of a post, each from 0 to 1. */
export interface ExchangeFaults {
  /** 500, though some of the cards may have been taken. */
  fail: number;
  /** 429 with Retry-After. */
  throttle: number;
  /** No answer in time, or a connection that breaks, though some of the cards may have been taken. */
  cut: number;
  /** A card is taken but not echoed. */
  forget: number;
  /** The environment dies while it waits. */
  die: number;
  /** Nobody answers at all. */
  outage: boolean;
}

/** The union's exchange. */
export interface SimulatedExchange {
  /** In the order in which they were taken. */
  readonly taken: readonly TakenCard[];
  /** How an environment posts. */
  post(from: Environment): DeliveryParts["post"];
}

/** What the exchange answers to a card that it refuses. */
export type Refusal = (externalId: string) => number | undefined;

const answered = (status: number, echoed: readonly string[] = []) => ({
  stage: "after" as const,
  status,
  words: "",
  echoed: new Set(echoed),
});

/** An exchange that takes cards at some time while a post is under way, whether somebody still waits for its answer or not. */
export function simulatedExchange(
  time: VirtualTime,
  random: SeededRandom,
  faults: ExchangeFaults,
  timeoutMilliseconds: number,
  refusal: Refusal,
): SimulatedExchange {
  const taken: TakenCard[] = [];

  /** What comes of a post, and how many of its cards are taken. */
  function resultOf(cards: readonly QueuedCard[]): { readonly result: PostResult; readonly takes: number } {
    const some = random.whole(0, cards.length);
    if (faults.outage) return { result: { stage: "before", message: "" }, takes: 0 };
    const refused = cards.map(({ externalId }) => refusal(externalId)).find((status) => status !== undefined);
    if (refused !== undefined) return { result: answered(refused), takes: 0 };
    if (random.chance(faults.fail)) return { result: answered(500), takes: some };
    if (random.chance(faults.throttle)) {
      return { result: { ...answered(429), retryAfterSeconds: random.whole(1, 20) }, takes: 0 };
    }
    if (random.chance(faults.cut)) return { result: { stage: "during", message: "" }, takes: some };
    const echoed = cards.filter(() => !random.chance(faults.forget)).map(({ externalId }) => externalId);
    return { result: answered(201, echoed), takes: cards.length };
  }

  function durationOf({ stage }: PostResult): number {
    if (stage === "during" && random.chance(0.5)) return timeoutMilliseconds;
    return random.whole(20, random.chance(0.1) ? timeoutMilliseconds - 1 : 400);
  }

  return {
    taken,
    post: (from) => (_apiSet, _account, array) => {
      const cards = array as readonly QueuedCard[];
      const postedAt = time.now();
      const { result, takes } = resultOf(cards);
      const duration = durationOf(result);
      if (from.isAlive()) {
        time.after(random.whole(0, duration), () => {
          for (const { externalId, revision, card } of cards.slice(0, takes)) {
            taken.push({ externalId, revision, card, postedAt });
          }
        });
      }
      if (random.chance(faults.die)) time.after(random.whole(0, duration), from.kill);
      return new Promise((resolve) => {
        time.after(duration, () => {
          if (from.isAlive()) resolve(result);
        });
      });
    },
  };
}
