import { type OperationId, type Route, routes } from "../../api/routes.ts";
import { checkDocumented } from "../end-to-end/documented-answers.ts";
import type { Pipeline } from "../end-to-end/pipeline.ts";

const fill = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));

/** A hundred cards with fields until they have some bytes. */
function cardsOf(bytes: number, field: (place: number) => string): string {
  const length = Buffer.byteLength(`${field(1_000)},`);
  const fields = Array.from({ length: bytes / 100 / length }, (_, place) => field(place));
  return `[${Array(100).fill(`{${fields}}`)}]`;
}

/** Bodies of some length that cost a careless reader far more than their length. */
const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  "a list of numbers": (bytes) => `[${fill("0,", bytes)}0]`,
  "types, each of them wrong": (bytes) => `{"url":"https://a.example","types":[${fill("0,", bytes)}0]}`,
  "players, each of them wrong": (bytes) =>
    `{"players":[${fill("0,", bytes)}0],"rounds":[${fill("0,", bytes)}0]}`,
  "empty cards": (bytes) => `[${fill("{},", bytes)}{}]`,
  // Fields that no card has once took eleven seconds; nearly every name is compared with those that a card has.
  "cards of unknown fields": (bytes) => cardsOf(bytes, (place) => `"R${place}":0`),
  "cards of fields that are nearly known": (bytes) =>
    cardsOf(bytes, (place) => `"HC${String.fromCharCode(0x100 + place)}P":0`),
  "deep arrays": (bytes) => fill("[", bytes),
  "many names": (bytes) => `{${Array.from({ length: bytes / 12 }, (_, place) => `"n${place}":0`).join(",")}}`,
  "one long text": (bytes) => `{"url":"${fill("a", bytes)}","username":"${fill("a", bytes)}"}`,
  "what is not JSON": (bytes) => fill("username=%&", bytes),
};

/** How a body was answered. */
interface HostileAnswer {
  readonly operation: OperationId;
  readonly shape: string;
  /** Bytes of the body. */
  readonly size: number;
  readonly status: number;
  readonly milliseconds: number;
  readonly bytes: number;
}

/** Sends every shape to every operation that may have a body. @param sizes bytes */
export async function sendHostileBodies(
  pipeline: Pipeline,
  sizes: readonly number[],
): Promise<HostileAnswer[]> {
  const vendor = pipeline.vendor(0);
  const { apiSet, username, password } = vendor.account;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const { body: endpoint } = await vendor.ask("POST", "Webhooks", '{"url":"https://scores.example/"}');
  const answers: HostileAnswer[] = [];
  for (const [operation, route] of Object.entries(routes) as [OperationId, Route][]) {
    // The endpoint is needed to the end, and a session's end reads nothing.
    if (route.method === "GET" || route.method === "DELETE") continue;
    const path = route.path
      .replace("{apiset}", apiSet)
      .replace("{webhookId}", endpoint.id)
      .replaceAll(/\{\w+\}/g, "any");
    const headers = {
      "Content-Type": operation === "logIn" ? "application/x-www-form-urlencoded" : "application/json",
      ...(route.resource !== undefined && { Authorization: authorization }),
    };
    for (const size of sizes) {
      for (const [shape, make] of Object.entries(shapes)) {
        const answer = await send(`${pipeline.machine.run.api}${path}`, route.method, headers, make(size));
        if (answer.status !== 413) checkDocumented(route.method, path.slice(1), answer);
        const { status, milliseconds, text } = answer;
        answers.push({ operation, shape, size, status, milliseconds, bytes: text.length });
      }
    }
  }
  await vendor.ask("DELETE", `Webhooks/${endpoint.id}`);
  return answers;
}

/** Sends a body that this process, in which the API runs, does not read itself. */
async function send(url: string, method: string, headers: Record<string, string>, body: string) {
  const begunAt = performance.now();
  const response = await fetch(url, { method, body, headers });
  const text = await response.text();
  const milliseconds = performance.now() - begunAt;
  return { status: response.status, headers: response.headers, text, milliseconds };
}
