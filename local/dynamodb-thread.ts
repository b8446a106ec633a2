import { parentPort } from "node:worker_threads";
import dynalite from "dynalite";
import { startLoopbackServer } from "./loopback-server.ts";
import { keepTableDescriptions } from "./table-descriptions.ts";

keepTableDescriptions();

const engine = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
const { address } = await startLoopbackServer((request, response) => {
  engine.emit("request", request, response);
  // The engine throws on a connection that breaks off in the middle of a request, as one does when an execution
  // environment is killed.
  request.removeAllListeners("error");
});
parentPort?.postMessage(address);
