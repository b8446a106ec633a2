import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An event as a vendor's endpoint got it. */
export interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** What an endpoint says to an event. */
export interface EndpointAnswer {
  readonly status: number;
  readonly afterMilliseconds?: number;
}

/** A vendor's webhook endpoint on this machine. */
export interface VendorEndpoint {
  readonly url: string;
  /** Every event that came, whatever was answered. */
  readonly received: readonly ReceivedEvent[];
  stop(): void;
}

/** Starts an endpoint. @param answer asked for each event; 204 unless said */
export async function startEndpoint(
  answer: (event: ReceivedEvent) => EndpointAnswer = () => ({ status: 204 }),
): Promise<VendorEndpoint> {
  const received: ReceivedEvent[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const event = { headers: request.headers, body: await text(request), at: Date.now() };
    const { status, afterMilliseconds = 0 } = answer(event);
    received.push(event);
    setTimeout(() => response.writeHead(status).end(), afterMilliseconds);
  }
  const server = createServer((request, response) => {
    void take(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
