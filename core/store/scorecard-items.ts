import * as z from "zod/mini";
import type { ApiSet } from "../account/api-set.ts";
import { deliveryStates } from "../tracking/state.ts";
import { expiry, number } from "./attributes.ts";
import type { Item } from "./batch.ts";
import { packedContent } from "./card-content.ts";
import { packJson, unpackJson } from "./packed-json.ts";
import type { CardKey, CardRecord, DeliveryRecord, ParcelOfCard, StoredCard } from "./scorecard-table.ts";

const deliverySchema = z.object({
  revision: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.coerce.number(),
  aloneFailures: z.coerce.number(),
  since: z.coerce.number(),
  nextAttemptAt: z.optional(z.coerce.number()),
});

/** A card's partition in the table. */
export const partition = (key: CardKey) => `${key.apiSet}#${key.externalId}`;
const dated = (at: number, externalId: string) => `${new Date(at).toISOString()}#${externalId}`;

/** The card that an item is of. */
export function keyOf(item: Item): CardKey {
  const text = item.card?.S ?? "";
  const hash = text.indexOf("#");
  return { apiSet: text.slice(0, hash) as ApiSet, externalId: text.slice(hash + 1) };
}

function parcelOf({ parcel, parcelRevision, revision }: Item): ParcelOfCard | undefined {
  if (parcel?.S === undefined) return undefined;
  return { id: parcel.S, revision: parcelRevision?.S ?? revision?.S ?? "" };
}

/** Reads a card item but for its content. */
export function cardRecord(item: Item): CardRecord {
  return {
    ...keyOf(item),
    revision: item.revision?.S ?? "",
    contentHash: item.contentHash?.S ?? "",
    acceptedAt: Number(item.acceptedAt?.N),
    withdraws: item.withdraws?.S,
    parcel: parcelOf(item),
  };
}

/** Reads a card item. */
export function storedCard(item: Item): StoredCard {
  return {
    ...cardRecord(item),
    content: packedContent(item.content?.B ?? new Uint8Array()),
  };
}

/**
 * The item of a card.
 *
 * @param retentionDays how long it is kept; for good where absent
 */
export function cardItem(stored: StoredCard, retentionDays: number | undefined): Item {
  return {
    card: { S: partition(stored) },
    item: { S: "card" },
    revision: { S: stored.revision },
    contentHash: { S: stored.contentHash },
    acceptedAt: number(stored.acceptedAt),
    content: { B: stored.content.packed() },
    ...expiry(stored.acceptedAt, retentionDays),
    ...(stored.withdraws !== undefined && { withdraws: { S: stored.withdraws } }),
    ...(stored.parcel !== undefined && { parcel: { S: stored.parcel.id } }),
    ...(stored.parcel !== undefined &&
      stored.parcel.revision !== stored.revision && { parcelRevision: { S: stored.parcel.revision } }),
  };
}

/**
 * The item of what became of a card. Delivered cards stay out of the index by state: it holds only what somebody should
 * look at.
 *
 * @param retentionDays how long it is kept; for good where absent
 */
export function deliveryItem(delivery: DeliveryRecord, retentionDays: number | undefined): Item {
  const { apiSet, externalId, state, nextAttemptAt, failure, earlier } = delivery;
  return {
    card: { S: partition(delivery) },
    item: { S: "delivery" },
    revision: { S: delivery.revision },
    state: { S: state },
    attempts: number(delivery.attempts),
    aloneFailures: number(delivery.aloneFailures),
    since: number(delivery.since),
    ...expiry(delivery.since, retentionDays),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: number(nextAttemptAt) }),
    ...((failure !== undefined || earlier !== undefined) && {
      history: { B: packJson({ failure, earlier }) },
    }),
    ...(state !== "delivered" && {
      vendorState: { S: `${apiSet}#${state}` },
      stateSince: { S: dated(delivery.since, externalId) },
    }),
  };
}

/** Reads a delivery item, from the table or from its stream. */
export function deliveryRecord(item: Item): DeliveryRecord {
  const numbers = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, value.N ?? value.S]));
  const history = item.history?.B === undefined ? {} : unpackJson(item.history.B);
  return {
    ...keyOf(item),
    ...deliverySchema.parse(numbers),
    ...(history as Pick<DeliveryRecord, "failure" | "earlier">),
  };
}
