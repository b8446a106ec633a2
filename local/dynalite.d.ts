declare module "dynalite" {
  import type { Server } from "node:http";

  /** An HTTP server that is DynamoDB; times in milliseconds that a table stays in a passing state. */
  export default function dynalite(options: {
    createTableMs: number;
    deleteTableMs: number;
    updateTableMs: number;
  }): Server;
}
