import db, { type Callback, type ItemDb, type Store, type TableDescription } from "dynalite/db/index.js";
import createTable from "dynalite/validations/createTable.js";
import { createTableStream, type StreamViewType, type TableStream } from "./table-stream.ts";

const viewTypes: readonly StreamViewType[] = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"];

/** The streams of an engine's tables. */
export interface TableStreams {
  /** The open stream of a table, if it has one. */
  of(tableName: string): TableStream | undefined;
  /** A stream by its ARN, even after its table was deleted. */
  find(streamArn: string): TableStream | undefined;
  all(): readonly TableStream[];
  /** Starts the stream of a new table, and adds its ARN and label to the table's description. */
  start(table: TableDescription): TableStream;
  /** Ends the stream of a table that is deleted. */
  end(tableName: string): void;
}

/** @param appended called after each change in a stream */
export function createTableStreams(appended: (stream: TableStream) => void): TableStreams {
  const streams: TableStream[] = [];
  const open = new Map<string, TableStream>();
  return {
    of: (tableName) => open.get(tableName),
    find: (streamArn) => streams.find(({ arn }) => arn === streamArn),
    all: () => streams,
    start(table) {
      const { TableName: tableName, TableArn: tableArn, KeySchema: keySchema } = table;
      const viewType = table.StreamSpecification?.StreamViewType as StreamViewType;
      const stream = createTableStream({ tableName, tableArn, keySchema, viewType }, db.itemSize, appended);
      table.LatestStreamArn = stream.arn;
      table.LatestStreamLabel = stream.label;
      streams.push(stream);
      open.set(tableName, stream);
      return stream;
    },
    end(tableName) {
      open.get(tableName)?.close();
      open.delete(tableName);
    },
  };
}

/** Makes dynalite, which drops unknown members, keep the StreamSpecification of a new table. */
export function keepStreamSpecifications(): void {
  createTable.types.StreamSpecification = {
    type: "FieldStruct<StreamSpecification>",
    children: {
      StreamEnabled: { type: "Boolean", notNull: true },
      StreamViewType: { type: "String", enum: viewTypes },
    },
  };
}

/**
 * Makes a store append each change of an item to its table's stream. dynalite holds the lock of an item's key while it
 * writes the item, so the records of an item are in the order of its changes.
 */
export function withTableStreams(store: Store, streams: TableStreams): Store {
  const { tableDb } = store;
  return {
    ...store,
    tableDb: {
      ...tableDb,
      put(table, description, done) {
        const isNew = description.LatestStreamArn === undefined;
        if (isNew && description.StreamSpecification?.StreamEnabled === true) streams.start(description);
        tableDb.put(table, description, done);
      },
      del(table, done) {
        streams.end(table);
        tableDb.del(table, done);
      },
    },
    getItemDb(table) {
      const itemDb = store.getItemDb(table);
      const stream = streams.of(table);
      return stream === undefined ? itemDb : streamedItems(itemDb, stream);
    },
  };
}

function streamedItems(itemDb: ItemDb, stream: TableStream): ItemDb {
  /** Makes a change, and then appends its record. */
  const change = (
    key: string,
    item: Parameters<ItemDb["put"]>[1] | undefined,
    make: (made: Callback) => void,
    done: Callback,
  ): void => {
    itemDb.get(key, (_notFound, existing) => {
      make((error) => {
        if (error === null) stream.append(existing, item);
        done(error);
      });
    });
  };
  return {
    ...itemDb,
    put: (key, item, done) => change(key, item, (made) => itemDb.put(key, item, made), done),
    del: (key, done) => change(key, undefined, (made) => itemDb.del(key, made), done),
  };
}
