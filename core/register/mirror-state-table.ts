import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { batchWrite } from "../aws/batch.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";
import { chunks } from "../formats/chunks.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import {
  type ClubSync,
  type ListSync,
  type MirrorState,
  stateDocument,
  stateDocumentSchema,
  stateOf,
} from "./sync-state.ts";

/** The stored state of the mirror. */
export interface MirrorStateTable {
  /** An empty state if none was written. */
  read(): Promise<MirrorState>;
  /** @throws TableBatchError: a part may not be written; the same call may be made again */
  write(state: MirrorState): Promise<void>;
}

/** Clubs in one item, which stays far below DynamoDB's 400 KB. */
const clubsInPart = 4000;
const partKey = (part: number) => ({ id: { S: `mirror-state#${part}` } });

/** Reads the mirror's state from the course table. */
export function mirrorStateReader(table: string, client: DynamoDBClient): Pick<MirrorStateTable, "read"> {
  return {
    async read() {
      const clubs = new Map<GuidKey, ClubSync>();
      let list: ListSync = {};
      for (let part = 0; ; part++) {
        const { Item } = await client.send(
          new GetItemCommand({ TableName: table, Key: partKey(part), ConsistentRead: true }),
        );
        if (Item?.content?.B === undefined) break;
        const state = stateOf(stateDocumentSchema.parse(unpackJson(Item.content.B)));
        list = state.list;
        for (const [id, sync] of state.clubs) clubs.set(id, sync);
        if (state.clubs.size < clubsInPart) break;
      }
      return { list, clubs };
    },
  };
}

/** Stores the mirror's state in the course table, in items that its indexes leave out. */
export function mirrorStateTable(table: string, client: DynamoDBClient): MirrorStateTable {
  return {
    ...mirrorStateReader(table, client),
    async write(state) {
      const parts = chunks([...state.clubs], clubsInPart);
      // Reading ends with a part that is not full: parts after it may remain from a time with more clubs.
      if (state.clubs.size % clubsInPart === 0) parts.push([]);
      const items = parts.map((clubs, part) => {
        const document = stateDocument({ list: state.list, clubs: new Map(clubs) });
        return { ...partKey(part), content: { B: packJson(document) } };
      });
      await batchWrite(client, table, items);
    },
  };
}
