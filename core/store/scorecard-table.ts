import type { ApiSet } from "../account/api-set.ts";
import type { DeliveryFailure, DeliveryState, EarlierOutcome } from "../tracking/state.ts";
import type { CardContent } from "./card-content.ts";

/** Names a card: the vendor's tenant and the vendor's own identifier. */
export interface CardKey {
  readonly apiSet: ApiSet;
  readonly externalId: string;
}

/** The vendor's word on a card; written by submit-scorecards and withdraw-scorecard only. */
export interface CardRecord extends CardKey {
  /** Names this content of the card; a correction has another one. */
  readonly revision: string;
  /** Hash of what the vendor sent. */
  readonly contentHash: string;
  /** Milliseconds since 1970, UTC. */
  readonly acceptedAt: number;
  /** The revision that the vendor took back; the card is withdrawn then. */
  readonly withdraws?: string | undefined;
}

/** A card's record with its content. */
export interface StoredCard extends CardRecord {
  readonly content: CardContent;
}

/** What delivery knows of a card; written by deliver-scorecards only. */
export interface DeliveryRecord extends CardKey {
  /** The revision of the card that this applies to. */
  readonly revision: string;
  readonly state: DeliveryState;
  /** Posts so far. */
  readonly attempts: number;
  /** Posts of this card alone that the exchange answered with 500 while its vendor's others went through. */
  readonly aloneFailures: number;
  /** When this state was recorded, in milliseconds since 1970, UTC. */
  readonly since: number;
  readonly nextAttemptAt?: number | undefined;
  readonly failure?: DeliveryFailure | undefined;
  readonly earlier?: readonly EarlierOutcome[] | undefined;
}

/** Both items of a card. */
export interface CardHistory<Card extends CardRecord = CardRecord> {
  readonly card?: Card;
  readonly delivery?: DeliveryRecord;
}

/** A page of a vendor's cards in one state. */
export interface DeliveryPage {
  readonly deliveries: readonly DeliveryRecord[];
  /** Hand it back to get the next page. */
  readonly next?: string;
}

/** The cards of all vendors; every call names the vendor, so that none can reach another's. */
export interface ScorecardTable {
  /** Cards with their content, by ExternalID; what the vendor never sent, or never could, is left out. */
  read(apiSet: ApiSet, externalIds: readonly string[]): Promise<Map<string, CardHistory<StoredCard>>>;
  /**
   * The same where most cards are new: a delivery is asked for only where there is a card, since DynamoDB charges
   * for what it does not find too.
   */
  readMostlyNew(
    apiSet: ApiSet,
    externalIds: readonly string[],
  ): Promise<Map<string, CardHistory<StoredCard>>>;
  /** The same for cards of several vendors, without content, in the order of the keys. */
  readRecords(keys: readonly CardKey[]): Promise<CardHistory[]>;
  /**
   * @param signal nothing is written any more once it is aborted
   * @throws TableBusy, or the signal's reason, where some could not be written; the same call may be made again
   */
  putCards(cards: readonly StoredCard[], signal?: AbortSignal): Promise<void>;
  /** The same for what became of them. */
  putDeliveries(deliveries: readonly DeliveryRecord[], signal?: AbortSignal): Promise<void>;
  /** The vendor's cards in a state that needs it, newest first. */
  inState(apiSet: ApiSet, state: DeliveryState, limit: number, after?: string): Promise<DeliveryPage>;
}
