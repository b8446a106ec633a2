import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { DeliveryDependencies } from "../../../core/cards/delivery/run.ts";
import type { OutboundCard, PostResult } from "../../../core/union/exchange.ts";
import type { Environment } from "./environment.ts";
import { type CardPost, contentName, type History } from "./history.ts";
import { playerNumbers } from "./player-numbers.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** How likely each trouble with a post is, from 0 to 1. */
export interface ExchangeFaults {
  /** 500, though some of the cards may have been taken. */
  serverError: number;
  /** 503, and nothing is taken. */
  unavailable: number;
  /** 502 or 504: a gateway gives up, though some of the cards may have been taken. */
  badGateway: number;
  /** 429 with Retry-After. */
  limit: number;
  /** Nobody takes the connection. */
  refuseConnection: number;
  /** The time is up, or the connection breaks, though some of the cards may have been taken. */
  cut: number;
  /** Of those posts: how many are finished up to a minute after we have hung up. */
  finishLate: number;
  /** A card is taken but not echoed. */
  forget: number;
  /** A card is neither taken nor echoed, while others of the same post are. */
  leaveOut: number;
  /** A post is answered with `wrongStatus`, and nothing is taken. */
  wrong: number;
  /** 200 stands for a page of HTML. */
  wrongStatus: number;
  /** A post is answered by a 2xx that shows none of its cards, though some of them may have been taken. */
  unknown: number;
  /** Beside cards that are refused the others are taken, and 207 tells each. */
  refusesEach: boolean;
  /** How a post with a card that breaks the exchange ends. */
  poison: number | "hang";
  /** A part of it is down, and nothing of that part is taken: its posts fail each time, and others go through. */
  part: ExchangePart | undefined;
  /** A gateway refuses a post in place of the exchange, which does with it what it does. */
  lie: number;
  /** It takes nearly as long as we wait. */
  slow: number;
  /** The environment dies while it waits. */
  kill: number;
  /** The environment stands still for up to 20 seconds after its last look at the clock, before the post leaves. */
  sendLate: number;
  /** Nothing goes through at all. */
  down: "no" | "noConnection" | "retryAfter";
  /** How long it asks to be left alone while it is down. */
  retryAfterSeconds: number;
  /** It answers 409 to what it has already. */
  conflicts: boolean;
}

/** A part of the exchange: one player's record, one club of two, one shard of four, or what stops a single card. */
export interface ExchangePart {
  readonly of: "player" | "club" | "shard" | "card";
  readonly answer: number | "hang";
  readonly retryAfterSeconds?: number;
}

/** The card of `ExchangePart` that is stopped. */
export const stoppedCard = "vendor-0, submission 0, card 0";

/** How the names of cards begin whose items are throttled as soon as they are stored, with another one beside each. */
export const throttledCard = "vendor-0, throttled card";

/** The union's exchange. */
export interface SimulatedExchange {
  /** JSON of the card that it has; undefined if it has none. */
  holds(externalId: string): string | undefined;
  /** How an environment posts. */
  post(from: Environment): DeliveryDependencies["post"];
}

/** The exchange refuses a content with this in its name, and breaks at one with the other. */
export const [refusedContent, poisonContent] = ["refused", "poison"] as const;

/** Whether the exchange never takes a content. */
export const isBadContent = (name: string): boolean =>
  name.includes(refusedContent) || name.includes(poisonContent);

const latestFinish = 60_000;
const maxStall = 20_000;

const answered = (status: number, echoed: readonly string[] = []) => ({
  phase: "after" as const,
  status,
  bodyExcerpt: "",
  echoed: new Set(echoed),
});

/** What a gateway answers though the exchange may have taken the cards. */
const gatewayStatuses = [503, 429, 408, 404, 403, 425, 413] as const;

const shards = 4;
const partPlayer = playerNumbers[2];
const [partClub] = partPlayer.split("-");

