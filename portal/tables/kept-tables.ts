import type { Journal } from "@scorecard-pipeline/card-files/journal";
import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { TableChanges } from "./table-row.ts";
import { keptDatabase } from "./worker-slot.ts";

/** A table that is not sent to its end, without the file's own content. */
export interface KeptTable {
  /** Name of the file, so that its owner knows which one to drop again. */
  readonly name: string;
  readonly rows: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly changes: TableChanges;
  /** What was answered about the table. */
  readonly answers?: Answers;
}

interface Schema extends DBSchema {
  /** By owner and the digest of the file. */
  tables: { key: [string, string]; value: KeptTable };
  /** By owner and the hash of an ExternalID, the hash of the content that was accepted under it. */
  accepted: { key: [string, string]; value: { readonly content: string; readonly at: number } };
}

/** After this time what is kept goes by itself. */
const keptMilliseconds = 7 * 86_400_000;

/** What a browser keeps for one account, so that a table can be gone on with after its tab was closed. */
export interface KeptTables {
  readonly journal: Journal;
  /** Tables that are not sent to their end, the latest first. */
  pending(): Promise<readonly KeptTable[]>;
  table(digest: string): Promise<KeptTable | undefined>;
  keep(digest: string, table: KeptTable): Promise<void>;
  /** Forgets a table and the cards that were sent of it. */
  forget(digest: string, externalIds: readonly string[]): Promise<void>;
}

/** A hash of a text, with 96 bits: enough that no two of a billion cards collide. */
export async function shortHash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...digest.subarray(0, 12)));
}

/**
 * Opens what is kept for an account. What another account has left, or what is a week old, is deleted.
 *
 * @param owner the pipeline and the account
 * @param now milliseconds since 1970
 */
export async function openKeptTables(
  owner: readonly string[],
  now: () => number = Date.now,
): Promise<KeptTables> {
  const own = await shortHash(JSON.stringify(owner));
  const database = await openDB<Schema>(keptDatabase, 1, {
    upgrade(created) {
      created.createObjectStore("tables");
      created.createObjectStore("accepted");
    },
    // Signing out deletes all of it, which must not wait for this tab.
    blocking: (_, __, event) => (event.target as IDBDatabase).close(),
  });
  await deleteOthers(database, own, now() - keptMilliseconds);
  const ofOwner = IDBKeyRange.bound([own], [own, []]);
  const accepted = new Map<string, string>();
  const keys = await database.getAllKeys("accepted", ofOwner);
  const values = await database.getAll("accepted", ofOwner);
  for (const [place, [, hash]] of keys.entries()) accepted.set(hash, values[place]?.content ?? "");
  return {
    journal: {
      known: accepted.size,
      async has(externalId, json) {
        // Most tables are sent in one go, and their cards are not hashed to find none.
        if (accepted.size === 0) return false;
        return accepted.get(await shortHash(externalId)) === (await shortHash(json));
      },
      async add(cards) {
        const hashes = await Promise.all(
          cards.map(({ externalId, json }) => Promise.all([shortHash(externalId), shortHash(json)])),
        );
        const { store, done } = database.transaction("accepted", "readwrite", { durability: "strict" });
        for (const [hash, content] of hashes) {
          accepted.set(hash, content);
          void store.put({ content, at: now() }, [own, hash]);
        }
        await done;
      },
    },
    async pending() {
      const tables = await database.getAll("tables", ofOwner);
      return tables.toSorted((one, other) => other.at - one.at);
    },
    table: (digest) => database.get("tables", [own, digest]),
    async keep(digest, table) {
      await database.put("tables", table, [own, digest]);
    },
    async forget(digest, externalIds) {
      const hashes = await Promise.all(externalIds.map(shortHash));
      const transaction = database.transaction(["tables", "accepted"], "readwrite");
      void transaction.objectStore("tables").delete([own, digest]);
      for (const hash of hashes) {
        accepted.delete(hash);
        void transaction.objectStore("accepted").delete([own, hash]);
      }
      await transaction.done;
    },
  };
}

async function deleteOthers(database: IDBPDatabase<Schema>, own: string, before: number): Promise<void> {
  const transaction = database.transaction(["tables", "accepted"], "readwrite");
  for (const store of ["tables", "accepted"] as const) {
    let cursor = await transaction.objectStore(store).openCursor();
    while (cursor !== null) {
      if (cursor.primaryKey[0] !== own || cursor.value.at < before) await cursor.delete();
      cursor = await cursor.continue();
    }
  }
  await transaction.done;
}
