import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** One request that an engine answered with success. */
export interface EngineRequest {
  /** AWS's name of the operation. */
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: every operation has a form of its own
  readonly sent: any;
  // biome-ignore lint/suspicious/noExplicitAny: every operation has a form of its own
  readonly answered: any;
}

/** An engine behind a counter. */
export interface CountedEngine {
  /** Of the counter. */
  readonly address: string;
  /** What the engine has answered since this was asked last. */
  taken(): EngineRequest[];
  stop(): void;
}

/**
 * Hands requests on to an engine that speaks AWS's JSON protocol, and keeps each. They are parsed only when they are
 * asked for: parsing would make the function wait, and it is charged for that.
 */
export async function countedEngine(engine: string): Promise<CountedEngine> {
  let kept: { readonly operation: string; readonly body: Buffer; readonly text: Buffer }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    try {
      const body = await buffer(incoming);
      const { host: _, ...headers } = incoming.headers;
      const onward = request(new URL(incoming.url ?? "/", engine), { method: incoming.method, headers });
      onward.end(body);
      onward.on("error", () => outgoing.destroy());
      onward.on("response", async (answer) => {
        const text = await buffer(answer);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.end(text);
        const operation =
          String(incoming.headers["x-amz-target"] ?? "")
            .split(".")
            .at(-1) ?? "";
        if (operation !== "" && answer.statusCode === 200) kept.push({ operation, body, text });
      });
    } catch {
      outgoing.destroy();
    }
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The counting proxy has no port.");
  return {
    address: `http://127.0.0.1:${address.port}`,
    taken() {
      const requests = kept;
      kept = [];
      return requests.map(({ operation, body, text }) => ({
        operation,
        sent: JSON.parse(body.toString()),
        answered: JSON.parse(text.toString() || "{}"),
      }));
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
