import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { batchWrite, type Item } from "../aws/batch.ts";
import { packText, unpackText } from "../aws/packed-json.ts";
import { scanPages } from "../aws/read-items.ts";
import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import { clubNumber, type RegisterRecord } from "./record.ts";

/** The union's clubs. */
export interface ClubTable {
  /** @param id in any case */
  club(id: string): Promise<RegisterRecord | undefined>;
  /** All clubs by official number, those without one last. */
  all(): Promise<RegisterRecord[]>;
  isEmpty(): Promise<boolean>;
  /**
   * Writes or replaces clubs.
   *
   * @returns those that are too large to be written
   * @throws TableBatchError: some may not be written; the same call may be made again
   */
  put(clubs: readonly RegisterRecord[]): Promise<readonly RegisterRecord[]>;
  /** @param ids in any case @throws TableBatchError: some may not be deleted; the same call may be made again */
  remove(ids: readonly string[]): Promise<void>;
}

/** The most bytes of a packed club: an item may have 400 KB, keys and names included. */
const contentBytes = 399 * 1024;

const read = (item: Item): RegisterRecord => ({
  id: (item.id?.S ?? "") as GuidKey,
  text: unpackText(item.content?.B ?? new Uint8Array()),
});

/** Finds mirrored clubs in a DynamoDB table. */
export function clubFinder(table: string, client: DynamoDBClient): Pick<ClubTable, "club"> {
  return {
    async club(id) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: { id: { S: guidKey(id) } } }),
      );
      return Item === undefined ? undefined : read(Item);
    },
  };
}

/** Lists the clubs of that table by a scan: it has no other items. */
export function clubLister(table: string, client: DynamoDBClient): Pick<ClubTable, "all" | "isEmpty"> {
  return {
    async isEmpty() {
      for await (const clubs of scanPages(client, { TableName: table, Limit: 1 })) {
        if (clubs.length > 0) return false;
      }
      return true;
    },
    async all() {
      const clubs: { readonly club: RegisterRecord; readonly number: number }[] = [];
      for await (const items of scanPages(client, { TableName: table })) {
        clubs.push(
          ...items.map(read).map((club) => ({ club, number: clubNumber(club.text) ?? Number.MAX_VALUE })),
        );
      }
      return clubs.sort((one, other) => one.number - other.number).map(({ club }) => club);
    },
  };
}

/** Reads and writes that table; only the mirror writes it. */
export function clubTable(table: string, client: DynamoDBClient): ClubTable {
  return {
    ...clubFinder(table, client),
    ...clubLister(table, client),
    async put(clubs) {
      const items: Item[] = [];
      const tooLarge: RegisterRecord[] = [];
      for (const club of clubs) {
        const content = packText(club.text);
        if (content.byteLength > contentBytes) tooLarge.push(club);
        else items.push({ id: { S: club.id }, content: { B: content } });
      }
      await batchWrite(client, table, items);
      return tooLarge;
    },
    async remove(ids) {
      const keys = ids.map((id) => ({ id: { S: guidKey(id) } }));
      await batchWrite(client, table, [], { deletes: keys });
    },
  };
}
