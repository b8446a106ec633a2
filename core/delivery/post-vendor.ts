import type { DeliveryFailure } from "../tracking/state.ts";
import type { PostResult } from "../union/exchange.ts";
import type { ArraySize } from "./array-size.ts";
import { verdictOn } from "./verdict.ts";

/** What became of one card in one run. */
export type Outcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "rejected"; readonly failure: DeliveryFailure }
  | {
      readonly kind: "retry";
      readonly failure: DeliveryFailure;
      /** Whether this card was posted. */
      readonly posted: boolean;
      /** Whether it got a 500 all by itself. */
      readonly alone: boolean;
      /** What the exchange asked for by Retry-After. */
      readonly afterSeconds?: number | undefined;
    }
  /** The run's time was up before it was posted. */
  | { readonly kind: "untouched" };

/** A card with what became of it. */
export interface Settled<Card> {
  readonly card: Card;
  readonly outcome: Outcome;
}

/** What posting for one vendor needs. */
export interface VendorPosting<Card> {
  readonly externalId: (card: Card) => string;
  readonly size: ArraySize;
  /** Characters of a card's JSON. */
  readonly characters: (card: Card) => number;
  /** Whether a card has broken the exchange by itself before: it goes by itself and last, so that it stops no other. */
  readonly suspected: (card: Card) => boolean;
  /**
   * How often a card has been posted: those with the fewest posts go first, among the suspected, too. Cards that break
   * the exchange while nothing else goes through would else keep those behind them from ever being posted.
   */
  readonly attempts: (card: Card) => number;
  readonly post: (cards: readonly Card[]) => Promise<PostResult>;
  /**
   * Those of the cards that are to be posted, by a look at what is stored; asked right before each post, too, where it
   * looks again only when the last look has grown old.
   */
  readonly due: (cards: readonly Card[]) => Promise<readonly Card[]>;
  /** Whether there is time for one more post. */
  readonly mayPost: () => boolean;
  /**
   * Called after each post with what it settled: a crash loses as little as can be, and what is recorded in time does not
   * depend on how long the search for a bad card among the others takes.
   */
  readonly settled: (cards: readonly Settled<Card>[]) => Promise<void>;
}

