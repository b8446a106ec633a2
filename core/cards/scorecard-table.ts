import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type ApiSet, apiSetSchema } from "../accounts/account.ts";
import { batchGet, conditionalWrites, type Item, number, type WriteResult } from "../aws/batch.ts";
import { queryPage } from "../aws/read-items.ts";
import { isExternalId } from "../golf/external-ids.ts";
import type { CardChange, CardKey, ExpectedCard, StoredCard } from "./card.ts";
import { packedContent } from "./card-content.ts";
import type { Breaker, BreakerTimes, OpenBreaker } from "./delivery/breaker.ts";
import { type CardState, type ListedState, listedIn } from "./life/states.ts";

/** A card's item has the key `apiSet#ExternalID`; a vendor's circuit breaker has its API set alone, which has no `#`. */
const cardId = ({ apiSet, externalId }: CardKey) => `${apiSet}#${externalId}`;
const keyOf = (id: string): Item => ({ id: { S: id } });
const text = (value: string): AttributeValue => ({ S: value });
const json = (value: unknown): AttributeValue => ({ S: JSON.stringify(value) });
const parsed = (attribute: AttributeValue | undefined) =>
  attribute?.S === undefined ? undefined : JSON.parse(attribute.S);

type CardField = keyof CardChange["set"];

/** The attribute that each field of a card is stored as. */
const attributeOf: {
  readonly [Field in CardField]-?: (value: NonNullable<StoredCard[Field]>) => AttributeValue;
} = {
  version: number,
  state: text,
  since: number,
  acceptedAt: number,
  wokenAt: number,
  requestId: text,
  contentHash: text,
  contentSince: number,
  earlierContents: json,
  content: (content) => ({ B: content.packed() }),
  corrects: json,
  formerRound: json,
  mustWait: (mustWait) => ({ BOOL: mustWait }),
  attempts: number,
  suspicion: number,
  atExchange: number,
  maybeAtExchange: number,
  reposted: number,
  nextAttemptAt: number,
  failure: json,
  arrival: text,
  playerUnknown: (playerUnknown) => ({ BOOL: playerUnknown }),
  laterWarnings: json,
  record: json,
  earlier: json,
  posts: json,
  failed: json,
};

/** Reads a card's item, from the table or from its stream; undefined if it is another item. */
export function storedCard(item: Item): StoredCard | undefined {
  const id = item.id?.S ?? "";
  const hash = id.indexOf("#");
  if (hash < 0) return undefined;
  const numberOf = (name: CardField) => Number(item[name]?.N ?? 0);
  return {
    apiSet: id.slice(0, hash) as ApiSet,
    externalId: id.slice(hash + 1),
    version: numberOf("version"),
    state: item.state?.S as CardState,
    since: numberOf("since"),
    acceptedAt: numberOf("acceptedAt"),
    wokenAt: item.wokenAt && numberOf("wokenAt"),
    requestId: item.requestId?.S ?? "",
    contentHash: item.contentHash?.S ?? "",
    contentSince: item.contentSince && numberOf("contentSince"),
    earlierContents: parsed(item.earlierContents),
    content: packedContent(item.content?.B ?? new Uint8Array()),
    corrects: parsed(item.corrects),
    formerRound: parsed(item.formerRound),
    mustWait: item.mustWait?.BOOL ?? false,
    attempts: numberOf("attempts"),
    suspicion: item.suspicion && numberOf("suspicion"),
    atExchange: numberOf("atExchange"),
    maybeAtExchange: numberOf("maybeAtExchange"),
    reposted: item.reposted && numberOf("reposted"),
    nextAttemptAt: item.nextAttemptAt && numberOf("nextAttemptAt"),
    failure: parsed(item.failure),
    arrival: item.arrival?.S as StoredCard["arrival"],
    playerUnknown: item.playerUnknown?.BOOL,
    laterWarnings: parsed(item.laterWarnings),
    record: parsed(item.record),
    earlier: parsed(item.earlier) ?? [],
    posts: parsed(item.posts),
    failed: parsed(item.failed),
  };
}

const breakerTimes = [
  "openedAt",
  "closedAt",
  "allBackAt",
  "outageSince",
  "suspectTriedAt",
] as const satisfies (keyof BreakerTimes)[];

