import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { engineHandler, offerConnections, servePort } from "./engine-connection.ts";

/** An HTTP server that only this machine can reach. */
export interface LoopbackServer {
  /** E.g. http://127.0.0.1:40123 */
  readonly address: string;
  /** Stops it at once and breaks open connections. */
  stop(): Promise<void>;
}

/** Longer than clients keep an idle connection: otherwise a connection could close just as a client uses it again. */
const keepAliveMilliseconds = 75_000;

/**
 * Starts an HTTP server on 127.0.0.1.
 *
 * @param port 0 for any that is free
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function startLoopbackServer(listener: RequestListener, port = 0): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: keepAliveMilliseconds }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle = engineHandler(listener);
  const endConnections = offerConnections(address, (messages) => servePort(messages, handle));
  return {
    address,
    stop: () =>
      new Promise((resolve) => {
        endConnections();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
