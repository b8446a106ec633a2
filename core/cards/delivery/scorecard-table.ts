import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type ApiSet, apiSetSchema } from "../../accounts/account.ts";
import {
  batchGet,
  batchGetEach,
  conditionalWrites,
  type Item,
  number,
  TableBatchError,
  type TriedWrite,
  tryConditionalWrites,
  type WriteResult,
} from "../../aws/batch.ts";
import { queryPage } from "../../aws/read-items.ts";
import { isExternalId } from "../../formats/external-ids.ts";
import type { CardChange, CardKey, ExpectedCard, StoredCard } from "../life/card.ts";
import { packedContent } from "../life/card-content.ts";
import { type CardState, type ListedState, listedIn } from "../life/states.ts";
import type { Breaker, BreakerTable } from "./breaker.ts";

/** A card's item has the key `apiSet#ExternalID`; a vendor's circuit breaker has its API set alone, which has no `#`. */
const cardId = ({ apiSet, externalId }: CardKey) => `${apiSet}#${externalId}`;
const keyOf = (id: string): Item => ({ id: { S: id } });
const text = (value: string): AttributeValue => ({ S: value });
const json = (value: unknown): AttributeValue => ({ S: JSON.stringify(value) });
const parsed = (attribute: AttributeValue | undefined) =>
  attribute?.S === undefined ? undefined : JSON.parse(attribute.S);

/** How a field of a card is stored as an attribute, and read. */
interface Stored<Value> {
  readonly write: (value: Value) => AttributeValue;
  readonly read: (attribute: AttributeValue | undefined) => unknown;
}
const aNumber: Stored<number> = { write: number, read: (attribute) => attribute && Number(attribute.N) };
/** Of an item that does not have it: 0. */
const aCount: Stored<number> = { write: number, read: (attribute) => Number(attribute?.N ?? 0) };
const aText: Stored<string> = { write: text, read: (attribute) => attribute?.S };
/** Of an item that does not have it: empty. */
const anId: Stored<string> = { write: text, read: (attribute) => attribute?.S ?? "" };
const aFlag: Stored<boolean> = { write: (value) => ({ BOOL: value }), read: (attribute) => attribute?.BOOL };
const aValue: Stored<unknown> = { write: json, read: parsed };

const cardFields: { readonly [Field in keyof CardChange["set"]]-?: Stored<NonNullable<StoredCard[Field]>> } =
  {
    version: aCount,
    state: aText,
    since: aCount,
    acceptedAt: aCount,
    wokenAt: aNumber,
    requestId: anId,
    contentHash: anId,
    erasedContent: aText,
    contentSince: aNumber,
    contentAt: aNumber,
    earlierContents: aValue,
    content: {
      write: (content) => ({ B: content.packed() }),
      read: (attribute) => packedContent(attribute?.B ?? new Uint8Array()),
    },
    corrects: aValue,
    formerRound: aValue,
    mustWait: { ...aFlag, read: (attribute) => attribute?.BOOL ?? false },
    attempts: aCount,
    suspicion: aNumber,
    atExchange: aCount,
    maybeAtExchange: aCount,
    reposted: aNumber,
    nextAttemptAt: aNumber,
    failure: aValue,
    arrival: aText,
    playerUnknown: aFlag,
    laterWarnings: aValue,
    record: aValue,
    earlier: { write: json, read: (attribute) => parsed(attribute) ?? [] },
    posts: aValue,
    failed: aValue,
  };

/** Names of the attributes of a card's item, besides its key. */
export const cardAttributes: readonly string[] = Object.keys(cardFields);

const breakerFields: { readonly [Field in keyof Breaker]-?: Stored<NonNullable<Breaker[Field]>> } = {
  version: aCount,
  open: aValue,
  openedAt: aNumber,
  closedAt: aNumber,
  allBackAt: aNumber,
  delaysToday: aFlag,
};

/** Every card that is read or followed comes through here: a loop takes a third of the time that lists of entries take. */
function readFields(stored: Readonly<Record<string, Stored<never>>>, item: Item) {
  const fields: Record<string, unknown> = {};
  for (const name in stored) fields[name] = stored[name]?.read(item[name]);
  return fields;
}

/** The attributes of fields, and the names of those that are undefined. */
function attributesOf(stored: Readonly<Record<string, Stored<never>>>, values: object) {
  const set: Item = {};
  const remove: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = stored[name];
    if (value === undefined) remove.push(name);
    else if (field !== undefined) set[name] = field.write(value as never);
  }
  return { set, remove };
}

