import type { ApiSet } from "../account/api-set.ts";
import type { DeliveryFailure, DeliveryState, EarlierOutcome } from "../tracking/state.ts";
import type { CardContent } from "./card-content.ts";

/** Names a card: the vendor's tenant and the vendor's own identifier. */
export interface CardKey {
  readonly apiSet: ApiSet;
  readonly externalId: string;
}

/**
 * Names a parcel: cards that came in one submission, up to ten. Where they are all new and go in one message they share
 * one record as long as all goes well; once one of them is not delivered at once, the parcel is opened, and each has its own.
 */
export interface ParcelKey {
  readonly apiSet: ApiSet;
  readonly parcel: string;
}

/** The parcel that a card first came in. */
export interface ParcelOfCard {
  readonly id: string;
  /** The revision that the card had in it. */
  readonly revision: string;
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
  /** None where it came by itself. */
  readonly parcel?: ParcelOfCard | undefined;
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

/** That all cards of a parcel were delivered by their first post; written by deliver-scorecards only. */
export interface ParcelRecord extends ParcelKey {
  readonly cards: readonly Pick<CardRecord, "externalId" | "revision">[];
  /** When it was recorded, in milliseconds since 1970, UTC. */
  readonly since: number;
}

/** A card to look up, and the parcel by which it is delivered, if by one. */
export interface LookedUpCard extends CardKey {
  readonly parcel?: string | undefined;
}

/** What the vendor and delivery know of a card; the delivery may be that of its parcel. */
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
  /**
   * Cards with their content, by ExternalID; what the vendor never sent, or never could, is left out. A delivery is
   * asked for only where there is a card, since DynamoDB charges for what it does not find too.
   */
  read(apiSet: ApiSet, externalIds: readonly string[]): Promise<Map<string, CardHistory<StoredCard>>>;
  /**
   * The same for cards of several vendors, without content, in the order of the keys. Of a parcel that is whole one
   * delivery is asked for, not one a card.
   */
  readRecords(keys: readonly LookedUpCard[]): Promise<CardHistory[]>;
  /**
   * @param signal nothing is written any more once it is aborted
   * @throws TableBusy, or the signal's reason, where some could not be written; the same call may be made again
   */
  putCards(cards: readonly StoredCard[], signal?: AbortSignal): Promise<void>;
  /** The same for what became of them. Those that came in a parcel are found only where it has been opened. */
  putDeliveries(deliveries: readonly DeliveryRecord[], signal?: AbortSignal): Promise<void>;
  /** The same for parcels, in place of a delivery of each card. */
  putParcels(parcels: readonly ParcelRecord[], signal?: AbortSignal): Promise<void>;
  /** From now on the cards of these parcels have deliveries of their own. */
  openParcels(parcels: readonly ParcelKey[], at: number, signal?: AbortSignal): Promise<void>;
  /** The vendor's cards in a state that needs it, newest first. */
  inState(apiSet: ApiSet, state: DeliveryState, limit: number, after?: string): Promise<DeliveryPage>;
}
