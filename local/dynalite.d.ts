declare module "dynalite" {
  import type { Server } from "node:http";

  /** An HTTP server that is DynamoDB; times in milliseconds that a table stays in a passing state. */
  export default function dynalite(options: {
    createTableMs: number;
    deleteTableMs: number;
    updateTableMs: number;
  }): Server;
}

/** Where dynalite keeps what it is given. */
declare module "dynalite/db/index.js" {
  export type Callback<Value = void> = (error: Error | null, value?: Value) => void;

  export interface TableDescription {
    readonly TableStatus: string;
  }

  export interface Store {
    readonly tableDb: {
      put(table: string, description: unknown, done: Callback): void;
      del(table: string, done: Callback): void;
    };
    /** @param checkStatus false to get also a table that is being made or deleted */
    getTable(
      table: string,
      checkStatus: false | Callback<TableDescription>,
      done?: Callback<TableDescription>,
    ): void;
  }

  const db: { create: (options: object) => Store };
  export default db;
}
