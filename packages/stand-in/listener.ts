import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server that can be closed and opened again on the same port. */
export interface Listener {
  /** Its port, also while it is closed. */
  readonly port: number;
  /** @throws Error with code EADDRINUSE if the port is taken */
  open(): Promise<void>;
  /** Cuts every connection; new ones are refused. */
  close(): Promise<void>;
}

/** Longer than clients keep an idle connection: otherwise a connection could close just as a client uses it again. */
const keepAliveMilliseconds = 75_000;

/**
 * A listener on 127.0.0.1.
 *
 * @param wanted port; 0 for any free one, which it keeps
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
