import { isDeepStrictEqual } from "node:util";
import { CardState } from "@scorecard-pipeline/scorecards-client";
import type { AcceptedCard, PlayResult } from "./play.ts";

interface ReceivedCard {
  readonly apiSet: string;
  readonly card: unknown;
}

/** A card whose state or content at the API does not match the union's record. */
interface RecordMismatch {
  readonly apiSet: string;
  readonly externalId: string;
  readonly kind: /** Delivered according to the API, but the union never received it. */
    | "missing"
    /** Received with other content than the API echoed, such as that of a refused card with the same ExternalID. */
    | "altered"
    /** Refused by the API, but received by the union. */
    | "refused_but_received";
}

/**
 * Compares the API's responses to a sample with the cards that the union received.
 *
 * A card that is not delivered yet may be missing at the union. Cards from other sources are ignored. A card may be
 * received several times with the same content, because a delivery without a response is repeated.
 */
export function recordMismatches(
  received: readonly ReceivedCard[],
  result: Pick<PlayResult, "acceptedCards" | "refusedExternalIds">,
): RecordMismatch[] {
  const receivedByName = Map.groupBy(received, ({ apiSet, card }) => nameOf(apiSet, externalIdOf(card)));
  const accepted = new Set(
    result.acceptedCards.map(({ apiSet, card }) => nameOf(apiSet, externalIdOf(card))),
  );
  const refused = new Set(result.refusedExternalIds);
  const unwanted = received.filter(({ apiSet, card }) => {
    const externalId = externalIdOf(card);
    return refused.has(externalId) && !accepted.has(nameOf(apiSet, externalId));
  });
  return [
    ...result.acceptedCards.flatMap((sent) =>
      compare(sent, receivedByName.get(nameOf(sent.apiSet, externalIdOf(sent.card))) ?? []),
    ),
    ...unwanted.map(({ apiSet, card }) => {
      return { apiSet, externalId: externalIdOf(card), kind: "refused_but_received" as const };
    }),
  ];
}

function compare({ apiSet, state, card }: AcceptedCard, received: readonly ReceivedCard[]): RecordMismatch[] {
  const externalId = externalIdOf(card);
  if (received.length === 0)
    return state === CardState.delivered ? [{ apiSet, externalId, kind: "missing" }] : [];
  const isAltered = received.some((copy) => !isDeepStrictEqual(copy.card, card));
  return isAltered ? [{ apiSet, externalId, kind: "altered" }] : [];
}

const nameOf = (apiSet: string, externalId: string) => JSON.stringify([apiSet, externalId]);

function externalIdOf(card: unknown): string {
  return String((card as Readonly<Record<string, unknown>> | null)?.ExternalID);
}
