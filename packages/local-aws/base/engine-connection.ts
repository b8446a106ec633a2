import { EventEmitter } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { MessageChannel, type MessagePort } from "node:worker_threads";

/** A body as text, which a port copies faster than bytes. */
export interface PortBody {
  readonly body: string;
  /** latin1 for bytes. */
  readonly encoding: "utf8" | "latin1";
}

/** A request to an engine, as HTTP would bring it. */
export interface PortRequest extends PortBody {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The response to the request with the same id. */
export interface PortResponse extends PortBody {
  readonly id: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers a request. */
export type EngineHandler = (request: PortRequest) => Promise<Omit<PortResponse, "id">>;

/** A body of text or bytes. */
export const toPortBody = (body: string | Uint8Array): PortBody =>
  typeof body === "string"
    ? { body, encoding: "utf8" }
    : {
        body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"),
        encoding: "latin1",
      };

/** A response as listeners of an HTTP server write it, kept in memory. */
class CollectedResponse extends EventEmitter {
  statusCode = 200;
  readonly #headers: Record<string, string> = {};
  readonly #ended: (response: Omit<PortResponse, "id">) => void;

  constructor(ended: (response: Omit<PortResponse, "id">) => void) {
    super();
    this.#ended = ended;
  }

  setHeader(name: string, value: unknown): this {
    this.#headers[name.toLowerCase()] = String(value);
    return this;
  }

  writeHead(status: number, headers: Readonly<Record<string, unknown>> = {}): this {
    this.statusCode = status;
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    return this;
  }

  end(body: string | Uint8Array = ""): this {
    this.#ended({ status: this.statusCode, headers: this.#headers, ...toPortBody(body) });
    return this;
  }

  destroy(): this {
    return this.writeHead(500).end();
  }
}

/** Hands requests to the listener of an HTTP server. */
export function engineHandler(listener: RequestListener): EngineHandler {
  return ({ method, url, headers, body, encoding }) =>
    new Promise((resolve) => {
      const request = Object.assign(new Readable({ read: () => undefined }), { method, url, headers });
      const response = new CollectedResponse(resolve);
      listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
      if (body !== "") request.push(Buffer.from(body, encoding));
      request.push(null);
    });
}

/** Answers the requests that come through a port. It does not keep the process. */
export function servePort(port: MessagePort, handle: EngineHandler): void {
  const answer = async (request: PortRequest): Promise<void> => {
    const response: PortResponse = { id: request.id, ...(await handle(request)) };
    port.postMessage(response);
  };
  port.on("message", (request: PortRequest) => void answer(request));
  port.unref();
}

/** Opens a connection, and returns the end of whoever sends requests. */
export type ConnectEngine = () => MessagePort;

const engines = new Map<string, ConnectEngine>();

/** How to connect to the engine at an address without HTTP, if it is one of this process. */
export const engineAt = (address: string): ConnectEngine | undefined => engines.get(address);

/** Lets threads connect to an engine at an address. @returns ends all connections, and lets nobody connect any more */
export function offerConnections(address: string, serve: (port: MessagePort) => void): () => void {
  const ports: MessagePort[] = [];
  engines.set(address, () => {
    const { port1, port2 } = new MessageChannel();
    ports.push(port2);
    serve(port2);
    return port1;
  });
  return () => {
    engines.delete(address);
    for (const port of ports) port.close();
  };
}
