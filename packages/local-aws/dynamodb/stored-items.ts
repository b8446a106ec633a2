import { Readable } from "node:stream";
import db, {
  type Callback,
  type ItemDb,
  type Store,
  type ValueRange,
  type WireItem,
} from "dynalite/db/index.js";
import sorted from "sorted-btree";
import type { StoredItem, TableStream } from "./table-stream.ts";
import type { TableStreams } from "./table-streams.ts";

/**
 * Keeps the items of a store and of its indexes in memory as JSON, and appends each change of an item to its table's stream.
 *
 * dynalite's own storage is a database of a general kind, which keeps an item as bytes. With it, the thread took two thirds more time for
 * a card that is delivered.
 *
 * dynalite holds the lock of an item's key while it writes the item, so the records of an item are in the order of its changes.
 */
export function withItemsInMemory(store: Store, streams: TableStreams): Store {
  const parts = new Map<string, ItemDb>();
  const part = (name: string, make: () => ItemDb): ItemDb => {
    const known = parts.get(name) ?? make();
    parts.set(name, known);
    return known;
  };
  const drop = (name: string, done: Callback): void => {
    parts.delete(name);
    process.nextTick(done, null);
  };
  const indexName = (kind: string, table: string, index: string) => `${kind.toLowerCase()} ${table} ${index}`;
  return {
    ...store,
    getItemDb: (table) => part(table, () => itemDb(store.getItemDb(table).lock, () => streams.of(table))),
    deleteItemDb: drop,
    getIndexDb: (kind, table, index) =>
      part(indexName(kind, table, index), () => itemDb(store.getIndexDb(kind, table, index).lock)),
    deleteIndexDb: (kind, table, index, done) => drop(indexName(kind, table, index), done),
  };
}

function itemDb(lock: ItemDb["lock"], streamOf?: () => TableStream | undefined): ItemDb {
  const items = new Map<string, StoredItem>();
  /** The same keys, in the order of ranges. */
  const keys = new sorted.default<string, undefined>(undefined, sorted.simpleComparator);
  return {
    lock,
    get(key, done) {
      const found = items.get(key);
      process.nextTick(done, null, found && JSON.parse(found.json));
    },
    put(key, item, done) {
      const stream = streamOf?.();
      const stored = { json: JSON.stringify(item), bytes: stream === undefined ? 0 : db.itemSize(item) };
      const before = items.get(key);
      if (before === undefined) keys.set(key, undefined);
      items.set(key, stored);
      stream?.append(item, before, stored);
      process.nextTick(done, null);
    },
    del(key, done) {
      const before = items.get(key);
      if (before !== undefined) {
        keys.delete(key);
        items.delete(key);
        streamOf?.()?.append(JSON.parse(before.json), before, undefined);
      }
      process.nextTick(done, null);
    },
    createValueStream: (range) => Readable.from(valuesIn(range, keys.clone(), items)),
  };
}

/** Items of a range of keys that are still there when their turn comes. */
function* valuesIn(
  range: ValueRange,
  keys: sorted.default<string, undefined>,
  items: ReadonlyMap<string, StoredItem>,
): Generator<WireItem> {
  const { reverse = false, limit = -1 } = range;
  const low = range.gt ?? range.gte ?? "";
  const high = range.lt ?? range.lte;
  let count = 0;
  for (const [key] of reverse ? keys.entriesReversed(high) : keys.entries(low)) {
    if (key === range.gt || key === range.lt) continue;
    if (reverse ? key < low : high !== undefined && key > high) return;
    const found = items.get(key);
    if (found === undefined) continue;
    if (count === limit) return;
    count += 1;
    yield JSON.parse(found.json);
  }
}
