import type { ApiSet } from "../../accounts/account.ts";
import type { StoredCard } from "../life/card.ts";
import type { Outage } from "./breaker.ts";
import { firstPostAt, retryWait } from "./posts.ts";
import type { CardResult } from "./run.ts";
import { probe } from "./timing.ts";
import { evidenceSince, judge, type SeenPost } from "./verdict.ts";

/** What came of a post. `left` are its cards without a result. */
export type Tried<Card> =
  /** Each of its cards has a result, or is not to be posted any more; without `milliseconds`, none was. */
  | { readonly kind: "done"; readonly milliseconds?: number }
  | FailedPost<Card>
  | { readonly kind: "stopped"; readonly left: readonly Card[] };

/** A post that failed: the exchange is at fault (`outage`), or the answer does not say who is. */
export interface FailedPost<Card> extends Outage {
  readonly kind: "failed" | "outage";
  readonly left: readonly Card[];
  readonly milliseconds: number;
}

/** Why a run stops posting, and which of its posted cards are to be tried again. */
export interface Stop<Card> {
  readonly outage?: Outage;
  readonly left: readonly Card[];
  /** Those of them that failed alone. */
  readonly alone?: readonly Card[];
}

/** A card that failed alone. */
export interface FailedAlone<Card> extends Outage {
  readonly card: Card;
  /** How long its post took. */
  readonly milliseconds: number;
}

/** What a search does: it knows neither a clock nor a table. */
interface SearchSteps<Card> {
  /** Posts cards together. */
  readonly post: (cards: readonly Card[]) => Promise<Tried<Card>>;
  /** Others went through beside this card: it is a suspect. */
  readonly suspect: (failed: FailedAlone<Card>) => Promise<void>;
  /** Arrays are too large: this many cards are enough, one or more. */
  readonly resize: (size: number) => void;
}

/** The most cards of a failed array that are posted alone to find one that goes through. */
const maxSamples = 3;

/** Up to three cards, spread over an array: bad cards often stand side by side. */
export function sampleOf<Card>(cards: readonly Card[]): Card[] {
  const count = Math.min(maxSamples, cards.length);
  return Array.from({ length: count }, (_, index) =>
    cards.at(Math.floor((index * cards.length) / count)),
  ).filter((card) => card !== undefined);
}

/**
 * The parts that a failed array is posted in next: halves if failing takes no longer than going through, and smaller ones the
 * longer it takes. A card at which the exchange hangs is found by one long post then, and not by one for each half.
 *
 * @param failedIn how long the array took to fail, in milliseconds
 * @param wentThroughIn how long the last post took that went through
 */
export function partsOf<Card>(cards: readonly Card[], failedIn: number, wentThroughIn: number): Card[][] {
  const parts = Math.min(cards.length, Math.max(2, Math.floor(failedIn / Math.max(1, wentThroughIn))));
  return Array.from({ length: parts }, (_, index) =>
    cards.slice(Math.ceil((index * cards.length) / parts), Math.ceil(((index + 1) * cards.length) / parts)),
  );
}

/**
 * Searches for whose fault it is that a post failed, and for the cards at fault.
 *
 * Some cards are posted alone. If none goes through, it is an outage. If one does, it is the witness that the exchange works,
 * and the array is searched for the cards that fail alone.
 *
 * @param spare cards that serve as witnesses for one that was posted alone
 * @returns why the run must stop; undefined if it can go on
 */
