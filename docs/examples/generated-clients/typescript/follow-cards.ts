// Types of the document (see docs/clients.md): npx openapi-typescript "$API_URL/openapi.json" --output scorecards.ts
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./scorecards.ts";

const { API_URL: baseUrl = "", API_USER: apiset = "", API_PASSWORD: password = "" } = process.env;
const credentials = Buffer.from(`${apiset}:${password}`).toString("base64");
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Basic ${credentials}` } });

type Card = components["schemas"]["Scorecard"];
const cards: Card[] = JSON.parse(await readFile(process.argv[2] ?? "cards.json", "utf8"));

async function submit(body: Card[]) {
  const { data, error, response } = await api.POST("/{apiset}/ScorecardExchange", {
    params: { path: { apiset } },
    body,
  });
  if (error) throw new Error([error, ...(error.errors ?? [])].map(({ detail }) => detail).join("\n"));
  console.log(`accepted ${data.length} with ${response.headers.get("Scorecard-Warnings")} warnings`);
}

await submit(cards);
const [first, last] = [cards.at(0), cards.at(-1)];
if (first && last) {
  await submit([{ ...first, Comment: "corrected" }]);
  const path = { apiset, externalId: last.ExternalID };
  const withdraw = () => api.DELETE("/{apiset}/ScorecardExchange/{externalId}", { params: { path } });
  let { response } = await withdraw();
  while (response.status === 503) ({ response } = await withdraw());
  console.log(response.status === 204 ? "withdrawn" : "too late to withdraw");
}

let waiting = cards.map(({ ExternalID }) => ExternalID);
while (waiting.length > 0) {
  const query = { ExternalID: waiting.slice(0, 100) };
  const { data } = await api.GET("/{apiset}/ScorecardExchange", { params: { path: { apiset }, query } });
  for (const { externalId, state, lastError } of data?.cards ?? []) {
    if (state === "queued" || state === "retrying") continue;
    console.log(externalId, state, lastError?.message ?? "");
    waiting = waiting.filter((one) => one !== externalId);
  }
  await setTimeout(500);
}
