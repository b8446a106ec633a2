import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { Item } from "../../core/aws/batch.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";
import type { PersonOnCard } from "../../core/cards/person-data.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";
import { attributeTexts } from "./json-texts.ts";

/** What was done with something that names a person. `changed meanwhile`: another writer was faster, so it is left for the next run. */
export type FoundData = "found" | "erased" | "kept" | "to be delivered" | "changed meanwhile";

/** Whether another run may erase it. */
export const isLeft = (finding: FoundData) =>
  finding === "to be delivered" || finding === "changed meanwhile";

/** Something that is held of a person outside cards' contents. */
export interface HeldData {
  readonly place: string;
  /** What it is, without the person's data. */
  readonly what: string;
  readonly finding: FoundData;
  /** When it goes by itself, ISO 8601; absent if it does not. */
  readonly until?: string;
  /** The text itself, for the person's own copy. */
  readonly text: string;
}

/** A card that names a person, and what was done with it. */
export interface PersonCard {
  readonly card: StoredCard;
  readonly person: PersonOnCard;
  readonly finding: FoundData;
  readonly until?: string;
}

/** When DynamoDB removes an item. */
export function expiryOf({ expiresAt }: Item): { readonly until?: string } {
  return expiresAt?.N === undefined ? {} : { until: new Date(Number(expiresAt.N) * 1000).toISOString() };
}

/** The key of an item: of the table of activity, or of the table of cards. */
const keyIn = ({ apiSet = { S: "" }, at, id = { S: "" } }: Item): Item =>
  at === undefined ? { id } : { apiSet, at };

/** The search for a person, and what it has found so far; an erasure that fails reports it. */
export interface PersonSearch {
  readonly erase: boolean;
  readonly names: NamesPerson;
  /** Finds what only resembles the person. */
  readonly resembles?: ((text: string) => readonly string[]) | undefined;
  readonly client: DynamoDBClient;
  /** Secret of the digests. */
  readonly secret: string;
  /** How many cards were read. */
  scanned: number;
  readonly cards: PersonCard[];
  /** Cards whose rounds in records are the person's, by `claimedCard`. */
  readonly claims: Set<string>;
  readonly held: HeldData[];
  readonly notLookedAt: string[];
  readonly resembling: Set<string>;
}

/** A table that is searched for a person. */
export type TableSearch = PersonSearch & { readonly table: string };

/** Makes a search that has found nothing yet. */
export const searchFor = (
  given: Pick<PersonSearch, "erase" | "names" | "resembles" | "client" | "secret">,
): PersonSearch => ({
  ...given,
  ...{ scanned: 0, cards: [], held: [], notLookedAt: [] },
  ...{ claims: new Set<string>(), resembling: new Set<string>() },
});

/** Takes down what only resembles the person in texts. */
export function noteResembling({ resembles, resembling }: PersonSearch, texts: readonly string[]): void {
  if (resembles === undefined) return;
  for (const spelling of texts.flatMap(resembles)) resembling.add(spelling);
}

/** How an attribute is searched, by the first word of its name with the blank after it. */
export interface AttributeSearch {
  readonly place: string;
  /** What it has, without the person's data. */
  readonly what: string;
  /** Finds what can be erased; absent if it stays, since cards are found by it or vendors are still to get it. */
  readonly find?: (value: AttributeValue, names: NamesPerson) => FoundInValue;
}

/**
 * Searches an item. Whatever is stored is searched by default, and stays, because only who stores it knows what may take its place.
 *
 * @param place where attributes are that no other search is given for, for the report
 * @param isSearched whether an attribute is searched in another way
 */
export async function searchItem(
  search: TableSearch,
  item: Item,
  place: string,
  searches: Readonly<Record<string, AttributeSearch>> = {},
  isSearched: (attribute: string) => boolean = () => false,
): Promise<void> {
  noteResembling(search, Object.values(item).flatMap(attributeTexts));
  const { erase, held, names } = search;
  for (const [name, value] of Object.entries(item)) {
    if (isSearched(name)) continue;
    const { find, ...row }: AttributeSearch = searches[/^\w+ ?/.exec(name)?.[0] ?? ""] ?? {
      place,
      what: name,
    };
    const note = (texts: Iterable<string>, finding: FoundData) => {
      for (const text of texts) held.push({ ...row, finding, text, ...expiryOf(item) });
    };
    const found = find?.(value, names) ?? { texts: [], without: value };
    if (found.texts.length > 0)
      note(found.texts, erase ? await replaceValue(search, item, name, found.without) : "found");
    const stays = new Set([name, ...attributeTexts(found.without)].filter(names));
    note(stays, erase ? "kept" : "found");
  }
}

/** The texts of an attribute that name a person, and its value without them. */
interface FoundInValue {
  readonly texts: readonly string[];
  readonly without: AttributeValue;
}

/** Replaces an attribute unless it has changed since it was read. */
async function replaceValue(
  { client, table }: TableSearch,
  item: Item,
  name: string,
  value: AttributeValue,
): Promise<FoundData> {
  const request = new UpdateItemCommand({
    TableName: table,
    Key: keyIn(item),
    UpdateExpression: "SET #name = :value",
    ConditionExpression: "#name = :read",
    ExpressionAttributeNames: { "#name": name },
    ExpressionAttributeValues: { ":value": value, ":read": item[name] ?? { NULL: true } },
  });
  try {
    await client.send(request);
    return "erased";
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return "changed meanwhile";
    throw error;
  }
}
