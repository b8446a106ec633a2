import type { Layout } from "@scorecard-pipeline/card-files/reading/recall-answers";
import { type DBSchema, openDB } from "idb";
import { shortHash } from "./kept-tables.ts";

interface Schema extends DBSchema {
  /** By owner and the hash of the headings. */
  layouts: { key: [string, string]; value: Layout };
}

/** Layouts of tables that a browser keeps for one account, also after it signed out: the next tournament is weeks away. */
export interface KeptLayouts {
  find(headings: readonly string[]): Promise<Layout | undefined>;
  keep(headings: readonly string[], layout: Layout): Promise<void>;
  forget(headings: readonly string[]): Promise<void>;
}

/** Opens the layouts of an account. @param owner the pipeline and the account */
export async function openKeptLayouts(owner: readonly string[]): Promise<KeptLayouts> {
  const own = await shortHash(JSON.stringify(owner));
  const database = await openDB<Schema>("scorecards-layouts", 1, {
    upgrade(created) {
      created.createObjectStore("layouts");
    },
  });
  const keyOf = async (headings: readonly string[]): Promise<[string, string]> => [
    own,
    await shortHash(headings.join("\n\n")),
  ];
  return {
    find: async (headings) => database.get("layouts", await keyOf(headings)),
    async keep(headings, layout) {
      await database.put("layouts", layout, await keyOf(headings));
    },
    forget: async (headings) => database.delete("layouts", await keyOf(headings)),
  };
}
