import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** What the fake answers to one submitted card. */
export type FakeAnswer = { readonly code: string } | "accepted";

/** How the fake behaves. */
export interface FakeApiOptions {
  readonly judge: (card: Record<string, unknown>, apiSet: string) => FakeAnswer;
  /** State of a card, given how often it was asked about before. */
  readonly state?: (externalId: string, asked: number) => string;
  /** Answers to give before the first real one: a status, or a lost connection. */
  readonly before?: (number | "lost")[];
  readonly retryAfter?: string;
  /** Codes of the warnings in a card's state. */
  readonly warnings?: readonly string[];
}

/** A tiny API that takes submissions and says what became of cards. */
export async function fakeApi({
  judge,
  state = () => "delivered",
  before = [],
  retryAfter,
  warnings = [],
}: FakeApiOptions) {
  const asked = new Map<string, number>();
  const requests: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const sent = await buffer(request);
    const body = String(headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent);
    requests.push({ method, url, headers, body });
    const trouble = before.shift();
    if (trouble === "lost") return void request.socket.destroy();
    const apiSet = url.split("/")[2] ?? "";
    const answer = (status: number, content: unknown) => {
      response.writeHead(status, {
        "Content-Type": "application/json",
        "x-amzn-RequestId": `request ${requests.length}`,
        ...(retryAfter && { "Retry-After": retryAfter }),
      });
      response.end(JSON.stringify(content));
    };
    if (trouble !== undefined) return answer(trouble, {});
    if (method === "POST") {
      const cards = JSON.parse(body) as Record<string, unknown>[];
      const entries = cards.map((card, index) => {
        const said = judge(card, apiSet);
        const externalId = card.ExternalID;
        return said === "accepted"
          ? { index, externalId, status: 201, card: { ...card, ID: `id of ${externalId}` }, warnings: [] }
          : {
              index,
              externalId,
              status: 422,
              errors: [{ index, externalId, code: said.code }],
              warnings: [],
            };
      });
      const errors = entries.flatMap((entry) => entry.errors ?? []);
      if (url.includes("/Validate")) return answer(200, { accepted: errors.length === 0, cards: entries });
      if (headers.prefer === "handling=lenient") return answer(207, entries);
      if (errors.length > 0)
        return answer(422, { title: "Cards are refused", detail: "Correct them.", errors });
      return answer(
        201,
        entries.map(({ card }) => card),
      );
    }
    const externalIds = new URL(url, "http://fake").searchParams.getAll("ExternalID");
    const cards = externalIds.map((externalId) => {
      const times = asked.get(externalId) ?? 0;
      asked.set(externalId, times + 1);
      return { externalId, state: state(externalId, times), warnings: warnings.map((code) => ({ code })) };
    });
    return answer(200, { cards });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/test`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
