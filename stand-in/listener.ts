import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A place that takes connections, and can stop and begin again to do so. */
interface Listener {
  /** The port it has, also while it is closed. */
  readonly port: number;
  /** @throws Error with code EADDRINUSE where somebody else has the port */
  open(): Promise<void>;
  /** Cuts every connection; new ones are refused. */
  close(): Promise<void>;
}

/** Longer than clients keep an idle connection, so that none is cut just as it is used again. */
const keepAliveMilliseconds = 75_000;

/**
 * A listener on 127.0.0.1.
 *
 * @param wanted port; 0 for any, which it keeps
 */
export function createListener(answer: RequestListener, wanted: number): Listener {
  const server = createServer({ keepAliveTimeout: keepAliveMilliseconds }, answer);
  let port = wanted;
  return {
    get port() {
      return port;
    },
    async open() {
      if (server.listening) return;
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as AddressInfo).port;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
