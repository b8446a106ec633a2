import { type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../account/api-set.ts";
import { isExternalId } from "../scorecard/external-id.ts";
import type { DeliveryState } from "../tracking/state.ts";
import { batchGet, batchWrite, type Item, type Projection } from "./batch.ts";
import { deliveryOf, openedItem, parcelItem, parcelKey, sinceOf } from "./parcel-items.ts";
import {
  cardItem,
  cardRecord,
  deliveryItem,
  deliveryRecord,
  partition,
  storedCard,
} from "./scorecard-items.ts";
import type { CardKey, CardRecord, LookedUpCard, ScorecardTable } from "./scorecard-table.ts";

/** Everything of an item but its content. */
const recordOnly =
  "card,#item,revision,contentHash,acceptedAt,withdraws,parcel,parcelRevision,#state,attempts,aloneFailures,since,nextAttemptAt,history";
const recordNames = { "#item": "item", "#state": "state" };

const cardKey = (key: CardKey): Item => ({ card: { S: partition(key) }, item: { S: "card" } });
const deliveryKey = (key: CardKey): Item => ({ card: { S: partition(key) }, item: { S: "delivery" } });
const nameOf = ({ card, item }: Item) => `${card?.S}#${item?.S}`;

/** Reads cards from a DynamoDB table: a `card` and a `delivery` of each, or a `parcel` for the deliveries of several. */
export function scorecardReader(
  table: string,
  client: DynamoDBClient,
): Pick<ScorecardTable, "read" | "readRecords"> {
  /** What was asked for and found, by its name; nothing is asked for twice. */
  function lookup(projection?: Projection) {
    const asked = new Set<string>();
    const found = new Map<string, Item>();
    return {
      found: (key: Item) => found.get(nameOf(key)),
      async ask(keys: readonly Item[]): Promise<void> {
        const wanted = new Map(keys.map((key) => [nameOf(key), key]));
        for (const name of asked) wanted.delete(name);
        for (const name of wanted.keys()) asked.add(name);
        const items = await batchGet(client, table, [...wanted.values()], projection);
        for (const item of items) found.set(nameOf(item), item);
      },
    };
  }

  const parcelOf = ({ apiSet, parcel }: CardRecord): Item[] =>
    parcel === undefined ? [] : [parcelKey({ apiSet, parcel: parcel.id }, "parcel")];

  function historyOf<Card extends CardRecord>(card: Card, found: (key: Item) => Item | undefined) {
    const item = found(deliveryKey(card));
    const own = item === undefined ? undefined : deliveryRecord(item);
    const [parcel] = parcelOf(card).map(found);
    const delivery = deliveryOf(card, own, parcel === undefined ? undefined : sinceOf(parcel));
    return { card, ...(delivery !== undefined && { delivery }) };
  }

  return {
    async read(apiSet, externalIds) {
      const { ask, found } = lookup();
      // DynamoDB refuses a whole request for one key that is too long.
      const keys = externalIds.filter(isExternalId).map((externalId) => cardKey({ apiSet, externalId }));
      await ask(keys);
      const items = new Set(keys.map(found).filter((item) => item !== undefined));
      const cards = [...items].map(storedCard);
      await ask(cards.flatMap((card) => [deliveryKey(card), ...parcelOf(card)]));
      return new Map(cards.map((card) => [card.externalId, historyOf(card, found)]));
    },

    async readRecords(keys) {
      const { ask, found } = lookup({ expression: recordOnly, names: recordNames });
      const opened = ({ apiSet, parcel = "" }: LookedUpCard) => parcelKey({ apiSet, parcel }, "opened");
      await ask(
        keys.flatMap((key) =>
          key.parcel === undefined
            ? [cardKey(key), deliveryKey(key)]
            : [cardKey(key), opened(key), parcelKey({ ...key, parcel: key.parcel }, "parcel")],
        ),
      );
      const cards = keys.map((key) => {
        const item = found(cardKey(key));
        return item === undefined ? undefined : cardRecord(item);
      });
      // Those of a whole parcel have no delivery; another submission may have stored the card since in another parcel.
      await ask(
        keys.flatMap((key, index) => {
          const card = cards[index];
          if (card === undefined) return [];
          const inParcel = key.parcel !== undefined && key.parcel === card.parcel?.id;
          const isWhole = inParcel && found(opened(key)) === undefined;
          return isWhole ? [] : [deliveryKey(key), ...parcelOf(card)];
        }),
      );
      return cards.map((card) => (card === undefined ? {} : historyOf(card, found)));
    },
  };
}

/**
 * Writes to the same table; each item has one function that does.
 *
 * @param retentionDays how long what is written is kept; for good where absent
 */
export function scorecardWriter(
  table: string,
  client: DynamoDBClient,
  retentionDays?: number,
): Pick<ScorecardTable, "putCards" | "putDeliveries" | "putParcels" | "openParcels"> {
  const put = (items: readonly Item[], signal: AbortSignal | undefined) =>
    batchWrite(client, table, items, { signal });
  return {
    putCards: (cards, signal) =>
      put(
        cards.map((card) => cardItem(card, retentionDays)),
        signal,
      ),
    putDeliveries: (deliveries, signal) =>
      put(
        deliveries.map((delivery) => deliveryItem(delivery, retentionDays)),
        signal,
      ),
    putParcels: (parcels, signal) =>
      put(
        parcels.map((parcel) => parcelItem(parcel, retentionDays)),
        signal,
      ),
    openParcels: (parcels, at, signal) =>
      put(
        parcels.map((parcel) => openedItem(parcel, at, retentionDays)),
        signal,
      ),
  };
}

/** Lists cards of the same table by their state. */
export function scorecardsInState(table: string, client: DynamoDBClient): Pick<ScorecardTable, "inState"> {
  return {
    async inState(apiSet, state, limit, after) {
      const answer = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: "byState",
          KeyConditionExpression: "vendorState = :vendorState",
          ExpressionAttributeValues: { ":vendorState": { S: `${apiSet}#${state}` } },
          ScanIndexForward: false,
          Limit: limit,
          ...(after !== undefined && { ExclusiveStartKey: indexKey(apiSet, state, after) }),
        }),
      );
      const last = answer.LastEvaluatedKey?.stateSince?.S;
      return {
        deliveries: (answer.Items ?? []).map(deliveryRecord),
        ...(last !== undefined && { next: last }),
      };
    },
  };
}

/** All of it together; a function takes of it what it has a right to. */
export function scorecardTable(
  table: string,
  client: DynamoDBClient,
  retentionDays?: number,
): ScorecardTable {
  return {
    ...scorecardReader(table, client),
    ...scorecardWriter(table, client, retentionDays),
    ...scorecardsInState(table, client),
  };
}

/** The key a page ended on, rebuilt from its sort key, so that a link carries nothing a vendor could point elsewhere. */
function indexKey(apiSet: ApiSet, state: DeliveryState, stateSince: string): Item {
  const externalId = stateSince.slice(stateSince.indexOf("#") + 1);
  return {
    card: { S: partition({ apiSet, externalId }) },
    item: { S: "delivery" },
    vendorState: { S: `${apiSet}#${state}` },
    stateSince: { S: stateSince },
  };
}
