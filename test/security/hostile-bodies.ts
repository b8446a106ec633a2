import { type OperationId, type Route, routes } from "../../functions/http/routes.ts";
import type { Pipeline } from "../end-to-end/pipeline.ts";

const fill = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));

/** Bodies of some length that cost a careless reader far more than their length. */
const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  "a list of numbers": (bytes) => `[${fill("0,", bytes)}0]`,
  "types, each of them wrong": (bytes) => `{"url":"https://a.example","types":[${fill("0,", bytes)}0]}`,
  "players, each of them wrong": (bytes) =>
    `{"players":[${fill("0,", bytes)}0],"rounds":[${fill("0,", bytes)}0]}`,
  "empty cards": (bytes) => `[${fill("{},", bytes)}{}]`,
  "deep arrays": (bytes) => fill("[", bytes),
  "many names": (bytes) => `{${Array.from({ length: bytes / 12 }, (_, place) => `"n${place}":0`).join(",")}}`,
  "one long text": (bytes) => `{"url":"${fill("a", bytes)}","username":"${fill("a", bytes)}"}`,
  "what is not JSON": (bytes) => fill("username=%&", bytes),
};

/** A body that took too long, or had a wrong answer. */
interface HostileAnswer {
  readonly operation: OperationId;
  readonly shape: string;
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
  const { body: endpoint } = await vendor.ask("POST", "Webhooks", '{"url":"https://scores.example/"}');
  const answers: HostileAnswer[] = [];
  for (const [id, route] of Object.entries(routes) as [OperationId, Route][]) {
    // The endpoint is needed to the end, and a session's end reads nothing.
    if (route.method === "GET" || route.method === "DELETE") continue;
    const path = route.path
      .slice(1)
      .replace("{webhookId}", endpoint.id)
      .replaceAll(/\{(?!apiset)\w+\}/g, "any");
    for (const bytes of sizes) {
      for (const [shape, make] of Object.entries(shapes)) {
        const body = make(bytes);
        const begunAt = performance.now();
        const { status, text } = path.startsWith("{apiset}/")
          ? await vendor.ask(route.method, path.slice("{apiset}/".length), body)
          : await sendOpen(
              pipeline,
              route.method,
              path,
              body,
              id === "logIn" ? "application/x-www-form-urlencoded" : "application/json",
            );
        const milliseconds = performance.now() - begunAt;
        answers.push({
          operation: id,
          shape: `${shape}, ${bytes}`,
          status,
          milliseconds,
          bytes: text.length,
        });
      }
    }
  }
  await vendor.ask("DELETE", `Webhooks/${endpoint.id}`);
  return answers;
}

/** Without a look at the document: API Gateway's own refusals are JSON, also of a page. */
async function sendOpen(pipeline: Pipeline, method: string, path: string, body: string, type: string) {
  const headers = { "Content-Type": type };
  const response = await fetch(`${pipeline.machine.run.api}/${path}`, { method, body, headers });
  return { status: response.status, text: await response.text() };
}
