import type { ApiSet } from "../../accounts/account.ts";
import type { DeliveryFailure, StoredCard } from "../life/card.ts";
import type { FailedAlone } from "./fault-search.ts";
import type { CardResult } from "./run.ts";
import { probe } from "./timing.ts";
import { evidenceSince, judge, meaningOf, type SeenPost } from "./verdict.ts";

const second = 1000;
const minute = 60 * second;

/** A card waits longer by a fifth with each attempt that counts. */
const growing = { first: 3 * second, growth: 6 / 5, longest: 5 * minute };
/** A part of the exchange that is down comes back: its cards wait for a share of their age, and a minute in any case. */
const forPart = { shortest: minute, share: 1 / 40 };
/** Somebody has to read an answer that nobody understands, and each post may be taken once more. */
const forUnknown = { first: 30 * second, longest: 2 * 60 * minute };
/** Posts of suspected cards must leave time for the others, even if there are many, or the exchange hangs at them. */
const ofSpent = 2;

/**
 * The longest wait before a suspected card's next attempt, in milliseconds.
 *
 * @param now milliseconds since 1970, UTC
 * @param spent milliseconds that posts of suspected cards have taken since the card's last attempt
 */
function suspectWait(
  { attempts, acceptedAt }: Pick<StoredCard, "attempts" | "acceptedAt">,
  failure: DeliveryFailure,
  now: number,
  spent: number,
): number {
  const grown = growing.first * growing.growth ** attempts;
  const meaning = meaningOf(failure);
  if (meaning === "unknown") {
    return Math.min(forUnknown.longest, forUnknown.first * 2 ** attempts);
  }
  const longest =
    meaning === "no" ? growing.longest : Math.max(forPart.shortest, (now - acceptedAt) * forPart.share);
  return Math.min(growing.longest, longest, Math.max(grown, spent * ofSpent));
}

/** What the failure of a suspect means. @param seen what posts have shown, by vendor @param now milliseconds since 1970, UTC */
export function resultOfSuspect(
  { card, failure, milliseconds }: FailedAlone<StoredCard>,
  seen: ReadonlyMap<ApiSet, readonly SeenPost[]>,
  now: number,
): CardResult {
  const { suspicion, since, apiSet } = card;
  const evidence = evidenceSince(seen, apiSet, since);
  const judged = judge(suspicion, failure, evidence, now - since);
  if (judged.kind === "unwitnessed" && suspicion !== undefined)
    return { kind: "outage", failure, isAlone: true };
  // Whoever judges a card that is not suspected yet has seen a witness, if only by another clock.
  const verdict = judged.kind === "unwitnessed" ? { kind: "suspected" as const, suspicion: 0 } : judged;
  return {
    kind: "failed",
    failure,
    verdict,
    wait: suspectWait(card, failure, now, milliseconds * evidence.failed),
  };
}

/** How long all suspects wait if nothing went through beside one, in milliseconds. */
export const waitWithoutWitness = (
  { card, failure, milliseconds }: FailedAlone<StoredCard>,
  now: number,
): number =>
  Math.max(
    suspectWait(card, failure, now, milliseconds),
    Math.min(growing.longest, (now - card.since) * probe.share),
  );