/** Why nothing more is posted for the vendor in this run. */
export interface Stop {
  readonly failure: DeliveryFailure;
  readonly credentialsRefused: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

/** Cards looked at in one go: at most two items each, a hundred a request. */
const lookedAtTogether = 50;

/** Cards whose post the exchange answered with a bare 500. */
interface Broken<Card> {
  readonly cards: readonly Card[];
  readonly failure: DeliveryFailure;
}

/**
 * Most characters of JSON in a post of more than one card: fifty usual cards have a quarter of it. Web servers refuse a
 * body of a few megabytes, and what the exchange echoes must be read again here.
 */
const mostCharacters = 512 * 1024;

/** So many posts of a single card may break the exchange one after the other; then it is an outage. */
const brokenSinglesLimit = 3;

/**
 * Posts one vendor's cards, array by array.
 *
 * A refused array is halved until the refused card is found. An array that breaks the exchange (500) is halved
 * too; if both halves break, or three single cards in a row, that is an outage, and nothing more is posted.
 *
 * @returns why it stopped early, if it did
 */
export async function postVendor<Card>(
  cards: readonly Card[],
  posting: VendorPosting<Card>,
): Promise<Stop | undefined> {
  const { size } = posting;
  let stop: Stop | undefined;
  let timeIsUp = false;
  let brokenSingles = 0;
  /** Posts so far, and whether one of the present array's went through. */
  let posts = 0;
  let wentThrough = false;

  const all = (cards: readonly Card[], outcome: Outcome) => cards.map((card) => ({ card, outcome }));
  const byAttempts = (one: Card, other: Card) => posting.attempts(one) - posting.attempts(other);
  const retry = (failure: DeliveryFailure, posted: boolean, alone = false): Outcome => ({
    kind: "retry",
    failure,
    posted,
    alone,
    afterSeconds: stop?.retryAfterSeconds,
  });

  /**
   * Posts once, and has what came of it settled. What broke the exchange comes back.
   *
   * @param together what came of posting them in this run already, together with others
   */
  async function postOnce(
    wanted: readonly Card[],
    together?: DeliveryFailure,
  ): Promise<Broken<Card> | undefined> {
    if (stop !== undefined) {
      const failure = together === undefined ? notPosted(stop.failure) : postedTogether(together);
      await posting.settled(all(wanted, retry(failure, false)));
      return undefined;
    }
    timeIsUp ||= !posting.mayPost();
    if (timeIsUp) {
      await posting.settled(all(wanted, { kind: "untouched" }));
      return undefined;
    }
    const cards = await posting.due(wanted);
    if (cards.length === 0) return undefined;

    posts++;
    const verdict = verdictOn(await posting.post(cards));
    switch (verdict.kind) {
      case "echoed": {
        const missing: DeliveryFailure = {
          stage: "after",
          message: "The exchange's echo did not hold the card.",
        };
        brokenSingles = 0;
        wentThrough ||= cards.some((card) => verdict.ids.has(posting.externalId(card)));
        await posting.settled(
          cards.map((card) => {
            const echoed = verdict.ids.has(posting.externalId(card));
            return { card, outcome: echoed ? { kind: "delivered" } : retry(missing, true) };
          }),
        );
        return undefined;
      }
      case "refused":
        brokenSingles = 0;
        if (cards.length > 1) {
          for (const half of halves(cards)) await settle(await postOnce(half, verdict.failure));
        } else await posting.settled(all(cards, { kind: "rejected", failure: verdict.failure }));
        return undefined;
      case "stop":
        stop = verdict;
        // What was not answered in time may have been too much at once.
        if (verdict.failure.stage === "during") size.shrink();
        await posting.settled(all(cards, retry(verdict.failure, true)));
        return undefined;
      case "broke":
        return { cards, failure: verdict.failure };
    }
  }

  /** Settles what broke the exchange, by halves. */
  async function settle(broken: Broken<Card> | undefined): Promise<void> {
    if (broken === undefined) return;
    if (broken.cards.length === 1) {
      await posting.settled(all(broken.cards, retry(broken.failure, true, true)));
      return;
    }
    const [first, second] = halves(broken.cards);
    const brokenFirst = await postOnce(first, broken.failure);
    const brokenSecond = await postOnce(second, broken.failure);
    if (brokenFirst !== undefined && brokenSecond !== undefined) {
      stop = { failure: broken.failure, credentialsRefused: false };
      size.shrink();
      await posting.settled(all([...brokenFirst.cards, ...brokenSecond.cards], retry(broken.failure, true)));
      return;
    }
    await settle(brokenFirst);
    await settle(brokenSecond);
  }

  /** How many of the first cards one post has: as many as the exchange takes, as long as they are not too large. */
  function lengthOfArray(cards: readonly Card[]): number {
    let characters = 0;
    const tooMuch = cards.findIndex((card) => {
      characters += posting.characters(card);
      return characters > mostCharacters;
    });
    return tooMuch === -1 ? size.current() : Math.min(size.current(), Math.max(1, tooMuch));
  }

  const waiting = [...cards];
  const ready: Card[] = [];
  const suspects: Card[] = [];

  /** One more single card that breaks would be taken for an outage: the one to be posted is chosen from all. */
  const isLastChance = () => brokenSingles === brokenSinglesLimit - 1;
  /** After all others; at the last chance where it has been posted less often. */
  function suspectIsNext(): boolean {
    const [suspect] = suspects;
    const [other] = ready;
    if (suspect === undefined || other === undefined) return suspect !== undefined;
    return isLastChance() && byAttempts(suspect, other) < 0;
  }

  for (;;) {
    if (timeIsUp) {
      await posting.settled(all([...ready, ...suspects, ...waiting], { kind: "untouched" }));
      return stop;
    }
    while (waiting.length > 0 && (ready.length < size.current() || isLastChance())) {
      for (const card of await posting.due(waiting.splice(0, lookedAtTogether))) {
        (posting.suspected(card) ? suspects : ready).push(card);
      }
      ready.sort(byAttempts);
      suspects.sort(byAttempts);
    }
    const array = suspectIsNext() ? suspects.splice(0, 1) : ready.splice(0, lengthOfArray(ready));
    if (array.length === 0) return stop;
    const postsBefore = posts;
    wentThrough = false;
    const broken = await postOnce(array);
    if (broken?.cards.length === 1 && ++brokenSingles === brokenSinglesLimit) {
      stop = { failure: broken.failure, credentialsRefused: false };
    }
    if (broken === undefined && wentThrough) size.grow();
    await settle(broken);
    // An array that could not be searched in one run would not be in the next one either.
    if (timeIsUp && posts > postsBefore) size.shrink();
  }
}

function halves<Card>(cards: readonly Card[]): [readonly Card[], readonly Card[]] {
  const middle = Math.ceil(cards.length / 2);
  return [cards.slice(0, middle), cards.slice(middle)];
}

/** Why cards were not posted: the exchange has seen nothing of them, whatever it did with those that stopped the posts. */
function notPosted(stop: DeliveryFailure): DeliveryFailure {
  if (stop.stage === "before") return stop;
  const what =
    stop.stage === "during"
      ? "did not answer another post of this vendor's cards"
      : `answered another post of this vendor's cards with status ${stop.status}`;
  return { stage: "before", message: `Not posted: the exchange ${what}.` };
}

/** What came of cards that were posted with others only: the exchange's words may be about any of them. */
function postedTogether({ stage, status }: DeliveryFailure): DeliveryFailure {
  const message = `Posted only together with other cards, which the exchange answered with status ${status}.`;
  return { stage, ...(status !== undefined && { status }), message };
}
