import { parentPort } from "node:worker_threads";
import dynalite from "dynalite";
import db, { type Store } from "dynalite/db/index.js";
import { jsonEndpoint } from "../json-endpoint.ts";
import { startLoopbackServer } from "../loopback-server.ts";
import { batchExecuteStatement } from "./batch-execute-statement.ts";
import { streamsApi } from "./streams-api.ts";
import { withTableDescriptions } from "./table-descriptions.ts";
import { createTableStreams, keepStreamSpecifications, withTableStreams } from "./table-streams.ts";

/** What the thread tells its parent: first where it is, then which streams have new records. */
export type DynamoDbThreadMessage = { readonly address: string } | { readonly changedStream: string };

/** Changes that come this close together are told once. */
const notificationMilliseconds = 5;

const tell = (message: DynamoDbThreadMessage): void => parentPort?.postMessage(message);

const changedStreams = new Set<string>();
const streams = createTableStreams(({ arn }) => {
  if (changedStreams.has(arn)) return;
  changedStreams.add(arn);
  setTimeout(() => {
    changedStreams.delete(arn);
    tell({ changedStream: arn });
  }, notificationMilliseconds);
});

/** What dynalite has no operation for, by the header X-Amz-Target. */
const operations = new Map<string, (body: unknown) => object>();

keepStreamSpecifications();
const { create } = db;
db.create = (options): Store => {
  const store = withTableDescriptions(create(options));
  operations.set("DynamoDB_20120810.BatchExecuteStatement", batchExecuteStatement(store, streams));
  return withTableStreams(store, streams);
};
for (const [name, operation] of Object.entries(streamsApi(streams))) {
  operations.set(`DynamoDBStreams_20120810.${name}`, operation);
}

const engine = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
const { address } = await startLoopbackServer((request, response) => {
  const operation = operations.get(String(request.headers["x-amz-target"]));
  if (operation !== undefined) {
    jsonEndpoint(async (_request, body) => ({ status: 200, body: await operation(body) }))(request, response);
    return;
  }
  engine.emit("request", request, response);
  // The engine throws on a connection that breaks off in the middle of a request, as one does when an execution
  // environment is killed.
  request.removeAllListeners("error");
});
tell({ address });
