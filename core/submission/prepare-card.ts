import type { Assessment } from "../scorecard/assess.ts";
import type { Finding } from "../scorecard/finding.ts";
import { type CardContent, contentOf } from "../store/card-content.ts";

/** A card that cannot be taken. */
export interface RefusedCard {
  readonly good: false;
  readonly externalId?: string;
  readonly faults: readonly Finding[];
}

/** A card that can be taken, written as it will be answered, sent and stored. */
export interface GoodCard {
  readonly good: true;
  readonly externalId: string;
  readonly contentHash: string;
  readonly content: CardContent;
}

/** A card that was judged. */
export type PreparedCard = GoodCard | RefusedCard;

/** Writes a good card as JSON. It is packed when it is stored, while others are on their way. */
export function prepareCard(assessment: Assessment): PreparedCard {
  if (!assessment.good) {
    const { externalId, faults } = assessment;
    return { good: false, faults, ...(externalId !== undefined && { externalId }) };
  }
  const { externalId, contentHash, card, warnings } = assessment;
  return { good: true, externalId, contentHash, content: contentOf(card, warnings) };
}
