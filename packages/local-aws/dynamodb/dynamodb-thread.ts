import { parentPort } from "node:worker_threads";
import dynalite from "dynalite";
import db, { type Store } from "dynalite/db/index.js";
import { jsonEndpoint } from "../json-endpoint.ts";
import { startLoopbackServer } from "../loopback-server.ts";
import { batchExecuteStatement } from "./batch-execute-statement.ts";
import { withItemsInMemory } from "./stored-items.ts";
import { streamsApi } from "./streams-api.ts";
import { withTableDescriptions } from "./table-descriptions.ts";
import { createTableStreams, keepStreamSpecifications, withTableStreams } from "./table-streams.ts";

/** A message from the thread: first its address, then each stream that has new records. */
export type DynamoDbThreadMessage = { readonly address: string } | { readonly changedStream: string };

/** Changes within this time are reported once. */
const notificationMilliseconds = 5;

const post = (message: DynamoDbThreadMessage): void => parentPort?.postMessage(message);

const changedStreams = new Set<string>();
const streams = createTableStreams(({ arn }) => {
  if (changedStreams.has(arn)) return;
  changedStreams.add(arn);
  setTimeout(() => {
    changedStreams.delete(arn);
    post({ changedStream: arn });
  }, notificationMilliseconds);
});

/** Operations that dynalite lacks, by the header X-Amz-Target. */
const operations = new Map<string, (body: unknown) => object>();

// Nothing outlives the run.
operations.set("DynamoDB_20120810.DescribeContinuousBackups", () => ({
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: "DISABLED",
    PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "DISABLED" },
  },
}));

keepStreamSpecifications();
const { create } = db;
db.create = (options): Store => {
  const store = withTableDescriptions(withItemsInMemory(withTableStreams(create(options), streams), streams));
  operations.set("DynamoDB_20120810.BatchExecuteStatement", batchExecuteStatement(store));
  return store;
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
  // The engine throws when a connection breaks during a request, which happens when an execution environment is killed.
  request.removeAllListeners("error");
});
post({ address });
