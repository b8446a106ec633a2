import type { RequestListener } from "node:http";
import { type MessagePort, parentPort } from "node:worker_threads";
import dynalite from "dynalite";
import db, { type Callback, type Store, type TableDescription } from "dynalite/db/index.js";
import { collectGarbage } from "../base/collect-garbage.ts";
import { type EngineHandler, engineHandler, servePort } from "../base/engine-connection.ts";
import { jsonEndpoint } from "../base/json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "../base/loopback-server.ts";
import { batchExecuteStatement } from "./batch-execute-statement.ts";
import { withItemsInMemory } from "./stored-items.ts";
import { streamsApi } from "./streams-api.ts";
import {
  createTableStreams,
  keepStreamSpecifications,
  type TableStreams,
  withTableStreams,
} from "./table-streams.ts";

/**
 * Caches the table descriptions of a store. dynalite reads and parses the description again for every item, which is a
 * third of the time that an item takes.
 */
function withTableDescriptions(store: Store): Store {
  const { tableDb } = store;
  const active = new Map<string, TableDescription>();
  let changes = 0;
  const forget = () => {
    active.clear();
    changes += 1;
  };
  /** Clears the cache before and after a change, because a read during the change may return the old description. */
  const forgetting = (done: Callback): Callback => {
    forget();
    return (error) => {
      forget();
      done(error);
    };
  };
  return {
    ...store,
    tableDb: {
      ...tableDb,
      put: (table, description, done) => tableDb.put(table, description, forgetting(done)),
      del: (table, done) => tableDb.del(table, forgetting(done)),
    },
    getTable(table, checkStatus, done) {
      // A caller that skips the status check is about to change the table, so it gets no cached description.
      if (checkStatus === false) return store.getTable(table, false, done);
      const known = active.get(table);
      if (known !== undefined) return checkStatus(null, known);
      const before = changes;
      store.getTable(table, (error, found) => {
        if (found?.TableStatus === "ACTIVE" && before === changes) active.set(table, found);
        checkStatus(error, found);
      });
    },
  };
}

/** A message from the thread: the address of a started engine, then each stream that has new records, and that it has stopped. */
export type DynamoDbThreadMessage =
  | { readonly address: string }
  | { readonly changedStream: string }
  | { readonly stopped: true };

/** A message to the thread, which has at most one engine at a time. A port brings requests to it. */
export type DynamoDbThreadCommand = "start" | "stop" | "collectGarbage" | MessagePort;

/** Changes within this time are reported once. */
const notificationMilliseconds = 5;

const post = (message: DynamoDbThreadMessage): void => parentPort?.postMessage(message);

/** Streams whose changes are reported. */
function reportedStreams(): TableStreams {
  const changed = new Set<string>();
  return createTableStreams(({ arn }) => {
    if (changed.has(arn)) return;
    changed.add(arn);
    setTimeout(() => {
      changed.delete(arn);
      post({ changedStream: arn });
    }, notificationMilliseconds);
  });
}

keepStreamSpecifications();
const { create } = db;

interface Engine {
  readonly server: LoopbackServer;
  readonly handle: EngineHandler;
  readonly ports: MessagePort[];
}

/** Starts an engine without tables. */
async function startEngine(): Promise<Engine> {
  const streams = reportedStreams();
  /** Operations that dynalite lacks, by the header X-Amz-Target. */
  const operations = new Map<string, (body: unknown) => object>();
  // Nothing outlives the run.
  operations.set("DynamoDB_20120810.DescribeContinuousBackups", () => ({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: "DISABLED",
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "DISABLED" },
    },
  }));
  db.create = (options): Store => {
    const store = withTableDescriptions(
      withItemsInMemory(withTableStreams(create(options), streams), streams),
    );
    operations.set("DynamoDB_20120810.BatchExecuteStatement", batchExecuteStatement(store));
    return store;
  };
  for (const [name, operation] of Object.entries(streamsApi(streams))) {
    operations.set(`DynamoDBStreams_20120810.${name}`, operation);
  }
  const tables = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  const listener: RequestListener = (request, response) => {
    const operation = operations.get(String(request.headers["x-amz-target"]));
    if (operation !== undefined) {
      jsonEndpoint(async (_request, body) => ({ status: 200, body: await operation(body) }))(
        request,
        response,
      );
      return;
    }
    tables.emit("request", request, response);
    // The engine throws when a connection breaks during a request, which happens when an execution environment is killed.
    request.removeAllListeners("error");
  };
  return { server: await startLoopbackServer(listener), handle: engineHandler(listener), ports: [] };
}

let engine: Promise<Engine> | undefined;
async function obey(command: DynamoDbThreadCommand): Promise<void> {
  if (command === "start") {
    engine = startEngine();
    post({ address: (await engine).server.address });
  } else if (command === "stop") {
    const ending = await engine;
    for (const port of ending?.ports ?? []) port.close();
    await ending?.server.stop();
    engine = undefined;
    post({ stopped: true });
  } else if (command === "collectGarbage") {
    collectGarbage();
  } else {
    const running = await engine;
    if (running === undefined) return command.close();
    running.ports.push(command);
    servePort(command, running.handle);
  }
}
parentPort?.on("message", (command: DynamoDbThreadCommand) => void obey(command));
