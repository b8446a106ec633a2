import type { Store, TableDescription } from "dynalite/db/index.js";
import createTable from "dynalite/validations/createTable.js";
import { createTableStream, streamViewType, type TableStream } from "./table-stream.ts";

/** The streams of an engine's tables. */
export interface TableStreams {
  of(tableName: string): TableStream | undefined;
  /** A stream by its ARN, even after its table was deleted. */
  find(streamArn: string): TableStream | undefined;
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
    start(table) {
      const { TableName: tableName, TableArn: tableArn, KeySchema: keySchema } = table;
      const stream = createTableStream({ tableName, tableArn, keySchema }, appended);
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
      StreamViewType: { type: "String", enum: [streamViewType] },
    },
  };
}

/** Makes a store start the stream of a table with the table, and end it with the table. */
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
  };
}
