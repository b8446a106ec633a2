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

/** What the table of activity has is found while all its items are read. */
type SearchActivity = (
  search: ActivitySearch,
  items: readonly Item[],
  table: string,
  client: DynamoDBClient,
) => Promise<HeldData[]>;

/** Every purpose needs a search here, else this does not compile; two are in an item that is found by its key. */
const searches: Readonly<Record<Exclude<DigestPurpose, "knownPlayer" | "playedRound">, SearchActivity>> = {
  startList: searchStartLists,
  recordEvidence: searchClaims,
};

/** What is remembered of a player. It is found by a hash of the UnionID alone. */
export async function heldAsPlayer(
  erase: boolean,
  { secret, unionId }: HashedNumber,
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const key = { id: { S: keyedDigest(secret, "knownPlayer", unionId) } };
  const items = await batchGet(client, table, [key]);
  if (erase) await batchWrite(client, table, [], { deletes: items.map(() => key) });
  return items.map((item) => ({
    place: "remembered players and rounds",
    what: "keyed hash of the UnionID, with the union's judgement and rounds",
    finding: erase ? "erased" : "found",
    text: JSON.stringify({ id: item.id?.S, judgement: item.judgement?.S, rounds: item.rounds?.S }),
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
