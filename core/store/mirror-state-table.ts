import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import {
  type ClubPass,
  type MirrorState,
  stateDocument,
  stateDocumentSchema,
  stateOf,
} from "../mirror/mirror-state.ts";
import type { GuidKey } from "../wire/guid.ts";
import { batchWrite } from "./batch.ts";
import { chunks } from "./chunks.ts";
import { packJson, unpackJson } from "./packed-json.ts";

/** Where the mirror keeps how far it has got. */
export interface MirrorStateTable {
  read(): Promise<MirrorState>;
  write(state: MirrorState): Promise<void>;
}

/**
 * The mirror's state in parts of the course table, so that a pass over all clubs writes a few items and not one
 * a club. A part holds 4,000 clubs, which is below DynamoDB's 400 KB an item.
 */
const clubsInPart = 4000;
const partKey = (part: number) => ({ id: { S: `mirror-state#${part}` } });

/** The mirror's state in the course table, outside its indexes. */
export function mirrorStateTable(table: string, client: DynamoDBClient): MirrorStateTable {
  return {
    async read() {
      const clubs = new Map<GuidKey, ClubPass>();
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
      // Reading ends at a part that is not full, so there must be one: what lies after it is of an earlier, longer state.
      if (state.clubs.size % clubsInPart === 0) parts.push([]);
      const items = parts.map((clubs, part) => {
        const document = stateDocument({ fullWantedAt: state.fullWantedAt, clubs: new Map(clubs) });
        return { ...partKey(part), content: { B: packJson(document) } };
      });
      await batchWrite(client, table, items);
    },
  };
}
