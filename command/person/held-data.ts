import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { batchGet, type Item } from "../../core/aws/batch.ts";

/** What was done with something that names a person. `maybe erased`: the request failed, but AWS may have done it. */
export type FoundData =
  | "found"
  | "erased"
  | "maybe erased"
  | "kept"
  | "to be delivered"
  | "changed meanwhile";

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

/** When DynamoDB removes an item. */
export function expiryOf({ expiresAt }: Item): { readonly until?: string } {
  return expiresAt?.N === undefined ? {} : { until: new Date(Number(expiresAt.N) * 1000).toISOString() };
}

/** A table that is searched for a person. */
export interface TableSearch {
  readonly erase: boolean;
  readonly table: string;
  readonly client: DynamoDBClient;
  /** Gets each finding at once: if the search fails later, it is the only record of what was erased. */
  readonly held: HeldData[];
}

/** The texts of an attribute that name a person, and its value without them. */
export interface FoundInValue {
  readonly texts: readonly string[];
  readonly without: AttributeValue;
}

/** How often an attribute is written if other writers keep changing it. */
const maxWrites = 5;

/** Erases something and adds it to what was found, also if the request fails. */
export async function recordErasure(
  held: HeldData[],
  erase: () => Promise<unknown>,
  readRows: () => readonly HeldData[],
): Promise<void> {
  try {
    await erase();
  } catch (error) {
    held.push(...readRows().map((row) => ({ ...row, finding: "maybe erased" as const })));
    throw error;
  }
  held.push(...readRows());
}

/**
 * Finds the texts of an attribute that name a person. An erasure takes them out; if another writer changes the attribute first, it is
 * read again.
 *
 * @param row what is reported of each text
 * @throws Error if other writers keep changing it: the command may be run again
 */
export async function searchValue(
  { erase, table, client, held }: TableSearch,
  item: Item,
  name: string,
  row: Pick<HeldData, "place" | "what">,
  search: (item: Item) => FoundInValue,
): Promise<void> {
  let found = search(item);
  if (found.texts.length === 0) return;
  const readRows = () =>
    found.texts.map(
      (text): HeldData => ({ ...row, finding: erase ? "erased" : "found", text, ...expiryOf(item) }),
    );
  const eraseTexts = async () => {
    const { apiSet = { S: "" }, at = { S: "" } } = item;
    let read = item;
    for (let write = 1; !(await replaceValue(client, table, read, name, found.without)); write += 1) {
      if (write === maxWrites)
        throw new Error(`${row.place}: an entry keeps changing. Run the same command again.`);
      [read = {}] = await batchGet(client, table, [{ apiSet, at }]);
      const again = search(read);
      // The texts have gone: with the item, or by this write, whose response was lost.
      if (again.texts.length === 0) return;
      found = again;
    }
  };
  if (erase) await recordErasure(held, eraseTexts, readRows);
  else held.push(...readRows());
}

/** @returns false if the attribute has changed since it was read */
async function replaceValue(
  client: DynamoDBClient,
  table: string,
  { apiSet, at, ...item }: Item,
  name: string,
  value: AttributeValue,
): Promise<boolean> {
  const request = new UpdateItemCommand({
    TableName: table,
    Key: { apiSet: apiSet ?? { S: "" }, at: at ?? { S: "" } },
    UpdateExpression: "SET #name = :value",
    ConditionExpression: "#name = :read",
    ExpressionAttributeNames: { "#name": name },
    ExpressionAttributeValues: { ":value": value, ":read": item[name] ?? { NULL: true } },
  });
  try {
    await client.send(request);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