/** Reads a card's item, from the table or from its stream; undefined if it is another item. */
export function storedCard(item: Item): StoredCard | undefined {
  const id = item.id?.S ?? "";
  const hash = id.indexOf("#");
  if (hash < 0) return undefined;
  const fields = readFields(cardFields, item) as Omit<StoredCard, keyof CardKey>;
  return { ...fields, apiSet: id.slice(0, hash) as ApiSet, externalId: id.slice(hash + 1) };
}

const breakerIn = (item: Item = {}) => readFields(breakerFields, item) as unknown as Breaker;

/** Reads a circuit breaker's item, from the table's stream; undefined if it is another item. */
export function storedBreaker(item: Item): (Breaker & { readonly apiSet: ApiSet }) | undefined {
  const { data: apiSet } = apiSetSchema.safeParse(item.id?.S);
  return apiSet === undefined ? undefined : { apiSet, ...breakerIn(item) };
}

/**
 * The attributes of the index by state. It holds rejected and undelivered cards, those retrying cards that are suspected (the
 * cards that an outage delays would crowd it), and those withdrawn cards that may be at the exchange.
 */
function indexAttributes(
  { apiSet, externalId }: CardKey,
  { state, since = 0, suspicion, atExchange = 0, maybeAtExchange = 0 }: CardChange["set"],
): Item {
  const isIn = {
    all: true,
    suspected: suspicion !== undefined,
    maybeDelivered: atExchange > 0 || maybeAtExchange > 0,
    none: false,
  };
  if (state === undefined || !isIn[listedIn(state)]) return {};
  return {
    vendorState: text(`${apiSet}#${state}`),
    stateSince: text(`${new Date(since).toISOString()}#${externalId}`),
  };
}
const indexNames = ["vendorState", "stateSince"];

function expectedValues({ states, ...fields }: ExpectedCard) {
  const { set } = attributesOf(cardFields, fields);
  const values = Object.entries(set).map(([name, value]) => [name, [value]]);
  return { ...Object.fromEntries(values), state: states.map(text) };
}

/** The cards of all vendors. Every call names the vendor, so none can reach another's. */
export interface ScorecardTable extends BreakerTable {
  /** Those of these cards that are stored. */
  read(keys: readonly CardKey[]): Promise<StoredCard[]>;
  /** Makes each change by itself; the results are in order. @throws TableBatchError: some may have been made */
  write(changes: readonly CardChange[]): Promise<WriteResult[]>;
  /** As `write`, but a change that is refused affects no other. @throws TableBatchError if none was made because requests failed */
  tryWrite(changes: readonly CardChange[]): Promise<TriedWrite[]>;
  /** The vendor's breaker, and those of its cards that are stored, in one request for up to 99 of them. @throws TableBatchError */
  readWithBreaker(apiSet: ApiSet, externalIds: readonly string[]): Promise<Omit<ReadCards, "unread">>;
  /** As `readWithBreaker`, with the cards that could not be read, by ExternalID. */
  tryRead(apiSet: ApiSet, externalIds: readonly string[]): Promise<ReadCards>;
  /** The vendor's cards in a state, newest first. @param after `next` of the page before; the last page has none */
  inState(
    apiSet: ApiSet,
    state: ListedState,
    limit: number,
    after?: string,
  ): Promise<{ externalIds: readonly string[]; next?: string }>;
}

/** Cards that are stored, beside their vendor's breaker, and those that could not be read. */
export interface ReadCards {
  readonly breaker: Breaker;
  readonly cards: readonly StoredCard[];
  readonly unread: ReadonlySet<string>;
}