/** Whether a card belongs to the part that is down. */
function isOfPart({ externalId, card }: OutboundCard, { of }: ExchangePart): boolean {
  if (of === "card") return externalId === stoppedCard;
  if (of === "player") return card.includes(`"UnionID":"${partPlayer}"`);
  if (of === "club") return card.includes(`"UnionID":"${partClub}-`);
  return [...externalId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % shards === 0;
}

/** An exchange that takes cards at some time while a post is under way, whether somebody still waits for its answer or not. */
export function simulatedExchange(
  time: VirtualTime,
  random: SeededRandom,
  faults: ExchangeFaults,
  timeoutMilliseconds: number,
  history: History,
): SimulatedExchange {
  const held = new Map<string, string>();

  /** What comes of a post, and which of its cards are taken. */
  function resultOf(cards: readonly OutboundCard[]): [result: PostResult, taken: readonly OutboundCard[]] {
    const some = () => (random.chance(0.3) ? cards : cards.filter(() => random.chance(0.5)));
    const { retryAfterSeconds } = faults;
    if (faults.down === "retryAfter") return [{ ...answered(429), retryAfterSeconds }, []];
    if (faults.down === "noConnection" || random.chance(faults.refuseConnection)) {
      return [{ phase: "before", message: "" }, []];
    }
    if (random.chance(faults.wrong)) return [answered(faults.wrongStatus), []];
    if (random.chance(faults.limit)) {
      return [{ ...answered(429), retryAfterSeconds: random.whole(1, 20) }, []];
    }
    if (random.chance(faults.unavailable)) return [answered(503), []];
    const { part } = faults;
    if (part !== undefined && cards.some((card) => isOfPart(card, part))) {
      const { answer, retryAfterSeconds } = part;
      const hangs = { phase: "during", message: "" } as const;
      return [
        answer === "hang"
          ? hangs
          : { ...answered(answer), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
        [],
      ];
    }
    const names = cards.map(({ card }) => contentName(card));
    if (names.some((name) => name.includes(poisonContent))) {
      const good = cards.filter((_, n) => !isBadContent(names[n] ?? ""));
      const { poison } = faults;
      const result = poison === "hang" ? { phase: "during" as const, message: "" } : answered(poison);
      return [result, poison === "hang" || poison < 500 || random.chance(0.5) ? [] : good];
    }
    if (names.some((name) => name.includes(refusedContent))) {
      if (!faults.refusesEach) return [answered(422), []];
      const [bad, good] = [true, false].map((isBad) =>
        cards.filter((_, n) => isBadContent(names[n] ?? "") === isBad).map(({ externalId }) => externalId),
      );
      const refused = new Map(bad?.map((externalId) => [externalId, 422]));
      return [
        { ...answered(207, good), refused },
        cards.filter(({ externalId }) => !refused.has(externalId)),
      ];
    }
    if (faults.unknown > 0 && random.chance(faults.unknown)) {
      const taken = random.oneOf([cards, some(), []]);
      return [{ ...answered(random.oneOf([200, 201, 202, 207])), shape: "{Message: string}" }, taken];
    }
    if (faults.conflicts && cards.some(({ externalId, card }) => held.get(externalId) === card)) {
      return [answered(409), []];
    }
    if (random.chance(faults.serverError)) return [answered(500), some()];
    if (random.chance(faults.badGateway)) return [answered(random.oneOf([502, 504])), some()];
    if (random.chance(faults.cut))
      return [{ phase: "during", message: "" }, random.chance(0.3) ? [] : some()];
    const taken = cards.filter(() => !random.chance(faults.leaveOut));
    const echoed = taken.filter(() => !random.chance(faults.forget)).map(({ externalId }) => externalId);
    return [answered(201, echoed), taken];
  }

  function durationOf({ phase }: PostResult): number {
    if (phase === "during" && random.chance(0.5)) return timeoutMilliseconds;
    return random.whole(20, random.chance(faults.slow) ? timeoutMilliseconds - 1 : 400);
  }

  return {
    holds: (externalId) => held.get(externalId),
    post: (from) => async (_account, cards) => {
      const isSentLate = random.chance(faults.sendLate);
      if (isSentLate) await time.sleep(random.whole(100, maxStall));
      const at = time.now();
      const [truth, taken] = resultOf(cards);
      const isLie = faults.lie > 0 && random.chance(faults.lie);
      const result = isLie ? answered(random.oneOf(gatewayStatuses)) : truth;
      const duration = durationOf(result);
      const posts = new Map<string, CardPost>();
      for (const { externalId, card } of cards) {
        const of = history.of(externalId);
        const read = of.lastReads.get(from.name()) ?? { at: 0, card: undefined };
        const post = {
          by: from.name(),
          at,
          until: at + duration,
          read,
          content: card,
          isSentLate,
          phase: result.phase,
        };
        posts.set(externalId, post);
        of.posts.push(post);
        const status = result.phase === "after" ? result.status : result.phase;
        history.note(
          externalId,
          from.name(),
          `posts version ${read.card?.version}, ${contentName(card)}:`,
          status,
        );
      }
      if (from.isAlive()) {
        const isLate = result.phase === "during" && random.chance(faults.finishLate);
        const takenAfter = isLate ? duration + random.whole(0, latestFinish) : random.whole(0, duration);
        time.after(takenAfter, () => {
          for (const { externalId, card } of taken) {
            held.set(externalId, card);
            history.of(externalId).taken.push({ at: time.now(), post: posts.get(externalId) as CardPost });
            history.note(externalId, "the exchange takes", contentName(card));
          }
        });
      }
      if (random.chance(faults.kill)) time.after(random.whole(0, duration), from.kill);
      return new Promise((resolve) => {
        time.after(duration, () => from.resume(() => resolve(result)));
      });
    },
  };
}
