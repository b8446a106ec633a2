import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchGet, batchWrite, type Item } from "../../core/aws/batch.ts";
import { type DigestPurpose, keyedDigest } from "../../core/formats/keyed-digest.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";
import { claimedExternalId } from "../../core/records/claimed-rows.ts";
import { claimsIn } from "../../core/records/record-evidence-table.ts";
import { playersInStartList } from "../../core/views/start-list-table.ts";
import { expiryOf, type HeldData, replaceValue } from "./held-data.ts";

/** A UnionID, and the secret of the digests that are kept of it. */
export interface HashedNumber {
  readonly unionId: string;
  readonly secret: string;
}

/** Cards by `claimedCard`. */
export interface NamedCards {
  /** Those on which the person is the player. */
  readonly own: ReadonlySet<string>;
  /** Those whose player has been erased, this person or another one. */
  readonly erased: ReadonlySet<string>;
}

/** Whose digests are found or erased in the table of activity. */
interface ActivitySearch {
  readonly erase: boolean;
  readonly names: NamesPerson;
  readonly cards: NamedCards;
  /** Without it start lists are searched for labels only. */
  readonly hashed: HashedNumber | undefined;
}

/** An item in the table of cards is found by its key. */
interface KeyedItem {
  readonly what: string;
  /** @param days `yyyymmdd` */
  keysOf(person: HashedNumber, days: readonly string[]): readonly string[];
}

/** What the table of activity has is found while all its items are read. */
type SearchActivity = (
  search: ActivitySearch,
  items: readonly Item[],
  table: string,
  client: DynamoDBClient,
) => Promise<HeldData[]>;

const keyedItems = {
  knownPlayer: {
    what: "keyed hash of the UnionID, with the union's judgement",
    keysOf: ({ secret, unionId }) => [keyedDigest(secret, "knownPlayer", unionId)],
  },
  knownRounds: {
    what: "keyed hash of UnionID and day",
    keysOf: ({ secret, unionId }, days) =>
      days.map((one) => keyedDigest(secret, "knownRounds", unionId, one)),
  },
} as const satisfies Partial<Record<DigestPurpose, KeyedItem>>;

/** Every purpose that has no keyed item needs a search here, else this does not compile. */
const searches: Readonly<Record<Exclude<DigestPurpose, keyof typeof keyedItems>, SearchActivity>> = {
  startList: searchStartLists,
  recordEvidence: searchClaims,
};

/** Rounds of this many days are looked for, and those of the days of the person's cards. */
const daysOfRounds = 400;
const day = 86_400_000;

/**
 * The remembered hashes of a player. They are of the UnionID alone.
 *
 * @param days `yyyymmdd`, on which the person's cards began
 */
export async function heldAsDigests(
  erase: boolean,
  person: HashedNumber,
  days: Iterable<string>,
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const recent = Array.from({ length: daysOfRounds }, (_, ago) =>
    new Date(Date.now() + day - ago * day).toISOString().slice(0, 10).replaceAll("-", ""),
  );
  const allDays = [...new Set([...recent, ...days])];
  const kinds: readonly KeyedItem[] = Object.values(keyedItems);
  const whats = new Map(
    kinds.flatMap(({ what, keysOf }) => keysOf(person, allDays).map((id) => [id, what] as const)),
  );
  const items = await batchGet(
    client,
    table,
    [...whats.keys()].map((id) => ({ id: { S: id } })),
  );
  if (erase) {
    const deletes = items.map(({ id }) => ({ id: { S: id?.S ?? "" } }));
    await batchWrite(client, table, [], { deletes });
  }
  return items.map((item) => ({
    place: "remembered players and rounds",
    what: whats.get(item.id?.S ?? "") ?? "",
    finding: erase ? "erased" : "found",
    text: JSON.stringify({ id: item.id?.S, rounds: item.rounds?.S }),
    ...expiryOf(item),
  }));
}

/** The digests of a person in some items of the table of activity. */
export async function heldAsDigestsInActivity(
  ...[search, items, table, client]: Parameters<SearchActivity>
): Promise<HeldData[]> {
  const held: HeldData[] = [];
  for (const find of Object.values(searches)) held.push(...(await find(search, items, table, client)));
  return held;
}

/**
 * What is remembered of rows that were found in players' records: a hash of player and StartTime, which is found by the cards. If a
 * run ended after it had erased cards, the next finds their hashes all the same, because nobody needs one of an erased player.
 */
async function searchClaims(
  { erase, names, cards: { own, erased } }: ActivitySearch,
  items: readonly Item[],
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const held: HeldData[] = [];
  const deletes: Item[] = [];
  for (const item of items) {
    const claims = claimsIn(item) ?? [];
    const cards = claims.map(({ card }) => card);
    const isOwn = cards.some((card) => own.has(card));
    if (isOwn || (erase && cards.some((card) => erased.has(card)))) {
      if (erase) deletes.push({ apiSet: item.apiSet ?? { S: "" }, at: item.at ?? { S: "" } });
      const [what, finding] = ["keyed hash of player and StartTime", erase ? "erased" : "found"] as const;
      held.push({ place: "found rounds", what, finding, text: JSON.stringify(claims), ...expiryOf(item) });
    } else {
      for (const text of cards.map(claimedExternalId).filter(names)) {
        const [what, finding] = ["ExternalID of a card", erase ? "kept" : "found"] as const;
        held.push({ place: "found rounds", what, finding, text, ...expiryOf(item) });
      }
    }
  }
  await batchWrite(client, table, [], { deletes });
  return held;
}

/** A start list has a keyed digest of the UnionID, with a label that could name the person in spite of its form. */
async function searchStartLists(
  { erase, names, hashed }: ActivitySearch,
  items: readonly Item[],
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const held: HeldData[] = [];
  for (const item of items) {
    const found = playersInStartList(item, (apiSet, id) => {
      const own = hashed && keyedDigest(hashed.secret, "startList", apiSet, id, hashed.unionId);
      return ({ digest, label }) => digest === own || (label !== undefined && names(label));
    });
    if (found === undefined || found.texts.length === 0) continue;
    // Missing players are told by their place in the list, so an erased one leaves it empty.
    if (erase) await replaceValue(client, table, item, "players", { B: found.without });
    const [what, finding] = ["keyed hash of the UnionID, with a label", erase ? "erased" : "found"] as const;
    held.push(
      ...found.texts.map((text) => ({ place: "start lists", what, finding, text, ...expiryOf(item) })),
    );
  }
  return held;
}
