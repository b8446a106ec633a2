import { deliveryOf } from "../../../core/store/parcel-items.ts";
import type {
  CardHistory,
  CardKey,
  DeliveryRecord,
  LookedUpCard,
  ParcelKey,
  ParcelRecord,
  ScorecardTable,
  StoredCard,
} from "../../../core/store/scorecard-table.ts";

const name = ({ apiSet, externalId }: CardKey) => `${apiSet}#${externalId}`;
const parcelName = ({ apiSet, parcel }: ParcelKey) => `${apiSet}#${parcel}`;

/** A scorecard table in memory, with the items of each card and parcel, and a record of what was ever written. */
export function scorecardsInMemory() {
  const cards = new Map<string, StoredCard>();
  const deliveries = new Map<string, DeliveryRecord>();
  const parcels = new Map<string, ParcelRecord>();
  const opened = new Set<string>();
  const written: DeliveryRecord[] = [];
  let refusals = 0;

  function mayRefuse() {
    if (refusals > 0) {
      refusals--;
      throw new Error("ProvisionedThroughputExceededException");
    }
  }

  /** As the table tells it: what a whole parcel's cards have of their own is not looked for. */
  function historyOf(key: LookedUpCard): CardHistory<StoredCard> {
    const card = cards.get(name(key));
    if (card === undefined) return {};
    const of = card.parcel && parcelName({ ...card, parcel: card.parcel.id });
    const isWhole = key.parcel !== undefined && key.parcel === card.parcel?.id && !opened.has(of ?? "");
    const own = isWhole ? undefined : deliveries.get(name(key));
    const delivery = deliveryOf(card, own, parcels.get(of ?? "")?.since);
    return { card, ...(delivery !== undefined && { delivery }) };
  }

  const table: Omit<ScorecardTable, "inState"> = {
    async read(apiSet, externalIds) {
      mayRefuse();
      const known = externalIds.filter((externalId) => cards.has(name({ apiSet, externalId })));
      return new Map(known.map((externalId) => [externalId, historyOf({ apiSet, externalId })]));
    },
    async readRecords(keys) {
      mayRefuse();
      return keys.map(historyOf);
    },
    async putCards(stored, signal) {
      mayRefuse();
      signal?.throwIfAborted();
      for (const card of stored) cards.set(name(card), card);
    },
    async putDeliveries(recorded, signal) {
      mayRefuse();
      signal?.throwIfAborted();
      written.push(...recorded);
      for (const delivery of recorded) deliveries.set(name(delivery), delivery);
    },
    async putParcels(delivered, signal) {
      if (delivered.length > 0) mayRefuse();
      if (delivered.length > 0) signal?.throwIfAborted();
      for (const parcel of delivered) parcels.set(parcelName(parcel), parcel);
    },
    async openParcels(keys, _, signal) {
      if (keys.length > 0) mayRefuse();
      if (keys.length > 0) signal?.throwIfAborted();
      for (const key of keys) opened.add(parcelName(key));
    },
  };

  return {
    table,
    written,
    parcels,
    opened,
    /** What is known of a card. */
    of: (key: CardKey) => historyOf({ apiSet: key.apiSet, externalId: key.externalId }),
    /** As if a submission had died before it stored the card. */
    forget: (key: CardKey) => cards.delete(name(key)),
    /** Has the next calls refused, as a throttled table does. */
    refuse(times: number) {
      refusals = times;
    },
  };
}
