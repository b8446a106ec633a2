import { type DynamoDBClient, GetItemCommand, paginateScan, ScanCommand } from "@aws-sdk/client-dynamodb";
import type { Club } from "../courses/course.ts";
import { guidKey } from "../formats/guid.ts";
import { batchWrite, type Item } from "./batch.ts";
import { packJson, unpackJson } from "./packed-json.ts";

/** The union's clubs. */
export interface ClubTable {
  /** @param id in any case */
  club(id: string): Promise<Club | undefined>;
  /** All clubs, by official number. */
  all(): Promise<Club[]>;
  isEmpty(): Promise<boolean>;
  /**
   * Writes or replaces clubs.
   *
   * @returns those that are too large to be written
   * @throws TableBatchError: some may not be written; the same call may be made again
   */
  put(clubs: readonly Club[]): Promise<readonly Club[]>;
  /** @param ids in any case @throws TableBatchError: some may not be deleted; the same call may be made again */
  remove(ids: readonly string[]): Promise<void>;
}

/** The most bytes of a packed club: an item may have 400 KB, keys and names included. */
const contentBytes = 399 * 1024;

const read = (item: Item) => unpackJson(item.content?.B ?? new Uint8Array()) as Club;

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
      const { Count } = await client.send(new ScanCommand({ TableName: table, Limit: 1, Select: "COUNT" }));
      return Count === 0;
    },
    async all() {
      const clubs: Club[] = [];
      for await (const { Items } of paginateScan({ client }, { TableName: table })) {
        clubs.push(...(Items ?? []).map(read));
      }
      return clubs.sort((one, other) => one.UnionNumber - other.UnionNumber);
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
      const tooLarge: Club[] = [];
      for (const club of clubs) {
        const content = packJson(club);
        if (content.byteLength > contentBytes) tooLarge.push(club);
        else items.push({ id: { S: guidKey(club.ID) }, content: { B: content } });
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
