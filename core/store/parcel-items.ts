import { expiry, number } from "./attributes.ts";
import type { Item } from "./batch.ts";
import { deliveryRecord, keyOf, partition } from "./scorecard-items.ts";
import type { CardRecord, DeliveryRecord, ParcelKey, ParcelRecord } from "./scorecard-table.ts";

/** The key of what became of a parcel as a whole, or of the item that says that its cards have deliveries of their own. */
export const parcelKey = ({ apiSet, parcel }: ParcelKey, item: "parcel" | "opened"): Item => ({
  card: { S: partition({ apiSet, externalId: parcel }) },
  item: { S: item },
});

/**
 * The item of a parcel whose cards were all delivered. It names them for whoever is told of outcomes; as plain text, since ten
 * usual names are one write unit and packing them would take longer than all else about it.
 *
 * @param retentionDays how long it is kept; for good where absent
 */
export function parcelItem(record: ParcelRecord, retentionDays: number | undefined): Item {
  return {
    ...parcelKey(record, "parcel"),
    since: number(record.since),
    cards: { S: JSON.stringify(record.cards.map(({ externalId, revision }) => [externalId, revision])) },
    ...expiry(record.since, retentionDays),
  };
}

/** The item of a parcel whose cards have deliveries of their own; `at` and the days as above. */
export function openedItem(key: ParcelKey, at: number, retentionDays: number | undefined): Item {
  return { ...parcelKey(key, "opened"), ...expiry(at, retentionDays) };
}

/** When it was recorded that a parcel was delivered, in milliseconds since 1970, UTC. */
export const sinceOf = (item: Item): number => Number(item.since?.N);

const delivered = (
  card: Pick<DeliveryRecord, "apiSet" | "externalId" | "revision" | "since">,
): DeliveryRecord => ({ ...card, state: "delivered", attempts: 1, aloneFailures: 0 });

/** What an item that delivery has written says of a card, or of each card of a delivered parcel. */
export function recordedDeliveries(item: Item): DeliveryRecord[] {
  if (item.item?.S !== "parcel") return [deliveryRecord(item)];
  const { apiSet } = keyOf(item);
  const since = sinceOf(item);
  const cards = JSON.parse(item.cards?.S ?? "[]") as readonly (readonly [string, string])[];
  return cards.map(([externalId, revision]) => delivered({ apiSet, externalId, revision, since }));
}

/**
 * What became of a card.
 *
 * Of one that came in a parcel its own delivery is the later word where it is of another revision; else the parcel's is: a
 * card that the exchange took once has been delivered, whatever it answered to a second message of it.
 *
 * @param own the card's own delivery
 * @param parcelSince when it was recorded that all cards of its parcel were delivered, if it was
 */
export function deliveryOf(
  { apiSet, externalId, parcel }: CardRecord,
  own: DeliveryRecord | undefined,
  parcelSince: number | undefined,
): DeliveryRecord | undefined {
  if (parcel === undefined || parcelSince === undefined) return own;
  if (own !== undefined && (own.revision !== parcel.revision || own.state === "delivered")) return own;
  return delivered({ apiSet, externalId, revision: parcel.revision, since: parcelSince });
}
