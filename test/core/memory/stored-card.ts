import type { ApiSet } from "../../../core/accounts/account.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";

export const green = "green" as ApiSet;
export const red = "red" as ApiSet;
/** When the cards of these tests are accepted, in milliseconds since 1970, UTC. */
export const start = Date.UTC(2026, 5, 1, 12);

/** A card of the vendor green that was accepted at the start and has not been posted. */
export function storedCard(externalId: string, given: Partial<StoredCard> = {}): StoredCard {
  return {
    apiSet: green,
    externalId,
    version: 1,
    state: "queued",
    since: start,
    acceptedAt: start,
    requestId: "request",
    contentHash: "five strokes",
    content: contentOf({ ID: `id of ${externalId}`, ExternalID: externalId }),
    mustWait: false,
    attempts: 0,
    atExchange: 0,
    maybeAtExchange: 0,
    earlier: [],
    ...given,
  };
}

/** The key of a card, of the vendor green unless said. */
export const key = (externalId: string, apiSet = green) => ({ apiSet, externalId });
