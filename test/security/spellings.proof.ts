import { request } from "node:http";
import pMap from "p-map";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { apiPaths } from "../end-to-end/api-paths.ts";
import { type Pipeline, sharedPipelineWithNewVendors, type Vendor } from "../end-to-end/pipeline.ts";

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await sharedPipelineWithNewVendors();
});
afterAll(() => pipeline?.stop());

/** The first character, percent-encoded. */
const encoded = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

/** Ways to write a path of another vendor. @param route with its slash, e.g. /Clubs */
const spellings: readonly ((other: string, own: string, route: string) => string)[] = [
  (other, _, route) => `/${other}${route}`,
  (other, _, route) => `/${other}${route}/`,
  (other, _, route) => `//${other}${route}`,
  (other, _, route) => `/${other}/${route}`,
  (other, _, route) => `/${other.toUpperCase()}${route}`,
  (other, _, route) => `/${other}${route.toLowerCase()}`,
  (other, _, route) => `/${other}${route.toUpperCase()}`,
  (other, _, route) => `/${encoded(other)}${route}`,
  (other, _, route) => `/${other}/${encoded(route.slice(1))}`,
  (other, _, route) => `/${other}%2f${route.slice(1)}`,
  (other, _, route) => `/${other};x=1${route}`,
  (other, _, route) => `/${other}%09${route}`,
  (other, _, route) => `/${other}%20${route}`,
  (other, _, route) => `/${other}/.${route}`,
  (other, own, route) => `/${own}/%2e%2e%2f${other}${route}`,
  (other, _, route) => `/${other}%00${route}`,
  (other, own, route) => `/${own}/../${other}${route}`,
  (other, own, route) => `/${own}/%2e%2e/${other}${route}`,
  (other, own, route) => `/${own}%2f..%2f${other}${route}`,
  (other, own, route) => `/${own}//${other}${route}`,
  (other, own, route) => `/${own}/${other}${route}`,
  (other, own, route) => `/${own}${route}?apiset=${other}&apiSet=${other}`,
  (other, own, route) => `/${own}${route}#/${other}${route}`,
];

const markOf = ({ account }: Vendor) => `only ${account.apiSet} may read this`;
const cardOf = (vendor: Vendor) =>
  minimalCard(pipeline.standIn, { ExternalID: `card-of-${vendor.account.apiSet}`, Comment: markOf(vendor) });

/** Sends a path as it is written: fetch would tidy it up. */
function send(method: string, path: string, { username, password }: Vendor["account"]): Promise<string> {
  const { hostname, port, pathname } = new URL(pipeline.machine.run.api);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = {
    Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
    "Content-Type": "application/json",
    Token: "not-a-token",
  };
  request({ hostname, port, method, path: pathname + path, headers }, async (response) => {
    let text = "";
    for await (const chunk of response) text += chunk;
    resolve(text);
  })
    .on("error", reject)
    .end("[]");
  return promise;
}

test("no spelling of any path shows or changes another vendor's card or endpoint", async () => {
  const vendors = [pipeline.vendor(0), pipeline.vendor(1)];
  const endpoints: string[] = [];
  for (const vendor of vendors) {
    expect((await vendor.submit([cardOf(vendor)])).status).toBe(201);
    const { body } = await vendor.ask("POST", "Webhooks", '{"url":"https://scores.example/"}');
    endpoints.push(body.id);
  }
  const paths = apiPaths(inject("assembly")).filter(({ path }) => path.startsWith("/{apiset}/"));
  const requests = vendors.flatMap((vendor, place) => {
    const other = vendors[1 - place] as Vendor;
    return paths.flatMap(({ path, methods }) => {
      const route = path
        .replace("/{apiset}", "")
        .replace("{externalId}", `card-of-${other.account.apiSet}`)
        .replace("{webhookId}", endpoints[1 - place] ?? "")
        .replace("{clubId}", pipeline.standIn.clubs[0]?.ID ?? "")
        .replaceAll(/\{\w+\}/g, "any");
      return [...methods].flatMap((method) =>
        spellings.map((spell) => ({
          vendor,
          other,
          method,
          path: spell(other.account.apiSet, vendor.account.apiSet, route),
        })),
      );
    });
  });
  console.log(`${requests.length} requests in ${spellings.length} spellings`);
  expect(requests.length).toBeGreaterThan(4_000);
  const shown: string[] = [];
  await pMap(
    requests,
    async ({ vendor, other, method, path }) => {
      const text = await send(method, path, vendor.account);
      const secrets = [markOf(other), endpoints[vendors.indexOf(other)] ?? ""];
      // A refusal may repeat the path that was sent.
      if (secrets.some((secret) => text.includes(secret) && !path.includes(secret)))
        shown.push(`${method} ${path}`);
    },
    { concurrency: 8 },
  );
  expect(shown).toEqual([]);
  for (const [place, vendor] of vendors.entries()) {
    expect(await vendor.status(`card-of-${vendor.account.apiSet}`)).toMatchObject({ version: 1 });
    const { webhooks } = (await vendor.ask("GET", "Webhooks")).body;
    expect(webhooks.map(({ id }: { id: string }) => id)).toEqual([endpoints[place]]);
  }
}, 900_000);
