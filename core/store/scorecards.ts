import { type AttributeValue, type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { ApiSet } from "../account/api-set.ts";
import { isExternalId } from "../scorecard/external-id.ts";
import {
  type DeliveryFailure,
  type DeliveryState,
  deliveryStates,
  type EarlierOutcome,
} from "../tracking/state.ts";
import { batchGet, batchWrite, type Item } from "./batch.ts";
import { type CardContent, packedContent } from "./card-content.ts";
import { packJson, unpackJson } from "./packed-json.ts";

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
const number = (value: number): AttributeValue => ({ N: String(value) });
const dated = (at: number, externalId: string) => `${new Date(at).toISOString()}#${externalId}`;

function keyOf(item: Item): CardKey {
  const text = item.card?.S ?? "";
  const hash = text.indexOf("#");
  return { apiSet: text.slice(0, hash) as ApiSet, externalId: text.slice(hash + 1) };
}

function cardRecord(item: Item): CardRecord {
  return {
    ...keyOf(item),
    revision: item.revision?.S ?? "",
    contentHash: item.contentHash?.S ?? "",
    acceptedAt: Number(item.acceptedAt?.N),
    withdraws: item.withdraws?.S,
  };
}

function storedCard(item: Item): StoredCard {
  return {
    ...cardRecord(item),
    content: packedContent(item.content?.B ?? new Uint8Array()),
  };
}

/** The time, in whole seconds since 1970, after which DynamoDB removes an item; none where cards are kept for good. */
function expiry(at: number, retentionDays: number | undefined): Item {
  return retentionDays === undefined
    ? {}
    : { expiresAt: number(Math.ceil(at / 1000) + retentionDays * 86_400) };
}

function cardItem(stored: StoredCard, retentionDays: number | undefined): Item {
  return {
    card: { S: partition(stored) },
    item: { S: "card" },
    revision: { S: stored.revision },
    contentHash: { S: stored.contentHash },
    acceptedAt: number(stored.acceptedAt),
    content: { B: stored.content.packed() },
    ...expiry(stored.acceptedAt, retentionDays),
    ...(stored.withdraws !== undefined && { withdraws: { S: stored.withdraws } }),
  };
}

/** Delivered cards stay out of the index by state: it holds only what somebody should look at. */
function deliveryItem(delivery: DeliveryRecord, retentionDays: number | undefined): Item {
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
