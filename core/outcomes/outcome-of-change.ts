import { hash } from "node:crypto";
import type { StoredCard } from "../delivery/card.ts";
import { isOutcome, type OutcomeEvent } from "./outcome-event.ts";

/**
 * The event of a card's change.
 *
 * @param before the card before the change, if it was there
 * @returns nothing if the change brought no outcome
 */
export function outcomeOf(card: StoredCard, before: StoredCard | undefined): OutcomeEvent | undefined {
  const { apiSet, externalId, version, state, attempts, since, failure } = card;
  if (!isOutcome(state) || (before?.state === state && before.version === version)) return undefined;
  return {
    version: 1,
    apiSet,
    card: hash("sha256", JSON.stringify([apiSet, externalId]), "base64url").slice(0, 22),
    revision: String(version),
    outcome: state,
    attempts,
    at: new Date(since).toISOString(),
    ...(failure?.status !== undefined && { status: failure.status }),
  };
}
