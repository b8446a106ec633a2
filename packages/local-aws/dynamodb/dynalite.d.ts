declare module "dynalite" {
  import type { Server } from "node:http";

  /** An HTTP server that emulates DynamoDB; the options are the delays of table operations, in milliseconds. */
  export default function dynalite(options: {
    createTableMs: number;
    deleteTableMs: number;
    updateTableMs: number;
  }): Server;
}

/** dynalite's storage. */
declare module "dynalite/db/index.js" {
  import type { Readable } from "node:stream";

  export type Callback<Value = void> = (error: Error | null, value?: Value) => void;

  /** A value in DynamoDB's JSON, such as { S: "text" }; bytes are Base64. */
  export type WireValue = Readonly<Record<string, unknown>>;
  export type WireItem = Readonly<Record<string, WireValue>>;

  export interface TableDescription {
    readonly TableName: string;
    readonly TableArn: string;
    readonly TableStatus: string;
    readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
    readonly StreamSpecification?: { readonly StreamEnabled?: boolean; readonly StreamViewType?: string };
    LatestStreamArn?: string;
    LatestStreamLabel?: string;
  }

  /** Keys of a range, in the order of their texts. */
  export interface ValueRange {
    readonly gt?: string;
    readonly gte?: string;
    readonly lt?: string;
    readonly lte?: string;
    readonly reverse?: boolean;
    /** -1 for no limit. */
    readonly limit?: number;
  }

  /** The items of a table or of an index, by the text of their key. */
  export interface ItemDb {
    get(key: string, done: Callback<WireItem>): void;
    put(key: string, item: WireItem, done: Callback): void;
    del(key: string, done: Callback): void;
    /** Calls back once it has locked the key; the callback that `release` returns unlocks it. */
    lock(key: string, locked: (release: (done: Callback) => Callback) => void): void;
    createValueStream(range: ValueRange): Readable;
  }

  export interface Store {
    readonly options: { readonly maxItemSize: number };
    readonly tableDb: {
      put(table: string, description: TableDescription, done: Callback): void;
      del(table: string, done: Callback): void;
    };
    /** @param checkStatus false to also get a table that is being created or deleted */
    getTable(
      table: string,
      checkStatus: false | Callback<TableDescription>,
      done?: Callback<TableDescription>,
    ): void;
    getItemDb(table: string): ItemDb;
    deleteItemDb(table: string, done: Callback): void;
    getIndexDb(kind: string, table: string, index: string): ItemDb;
    deleteIndexDb(kind: string, table: string, index: string, done: Callback): void;
  }

  /** An error that dynalite answers a request with. */
  export interface RequestError extends Error {
    readonly statusCode: number;
    readonly body: { readonly __type: string; readonly message: string };
  }

  const db: {
    create: (options: object) => Store;
    createKey(key: WireItem, table: TableDescription): string;
    itemSize(item: WireItem): number;
    updateIndexes(
      store: Store,
      table: TableDescription,
      existing: WireItem | undefined,
      item: WireItem,
      done: Callback,
    ): void;
    validateItem(item: WireItem, table: TableDescription): RequestError | null | undefined;
    validateKey(key: WireItem, table: TableDescription): RequestError | null | undefined;
  };
  export default db;
}

declare module "dynalite/validations/index.js" {
  const validations: {
    /** Normalizes numbers to the form in which they are stored; returns an error message for an invalid value. */
    validateAttributeValue(value: object): string | undefined;
  };
  export default validations;
}

declare module "dynalite/validations/createTable.js" {
  /** The members of a request that dynalite keeps. */
  const createTable: { readonly types: Record<string, unknown> };
  export default createTable;
}