export async function searchFault<Card>(
  failed: FailedPost<Card>,
  spare: readonly Card[],
  steps: SearchSteps<Card>,
): Promise<Stop<Card> | undefined> {
  const { left, milliseconds } = failed;
  const [only] = left.length === 1 ? left : [];
  const untried = new Set(only === undefined ? left : []);
  const failedAlone: FailedAlone<Card>[] = only === undefined ? [] : [{ ...failed, card: only }];
  let outage: Outage = failed;
  let wentThroughIn: number | undefined;
  for (const card of sampleOf(only === undefined ? left : spare)) {
    const tried = await steps.post([card]);
    untried.delete(card);
    if (tried.kind === "stopped") {
      for (const each of tried.left) untried.add(each);
      break;
    }
    if (tried.kind === "done") wentThroughIn = tried.milliseconds;
    else for (const each of tried.left) failedAlone.push({ ...tried, card: each });
    if (tried.kind !== "done") outage = tried;
    if (tried.kind === "outage" || wentThroughIn !== undefined) break;
  }
  const rest = [...untried];
  if (wentThroughIn === undefined) {
    const alone = failedAlone.map(({ card }) => card);
    return alone.length === 0 ? { left: rest } : { outage, left: [...rest, ...alone], alone };
  }
  for (const each of failedAlone) await steps.suspect(each);
  if (only !== undefined) return undefined;
  const parts = partsOf(rest, milliseconds, wentThroughIn);
  steps.resize(left.length / Math.max(2, parts.length));
  // If suspects were among the samples, the others may well go through together.
  return searchParts(failedAlone.length > 0 ? [rest] : parts, wentThroughIn, steps);
}

/** Posts parts of a failed array, and parts of those that fail, down to single cards. */
async function searchParts<Card>(
  first: readonly (readonly Card[])[],
  wentThroughIn: number,
  { post, suspect }: SearchSteps<Card>,
): Promise<Stop<Card> | undefined> {
  const parts = [...first];
  let pace = wentThroughIn;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const tried = await post(part);
    if (tried.kind === "done") {
      pace = tried.milliseconds ?? pace;
      continue;
    }
    if (tried.kind !== "failed") {
      const left = [...parts.flat(), ...tried.left];
      return tried.kind === "outage" ? { outage: tried, left } : { left };
    }
    const [card] = tried.left;
    if (tried.left.length > 1) parts.unshift(...partsOf(tried.left, tried.milliseconds, pace));
    else if (card !== undefined) await suspect({ ...tried, card });
  }
  return undefined;
}

/** Posts of suspected cards must leave time for the others, even if there are many, or the exchange hangs at them. */
const ofSpent = 2;
/** A card waits no longer because posts of suspected cards take long, in milliseconds. */
const maxSpent = 5 * 60_000;

/** How long the exchange asks to wait, in milliseconds. */
export const askedWait = ({ retryAfterSeconds = 0 }: Pick<Outage, "retryAfterSeconds">): number =>
  Math.min(probe.maxRetryAfter, retryAfterSeconds * 1000);

/**
 * The longest wait before the next attempt of a card that failed alone, in milliseconds.
 *
 * @param spent milliseconds that posts of suspected cards have taken since the card's last attempt
 */
export function waitOf(
  { card, failure, ...outage }: Omit<FailedAlone<StoredCard>, "milliseconds">,
  now: number,
  spent = 0,
): number {
  // What was never sent may be posted as often as one likes.
  const own = failure.phase === "before" ? 0 : retryWait(now - (firstPostAt(card) ?? now));
  return Math.max(askedWait(outage), own, Math.min(maxSpent, spent * ofSpent));
}

/** What the failure of a suspect means. @param seen what posts have shown, by vendor */
export function resultOfSuspect(
  alone: FailedAlone<StoredCard>,
  seen: ReadonlyMap<ApiSet, readonly SeenPost[]>,
  now: number,
): CardResult {
  const { card, failure, milliseconds } = alone;
  const { suspicion, since, apiSet, nextAttemptAt } = card;
  const evidence = evidenceSince(seen, apiSet, since);
  const judged = judge(suspicion, failure, evidence, now - since);
  const isClaimed = nextAttemptAt !== undefined;
  if (judged.kind === "unwitnessed" && suspicion !== undefined)
    return { kind: "outage", failure, wait: isClaimed ? askedWait(alone) : waitOf(alone, now, milliseconds) };
  // Whoever judges a card that is not suspected yet has seen a witness, if only by another clock.
  const verdict = judged.kind === "unwitnessed" ? { kind: "suspected" as const, suspicion: 0 } : judged;
  return { kind: "failed", failure, verdict, wait: waitOf(alone, now, milliseconds * evidence.failed) };
}