/** Reads cards and circuit breakers from a DynamoDB table. */
export function scorecardReader(
  table: string,
  client: DynamoDBClient,
): Pick<ScorecardTable, "read" | "readWithBreaker" | "tryRead"> {
  // One key that is too long would fail the whole request.
  const idsOf = (keys: readonly CardKey[]) =>
    new Set(keys.filter(({ externalId }) => isExternalId(externalId)).map(cardId));
  async function tryRead(apiSet: ApiSet, externalIds: readonly string[]): Promise<ReadCards> {
    const ids = idsOf(externalIds.map((externalId) => ({ apiSet, externalId })));
    const { found, unread } = await batchGetEach(client, table, [apiSet, ...ids].map(keyOf));
    // Without the breaker nothing may be posted.
    if (unread.some(({ id }) => id?.S === apiSet)) throw new TableBatchError(table);
    return {
      breaker: breakerIn(found.find(({ id }) => id?.S === apiSet)),
      cards: found.flatMap((item) => storedCard(item) ?? []),
      unread: new Set(unread.map(({ id }) => id?.S?.slice(apiSet.length + 1) ?? "")),
    };
  }
  return {
    async read(keys) {
      const items = await batchGet(client, table, [...idsOf(keys)].map(keyOf));
      return items.flatMap((item) => storedCard(item) ?? []);
    },
    async readWithBreaker(apiSet, externalIds) {
      const { breaker, cards, unread } = await tryRead(apiSet, externalIds);
      if (unread.size > 0) throw new TableBatchError(table);
      return { breaker, cards };
    },
    tryRead,
  };
}

/**
 * Changes cards and circuit breakers in a DynamoDB table.
 *
 * @param retentionDays how long a card is kept after it was accepted; forever if left out
 */
export function scorecardWriter(
  table: string,
  client: DynamoDBClient,
  retentionDays?: number,
): Pick<ScorecardTable, "write" | "tryWrite" | "writeBreaker"> {
  function conditionalWrite(change: CardChange) {
    const { expects, set } = change;
    const index = indexAttributes(change, set);
    const { set: attributes, remove } = attributesOf(cardFields, set);
    if (retentionDays !== undefined && set.acceptedAt !== undefined) {
      // DynamoDB deletes an item some time after its `expiresAt`, in whole seconds since 1970.
      attributes.expiresAt = number(Math.ceil(set.acceptedAt / 1000) + retentionDays * 86_400);
    }
    if (set.state !== undefined && expects !== undefined) {
      remove.push(...indexNames.filter((name) => !(name in index)));
    }
    return {
      key: keyOf(cardId(change)),
      expects: expects && expectedValues(expects),
      set: { ...attributes, ...index },
      remove,
    };
  }

  return {
    write: (changes) => conditionalWrites(client, table, changes.map(conditionalWrite)),
    tryWrite: (changes) => tryConditionalWrites(client, table, changes.map(conditionalWrite)),
    async writeBreaker(apiSet, read, open, times = {}) {
      const next: Breaker = { ...read, ...times, version: read.version + 1, open };
      const [result] = await conditionalWrites(client, table, [
        {
          key: keyOf(apiSet),
          expects: read.version === 0 ? undefined : { version: [number(read.version)] },
          ...attributesOf(breakerFields, next),
        },
      ]);
      return result === "written" ? next : undefined;
    },
  };
}

/** Lists cards by state from the index of a DynamoDB table. */
export function scorecardIndex(table: string, client: DynamoDBClient): Pick<ScorecardTable, "inState"> {
  return {
    async inState(apiSet, state, limit, after) {
      const page = await queryPage(
        client,
        {
          TableName: table,
          IndexName: "byState",
          KeyConditionExpression: "vendorState = :vendorState",
          ExpressionAttributeValues: { ":vendorState": text(`${apiSet}#${state}`) },
          ScanIndexForward: false,
          Limit: limit,
        },
        after === undefined ? undefined : indexKey(apiSet, state, after),
      );
      const next = page.next?.stateSince?.S;
      return {
        externalIds: page.items.map(({ stateSince }) => externalIdOf(stateSince?.S ?? "")),
        ...(next !== undefined && { next }),
      };
    },
  };
}

/**
 * The cards in a DynamoDB table: one item a card, and one for each vendor's circuit breaker.
 *
 * A function uses only the parts above that it needs, so its bundle has no request that its role may not make.
 */
export function scorecardTable(
  table: string,
  client: DynamoDBClient,
  retentionDays?: number,
): ScorecardTable {
  return {
    ...scorecardReader(table, client),
    ...scorecardWriter(table, client, retentionDays),
    ...scorecardIndex(table, client),
  };
}

const externalIdOf = (stateSince: string) => stateSince.slice(stateSince.indexOf("#") + 1);

/** The key that a page ended on, rebuilt from its sort key: with the whole key in a link, a vendor could read another's cards. */
function indexKey(apiSet: ApiSet, state: CardState, stateSince: string): Item {
  return {
    ...keyOf(cardId({ apiSet, externalId: externalIdOf(stateSince) })),
    vendorState: text(`${apiSet}#${state}`),
    stateSince: text(stateSince),
  };
}
