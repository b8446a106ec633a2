import { createClient } from "../../../packages/client/index.ts";

/** A client whose requests get these answers one after the other, the last one again and again, and what it requests. */
export function answeredClient(...answers: readonly (readonly [status: number, body: unknown])[]) {
  const requests: (readonly [method: string, path: string, body: unknown])[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    const path = String(url).replace("https://host/test/greens/", "");
    requests.push([String(init.method), path, init.body && JSON.parse(String(init.body))]);
    const [status, body] = answers[Math.min(requests.length, answers.length) - 1] ?? [500, {}];
    return new Response(status === 204 ? null : JSON.stringify(body), { status });
  };
  const options = { api: "https://host/test", username: "greens", password: "secret" };
  return { client: createClient({ ...options, fetch: fetch as typeof globalThis.fetch }), requests };
}
