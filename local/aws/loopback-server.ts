import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server that only this machine reaches. */
export interface LoopbackServer {
  /** E.g. http://127.0.0.1:40123 */
  readonly address: string;
  /** Ends it at once, whatever its connections are doing. */
  stop(): Promise<void>;
}

/** Longer than clients keep an idle connection, so that none is closed under a request. */
const keepAliveMilliseconds = 75_000;

/**
 * Starts an HTTP server on 127.0.0.1.
 *
 * @param port 0 for any that is free
 * @throws Error with code EADDRINUSE where the port is taken
 */
export async function startLoopbackServer(listener: RequestListener, port = 0): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: keepAliveMilliseconds }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    address: `http://127.0.0.1:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
