/**
 * A scoring app's backend: submits each card as its round is finished, and remembers what became of it.
 *
 *   POST /rounds         the finished card: 202, or 422 with what the player has to correct
 *   GET  /rounds/{name}  what became of the card
 *   POST /webhooks       what the pipeline will report by itself; until it does, the card is followed
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer, json } from "node:stream/consumers";
import { ApiError, createClient, type Scorecard, verifyWebhook } from "@scorecard-pipeline/scorecards-client";

const {
  SCORECARDS_API: api = "",
  SCORECARDS_USERNAME: username = "",
  SCORECARDS_PASSWORD: password = "",
  WEBHOOK_SECRET: secret = "",
  PORT = "8080",
} = process.env;
const client = createClient({ api, username, password });

/** State by ExternalID. Keep it in your database, with each card until it is accepted. */
const states = new Map<string, string>();
/** Webhooks that were handled: a sender repeats one that it got no answer to. */
const handled = new Set<string>();

async function finishRound(request: IncomingMessage): Promise<[number, unknown]> {
  const card = (await json(request)) as Scorecard;
  const [entry] = await client.submit([card]);
  if (entry?.status !== 201) return [422, entry?.errors];
  states.set(card.ExternalID, "accepted");
  void follow(card.ExternalID);
  return [202, { warnings: entry.warnings }];
}

/** Ends when the card is delivered, rejected, withdrawn or undelivered. After a restart, follow every card that is not. */
async function follow(externalId: string): Promise<void> {
  try {
    for await (const { state } of client.follow([externalId])) states.set(externalId, state);
  } catch (error) {
    console.error(`${externalId} is not followed any more:`, error);
  }
}

async function receiveWebhook(request: IncomingMessage): Promise<[number, unknown]> {
  // The body as it was received: JSON that was parsed and written again has another signature.
  const body = await buffer(request);
  const event = await verifyWebhook({ headers: request.headers, body, secret }).catch(() => undefined);
  if (event === undefined) return [401, { error: "The signature is not valid." }];
  const id = String(request.headers["webhook-id"]);
  const { externalId, state } = event as { externalId?: string; state?: string };
  if (!handled.has(id) && externalId !== undefined && state !== undefined) states.set(externalId, state);
  handled.add(id);
  return [204, undefined];
}

async function answer(request: IncomingMessage): Promise<[number, unknown]> {
  const { method, url = "" } = request;
  if (method === "POST" && url === "/rounds") return await finishRound(request);
  if (method === "POST" && url === "/webhooks") return await receiveWebhook(request);
  const state = states.get(decodeURIComponent(url.replace("/rounds/", "")));
  return state === undefined ? [404, { error: "No such round." }] : [200, { state }];
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, content] = await answer(request).catch((error: unknown): [number, unknown] => {
    // Busy or unreachable for two minutes: the app keeps the card and sends it again.
    console.error(error instanceof ApiError ? error.message : error);
    return [503, { error: "Not now. Send the card again later." }];
  });
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(content === undefined ? undefined : JSON.stringify(content));
}

const server = createServer((request, response) => void serve(request, response));
server.listen(Number(PORT), "127.0.0.1", () => console.log("Listening on", server.address()));
