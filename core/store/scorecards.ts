import { type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../account/api-set.ts";
import { isExternalId } from "../scorecard/external-id.ts";
import type { DeliveryState } from "../tracking/state.ts";
import { batchGet, batchWrite, type Item } from "./batch.ts";
import {
  cardItem,
  cardRecord,
  deliveryItem,
  deliveryRecord,
  partition,
  storedCard,
} from "./scorecard-items.ts";
import type { CardHistory, CardKey, CardRecord, ScorecardTable } from "./scorecard-table.ts";

/** Everything of an item but its content. */
const recordOnly =
  "card,#item,revision,contentHash,acceptedAt,withdraws,#state,attempts,aloneFailures,since,nextAttemptAt,history";

/** Reads cards from a DynamoDB table: two items a card, `card` and `delivery`. */
export function scorecardReader(
  table: string,
  client: DynamoDBClient,
): Pick<ScorecardTable, "read" | "readMostlyNew" | "readRecords"> {
  const cardKey = (card: string): Item => ({ card: { S: card }, item: { S: "card" } });
  const deliveryKey = (card: string): Item => ({ card: { S: card }, item: { S: "delivery" } });
  const partitions = (keys: readonly CardKey[]) => [...new Set(keys.map(partition))];
  const bothItems = (keys: readonly CardKey[]): Item[] =>
    partitions(keys).flatMap((card) => [cardKey(card), deliveryKey(card)]);

  function histories<Card extends CardRecord>(items: readonly Item[], card: (item: Item) => Card) {
    const found = new Map<string, CardHistory<Card>>();
    for (const item of items) {
      const key = item.card?.S ?? "";
      const part = item.item?.S === "card" ? { card: card(item) } : { delivery: deliveryRecord(item) };
      found.set(key, { ...found.get(key), ...part });
    }
    return found;
  }

  const keysOf = (apiSet: ApiSet, externalIds: readonly string[]) =>
    // DynamoDB refuses a whole request for one key that is too long.
    externalIds.filter(isExternalId).map((externalId) => ({ apiSet, externalId }));
  const byExternalId = (apiSet: ApiSet, items: readonly Item[]) => {
    const found = histories(items, storedCard);
    return new Map([...found].map(([key, history]) => [key.slice(apiSet.length + 1), history]));
  };

  return {
    async read(apiSet, externalIds) {
      const keys = keysOf(apiSet, externalIds);
      return byExternalId(apiSet, await batchGet(client, table, bothItems(keys)));
    },

    async readMostlyNew(apiSet, externalIds) {
      const keys = partitions(keysOf(apiSet, externalIds));
      const cards = await batchGet(client, table, keys.map(cardKey));
      const known = cards.map(({ card }) => deliveryKey(card?.S ?? ""));
      return byExternalId(apiSet, [...cards, ...(await batchGet(client, table, known))]);
    },

    async readRecords(keys) {
      const projection = { expression: recordOnly, names: { "#item": "item", "#state": "state" } };
      const found = histories(await batchGet(client, table, bothItems(keys), projection), cardRecord);
      return keys.map((key) => found.get(partition(key)) ?? {});
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
): Pick<ScorecardTable, "putCards" | "putDeliveries"> {
  return {
    async putCards(cards, signal) {
      await batchWrite(
        client,
        table,
        cards.map((card) => cardItem(card, retentionDays)),
        { signal },
      );
    },

    async putDeliveries(deliveries, signal) {
      await batchWrite(
        client,
        table,
        deliveries.map((delivery) => deliveryItem(delivery, retentionDays)),
        { signal },
      );
    },
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
