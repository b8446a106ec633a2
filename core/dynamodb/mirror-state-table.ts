import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import {
  type ClubSync,
  type MirrorState,
  stateDocument,
  stateDocumentSchema,
  stateOf,
} from "../courses/sync/state.ts";
import type { GuidKey } from "../formats/guid.ts";
import { batchWrite } from "./batch.ts";
import { chunks } from "./chunks.ts";
import { packJson, unpackJson } from "./packed-json.ts";

/** Where the mirror keeps how far it has got. */
export interface MirrorStateTable {
  /** What was written last; an empty state where nothing was. */
  read(): Promise<MirrorState>;
  /** @throws TableBatchError where a part could not be written; the same call may be made again */
  write(state: MirrorState): Promise<void>;
}

/** Clubs in one item, which stays far below DynamoDB's 400 KB. So a pass writes a few items, and not one a club. */
const clubsInPart = 4000;
const partKey = (part: number) => ({ id: { S: `mirror-state#${part}` } });

/** Keeps the mirror's state in the course table, in items that its indexes leave out. */
export function mirrorStateTable(table: string, client: DynamoDBClient): MirrorStateTable {
  return {
    async read() {
      const clubs = new Map<GuidKey, ClubSync>();
      let fullWantedAt = 0;
      for (let part = 0; ; part++) {
        const { Item } = await client.send(
          new GetItemCommand({ TableName: table, Key: partKey(part), ConsistentRead: true }),
        );
        if (Item?.content?.B === undefined) break;
        const state = stateOf(stateDocumentSchema.parse(unpackJson(Item.content.B)));
        fullWantedAt = state.fullWantedAt;
        for (const [id, pass] of state.clubs) clubs.set(id, pass);
        if (state.clubs.size < clubsInPart) break;
      }
      return { fullWantedAt, clubs };
    },
    async write(state) {
      const parts = chunks([...state.clubs], clubsInPart);
      // Reading ends with a part that is not full: those after it may be left from a time when there were more clubs.
      if (state.clubs.size % clubsInPart === 0) parts.push([]);
      const items = parts.map((clubs, part) => {
        const document = stateDocument({ fullWantedAt: state.fullWantedAt, clubs: new Map(clubs) });
        return { ...partKey(part), content: { B: packJson(document) } };
      });
      await batchWrite(client, table, items);
    },
  };
}
