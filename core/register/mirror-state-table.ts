import { randomUUID } from "node:crypto";
import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { batchWrite, type Item } from "../aws/batch.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";
import { chunks } from "../formats/chunks.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import {
  guidKeySchema,
  type MirrorState,
  progressDocument,
  progressSchema,
  stateOfProgress,
} from "./sync-state.ts";

/*
 * The IDs of the clubs are the larger part of the state, and change only with the clubs. So they have items of their own, which
 * are written when a club comes or goes, and the progress is one small item. It names the generation of the IDs that it
 * belongs to: whichever writes of a killed run arrive late, no club is ever given another one's state.
 */

/** The stored state of the mirror. */
export interface MirrorStateTable {
  /** An empty state if none was written. */
  read(): Promise<MirrorState>;
  /** @throws TableBatchError: a part may not be written; the same call may be made again */
  write(state: MirrorState): Promise<void>;
}

/** Clubs in one item, which stays far below DynamoDB's 400 KB. */
const clubsInPart = 4000;
const progressKey: Item = { id: { S: "mirror-progress" } };
const partKey = (generation: string, part: number): Item => ({
  id: { S: `mirror-clubs#${generation}#${part}` },
});

const idsSchema = z.array(guidKeySchema);
const storedSchema = z.extend(progressSchema, { generation: z.string(), parts: z.number() });

/** The IDs of the clubs as they are stored. */
interface StoredIds {
  readonly generation: string;
  readonly parts: number;
  readonly ids: readonly GuidKey[];
}

const createReader = (table: string, client: DynamoDBClient) => async (Key: Item) => {
  const { Item } = await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
  return Item?.content?.B === undefined ? undefined : unpackJson(Item.content.B);
};

/** Reads the state with the IDs as they are stored; without them if there are none, or if some of them are missing. */
async function readState(
  table: string,
  client: DynamoDBClient,
): Promise<{ readonly state: MirrorState; readonly stored?: StoredIds }> {
  const read = createReader(table, client);
  const document = await read(progressKey);
  if (document === undefined) return { state: { list: {}, clubs: new Map() } };
  const { generation, parts, ...progress } = storedSchema.parse(document);
  const ids: GuidKey[] = [];
  for (let part = 0; part < parts; part++) {
    const some = await read(partKey(generation, part));
    // Every club is asked for everything then.
    if (some === undefined) return { state: { list: progress.list, clubs: new Map() } };
    ids.push(...idsSchema.parse(some));
  }
  return { state: stateOfProgress(progress, ids), stored: { generation, parts, ids } };
}

/** Reads the mirror's state from the course table. */
export function mirrorStateReader(table: string, client: DynamoDBClient): Pick<MirrorStateTable, "read"> {
  return { read: async () => (await readState(table, client)).state };
}

/** Stores the mirror's state in the course table, in items that its indexes leave out. */
export function mirrorStateTable(table: string, client: DynamoDBClient): MirrorStateTable {
  let stored: StoredIds | undefined;

  async function writeIds(ids: readonly GuidKey[]): Promise<StoredIds> {
    const generation = randomUUID();
    const parts = chunks(ids, clubsInPart);
    const items = parts.map((some, part) => ({
      ...partKey(generation, part),
      content: { B: packJson(some) },
    }));
    await batchWrite(client, table, items);
    return { generation, parts: parts.length, ids };
  }

  return {
    async read() {
      const found = await readState(table, client);
      stored = found.stored;
      return found.state;
    },
    async write({ list, clubs }) {
      const sorted = [...clubs].sort(([one], [other]) => (one < other ? -1 : 1));
      const ids = sorted.map(([id]) => id);
      const before = stored;
      const areSame = before?.ids.length === ids.length && before.ids.every((id, place) => id === ids[place]);
      const now = before !== undefined && areSame ? before : await writeIds(ids);
      const { generation, parts } = now;
      const document = { generation, parts, ...progressDocument({ list, clubs: new Map(sorted) }) };
      await batchWrite(client, table, [{ ...progressKey, content: { B: packJson(document) } }]);
      stored = now;
      // Only now: until the progress is written, it names the former IDs.
      if (before === undefined || before === now) return;
      const former = Array.from({ length: before.parts }, (_, part) => partKey(before.generation, part));
      await batchWrite(client, table, [], { deletes: former });
    },
  };
}
