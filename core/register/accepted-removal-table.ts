import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { batchWrite } from "../aws/batch.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import { guidKeySchema } from "./sync-state.ts";

/** Clubs whose removal an operator has accepted, for the next syncs to carry out. */
export interface AcceptedRemovalTable {
  /** Those that were accepted less than a day before `now`, in milliseconds since 1970, UTC. */
  read(now: number): Promise<ReadonlySet<GuidKey>>;
  write(ids: readonly GuidKey[], now: number): Promise<void>;
  clear(): Promise<void>;
}

/** Later the union may have listed a club again, and lost it once more, which the operator has not seen. */
const validMilliseconds = 86_400_000;
const key = { id: { S: "mirror-accepted" } };
const schema = z.object({ ids: z.array(guidKeySchema), at: z.number() });

/** Stores them in the course table, in an item that its indexes leave out. */
export function acceptedRemovalTable(table: string, client: DynamoDBClient): AcceptedRemovalTable {
  return {
    async read(now) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }),
      );
      if (Item?.content?.B === undefined) return new Set();
      const { ids, at } = schema.parse(unpackJson(Item.content.B));
      return new Set(now - at < validMilliseconds ? ids : []);
    },
    async write(ids, now) {
      await batchWrite(client, table, [{ ...key, content: { B: packJson({ ids, at: now }) } }]);
    },
    async clear() {
      await batchWrite(client, table, [], { deletes: [key] });
    },
  };
}
