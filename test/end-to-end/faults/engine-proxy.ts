import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to an engine in AWS's JSON protocol. */
export interface EngineRequest {
  /** E.g. BatchWriteItem. */
  readonly operation: string;
  /** JSON text. */
  readonly body: string;
  /** Whether who asked is still there. */
  readonly waits: () => boolean;
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

/** Something between the functions and an engine that counts, and does harm on command. */
export interface EngineProxy {
  readonly address: string;
  /** Requests by operation, whatever became of them. */
  readonly counts: Map<string, number>;
  /** Asked before each request is passed on; may take its time. */
  interfere: (request: EngineRequest) => Interference | undefined | Promise<Interference | undefined>;
  /** Told of each request that the engine has carried out: what of it was passed on, and the engine's answer. */
  done: (operation: string, passedOn: string, answered: string) => void;
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
function leaveOut({ operation, body }: EngineRequest, entry: () => boolean): Split {
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

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Starts a proxy in front of an engine at an address. */
export async function startEngineProxy(engine: string): Promise<EngineProxy> {
  const counts = new Map<string, number>();

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
    const text = await answer.text();
    if (answer.status === 200) proxy.done(operationOf(request), body, text);
    return { status: answer.status, text };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const operation = operationOf(request);
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    const asked: EngineRequest = { operation, body, waits: () => !response.destroyed };
    const interference = await proxy.interfere(asked);
    const reply = (status: number, text: string) =>
      response.writeHead(status, { "Content-Type": "application/x-amz-json-1.0" }).end(text);
    switch (interference?.kind) {
      case undefined: {
        const { status, text } = await passOn(request, body, response);
        reply(status, text);
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
        const { status, text } =
          passed === undefined ? { status: 200, text: "{}" } : await passOn(request, passed, response);
        reply(status, status === 200 ? JSON.stringify(complete(JSON.parse(text))) : text);
      }
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: EngineProxy = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    interfere: () => undefined,
    done: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