function breakerIn(item: Item | undefined): Breaker {
  const times = breakerTimes.map((name) => [name, item?.[name] && Number(item[name].N)]);
  return { version: Number(item?.version?.N ?? 0), open: parsed(item?.open), ...Object.fromEntries(times) };
}

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
  { state, since = 0, nextAttemptAt, atExchange = 0, maybeAtExchange = 0 }: CardChange["set"],
): Item {
  const isIn = {
    all: true,
    suspected: nextAttemptAt !== undefined,
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

function expectedValues({ version, states, posts, ...rest }: ExpectedCard) {
  const others = Object.entries(rest).map(([name, value]) => [name, [number(value)]] as const);
  return {
    version: [number(version)],
    state: states.map(text),
    ...(posts !== undefined && { posts: [json(posts)] }),
    ...Object.fromEntries(others),
  };
}

/** The cards of all vendors. Every call names the vendor, so none can reach another's. */
export interface ScorecardTable {
  /** Those of these cards that are stored. */
  read(keys: readonly CardKey[]): Promise<StoredCard[]>;
  /** Makes each change by itself; the results are in order. @throws TableBatchError: some may have been made */
  write(changes: readonly CardChange[]): Promise<WriteResult[]>;
  /** The vendor's breaker, and those of its cards that are stored, in one request for up to 99 of them. */
  readWithBreaker(
    apiSet: ApiSet,
    externalIds: readonly string[],
  ): Promise<{ breaker: Breaker; cards: StoredCard[] }>;
  /**
   * @param times those that change
   * @returns the breaker as written; undefined if another run has changed it since it was read
   */
  writeBreaker(
    apiSet: ApiSet,
    read: Breaker,
    open: OpenBreaker | undefined,
    times?: BreakerTimes,
  ): Promise<Breaker | undefined>;
  /** The vendor's cards in a state, newest first. @param after `next` of the page before; the last page has none */
  inState(
    apiSet: ApiSet,
    state: ListedState,
    limit: number,
    after?: string,
  ): Promise<{ externalIds: readonly string[]; next?: string }>;
}

/** Reads cards and circuit breakers from a DynamoDB table. */
export function scorecardReader(
  table: string,
  client: DynamoDBClient,
): Pick<ScorecardTable, "read" | "readWithBreaker"> {
  // One key that is too long would fail the whole request.
  const idsOf = (keys: readonly CardKey[]) =>
    new Set(keys.filter(({ externalId }) => isExternalId(externalId)).map(cardId));
  return {
    async read(keys) {
      const items = await batchGet(client, table, [...idsOf(keys)].map(keyOf));
      return items.flatMap((item) => storedCard(item) ?? []);
    },
    async readWithBreaker(apiSet, externalIds) {
      const ids = idsOf(externalIds.map((externalId) => ({ apiSet, externalId })));
      const items = await batchGet(client, table, [apiSet, ...ids].map(keyOf));
      const breaker = items.find(({ id }) => id?.S === apiSet);
      return {
        breaker: breakerIn(breaker),
        cards: items.flatMap((item) => storedCard(item) ?? []),
      };
    },
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
): Pick<ScorecardTable, "write" | "writeBreaker"> {
  function conditionalWrite(change: CardChange) {
    const { expects, set } = change;
    const index = indexAttributes(change, set);
    const attributes: Item = { ...index };
    const remove: string[] = [];
    for (const [name, value] of Object.entries(set) as [CardField, never][]) {
      if (value === undefined) remove.push(name);
      else attributes[name] = attributeOf[name](value);
    }
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
      set: attributes,
      remove,
    };
  }

  return {
    write: (changes) => conditionalWrites(client, table, changes.map(conditionalWrite)),
    async writeBreaker(apiSet, read, open, times = {}) {
      const { version } = read;
      const next: Breaker = { ...read, ...times, version: version + 1, open };
      const kept = breakerTimes.flatMap((name) => {
        const value = next[name];
        return value === undefined ? [] : [[name, number(value)] as const];
      });
      const removed = breakerTimes.filter((name) => read[name] !== undefined && next[name] === undefined);
      const [result] = await conditionalWrites(client, table, [
        {
          key: keyOf(apiSet),
          expects: version === 0 ? undefined : { version: [number(version)] },
          set: {
            version: number(next.version),
            ...(open !== undefined && { open: json(open) }),
            ...Object.fromEntries(kept),
          },
          remove: [...(open === undefined ? ["open"] : []), ...removed],
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
