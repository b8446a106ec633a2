import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request to an engine in AWS's JSON protocol. */
export interface ProxiedRequest {
  /** E.g. BatchWriteItem. */
  readonly operation: string;
  /** JSON text. */
  readonly body: string;
}

/** What happens to a request instead of being passed on. */
export type Interference =
  /** Refused with an error of the service, e.g. ProvisionedThroughputExceededException. */
  | { readonly kind: "refuse"; readonly error: string }
  /** The connection is cut, and nothing is passed on. */
  | { readonly kind: "cut" }
  /** It is passed on, and its answer is lost. */
  | { readonly kind: "lose answer" }
  /** Entries of a batch are left out, and told so as the service does: unprocessed or failed; for batches only. */
  | { readonly kind: "leave out"; readonly entry: () => boolean };

/** Something between the functions and an engine that does harm on command. */
export interface EngineProxy {
  readonly address: string;
  /** Asked before each request is passed on. */
  interfere: (request: ProxiedRequest) => Interference | undefined;
  stop(): Promise<void>;
}

type Json = Record<string, unknown>;
type Batch = Record<string, readonly unknown[] | { readonly Keys: readonly unknown[] }>;

interface Split {
  /** Undefined where nothing is left to be passed on. */
  readonly passed: string | undefined;
  /** Adds to the engine's answer what was left out. */
  readonly complete: (answer: Json) => Json;
}

/** Leaves entries of a batch out, in the way of its operation. */
function leaveOut({ operation, body }: ProxiedRequest, entry: () => boolean): Split {
  const request = JSON.parse(body) as Json;
  if (Array.isArray(request.Entries)) {
    const left: { Id: string }[] = [];
    const Entries = request.Entries.filter((one: { Id: string }) => !(entry() && left.push(one)));
    const Failed = left.map(({ Id }) => ({
      Id,
      Code: "InternalError",
      SenderFault: false,
      Message: "Try again.",
    }));
    const passed = Entries.length === 0 ? undefined : JSON.stringify({ ...request, Entries });
    const complete = (answer: Json) => ({
      Successful: [],
      ...answer,
      Failed: [...((answer.Failed as unknown[]) ?? []), ...Failed],
    });
    return { passed, complete };
  }
  if (Array.isArray(request.Statements)) {
    const kept = request.Statements.map(() => !entry());
    const Statements = request.Statements.filter((_, place) => kept[place]);
    const passed = Statements.length === 0 ? undefined : JSON.stringify({ ...request, Statements });
    const refused = { Error: { Code: "ThrottlingError", Message: "Try again." } };
    const complete = (answer: Json) => {
      const answers = [...((answer.Responses as unknown[]) ?? [])];
      return { ...answer, Responses: kept.map((isPassed) => (isPassed ? answers.shift() : refused)) };
    };
    return { passed, complete };
  }
  const unprocessed = operation === "BatchGetItem" ? "UnprocessedKeys" : "UnprocessedItems";
  const kept: Batch = {};
  const left: Batch = {};
  for (const [table, asked] of Object.entries((request.RequestItems ?? {}) as Batch)) {
    const entries = "Keys" in asked ? asked.Keys : asked;
    const out = new Set(entries.filter(() => entry()));
    const part = (entriesOfPart: unknown[]) =>
      "Keys" in asked ? { ...asked, Keys: entriesOfPart } : entriesOfPart;
    const rest = entries.filter((one) => !out.has(one));
    if (rest.length > 0) kept[table] = part(rest);
    if (out.size > 0) left[table] = part([...out]);
  }
  const passed =
    Object.keys(kept).length === 0 ? undefined : JSON.stringify({ ...request, RequestItems: kept });
  return { passed, complete: (answer) => ({ Responses: {}, ...answer, [unprocessed]: left }) };
}

/** Starts a proxy in front of an engine at an address. */
export async function startEngineProxy(engine: string): Promise<EngineProxy> {
  const operationOf = ({ headers }: IncomingMessage) =>
    String(headers["x-amz-target"]).split(".").at(-1) ?? "";

  async function passOn(request: IncomingMessage, body: string, response: ServerResponse) {
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const away = new AbortController();
    response.once("close", () => away.abort());
    const answer = await fetch(engine + (request.url ?? ""), {
      method: request.method ?? "POST",
      headers: headers as Record<string, string>,
      ...(body !== "" && { body }),
      signal: away.signal,
    });
    return { status: answer.status, answered: await answer.text() };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const operation = operationOf(request);
    const asked: ProxiedRequest = { operation, body };
    const interference = proxy.interfere(asked);
    const reply = (status: number, answered: string) =>
      response.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(answered);
    switch (interference?.kind) {
      case undefined: {
        const { status, answered } = await passOn(request, body, response);
        reply(status, answered);
        return;
      }
      case "refuse":
        reply(400, JSON.stringify({ __type: interference.error, message: "Not now." }));
        return;
      case "cut":
        response.destroy();
        return;
      case "lose answer":
        await passOn(request, body, response);
        response.destroy();
        return;
      case "leave out": {
        const { passed, complete } = leaveOut(asked, interference.entry);
        const { status, answered } =
          passed === undefined ? { status: 200, answered: "{}" } : await passOn(request, passed, response);
        reply(status, status === 200 ? JSON.stringify(complete(JSON.parse(answered))) : answered);
      }
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: EngineProxy = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    interfere: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
