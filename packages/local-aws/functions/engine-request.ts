import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { type ClientRequest, type IncomingMessage, STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import { type PortRequest, type PortResponse, toPortBody } from "../base/engine-connection.ts";

/** The members of Node's request options that lead to an engine. */
interface EngineRequestOptions {
  readonly host?: string;
  readonly hostname?: string;
  readonly port?: number | string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request through the engine's port. @param answered called with the response; undefined if the connection broke */
type SendRequest = (
  request: Omit<PortRequest, "id">,
  answered: (response: PortResponse | undefined) => void,
) => void;

/** Engines by host and port. */
const engines = new Map<string, SendRequest>();

/** Has this thread reach the engine at an address through a port instead of HTTP, as long as the port is open. */
export function connectEngine(address: string, port: MessagePort): void {
  const { host } = new URL(address);
  const waiting = new Map<number, (response: PortResponse | undefined) => void>();
  let sent = 0;
  const send: SendRequest = (request, answered) => {
    sent += 1;
    waiting.set(sent, answered);
    port.postMessage({ id: sent, ...request } satisfies PortRequest);
  };
  port.on("message", (response: PortResponse) => {
    const answered = waiting.get(response.id);
    waiting.delete(response.id);
    answered?.(response);
  });
  port.once("close", () => {
    if (engines.get(host) === send) engines.delete(host);
    for (const answered of waiting.values()) answered(undefined);
  });
  port.unref();
  engines.set(host, send);
}

const noSocket = Object.assign(new EventEmitter().setMaxListeners(0), {
  connecting: false,
  setKeepAlive: () => undefined,
  setTimeout: () => undefined,
});

/** What the SDK uses of Node's ClientRequest. */
class EngineRequest extends EventEmitter {
  readonly socket = noSocket;
  readonly reusedSocket = true;
  destroyed = false;
  readonly #options: EngineRequestOptions;
  readonly #send: SendRequest;
  readonly #chunks: Buffer[] = [];

  constructor(options: EngineRequestOptions, send: SendRequest) {
    super();
    this.#options = options;
    this.#send = send;
  }

  write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(Buffer.from(chunk as Uint8Array));
    return true;
  }

  end(last?: string | Uint8Array): this {
    if (this.#chunks.length > 0 && last !== undefined) this.write(last);
    const body = this.#chunks.length > 0 ? Buffer.concat(this.#chunks) : (last ?? "");
    const { method = "GET", path = "/", headers = {} } = this.#options;
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    // Messages of a port do not belong to an environment: what is answered goes on where the request was made.
    const inEnvironment = AsyncLocalStorage.snapshot();
    this.#send({ method, url: path, headers: Object.fromEntries(lower), ...toPortBody(body) }, (response) =>
      inEnvironment(() => this.#answer(response)),
    );
    return this;
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    queueMicrotask(() => {
      this.emit("error", error ?? Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
      this.emit("close");
    });
    return this;
  }

  #answer(response: PortResponse | undefined): void {
    if (this.destroyed) return;
    if (response === undefined) {
      this.destroy();
      return;
    }
    const { status, headers, body, encoding } = response;
    const message = Object.assign(new Readable({ read: () => undefined }), {
      statusCode: status,
      statusMessage: STATUS_CODES[status],
      headers,
      complete: true,
    });
    message.push(Buffer.from(body, encoding));
    message.push(null);
    message.once("close", () => this.emit("close"));
    this.emit("response", message);
  }
}

/** A request to an engine that this thread is connected to, if the options lead to one. */
export function engineRequest(
  options: unknown,
  respond?: (response: IncomingMessage) => void,
): ClientRequest | undefined {
  if (typeof options !== "object" || options === null || options instanceof URL) return undefined;
  const given = options as EngineRequestOptions;
  const send = engines.get(`${given.hostname ?? given.host}:${given.port}`);
  if (send === undefined) return undefined;
  const request = new EngineRequest(given, send);
  if (respond !== undefined) request.once("response", respond);
  return request as unknown as ClientRequest;
}
