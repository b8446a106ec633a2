import { expect, test, vi } from "vitest";
import { createClient } from "../../../packages/client/index.ts";

/** A client, and what it requests; every request gets the same response. */
function clientOf(status: number, body: unknown) {
  const requests: (readonly [method: string, path: string, body: unknown])[] = [];
  const fetch = vi.fn(async (url: string | URL | Request, init: RequestInit = {}) => {
    const path = String(url).replace("https://host/test/greens/", "");
    requests.push([String(init.method), path, init.body && JSON.parse(String(init.body))]);
    return new Response(status === 204 ? null : JSON.stringify(body), { status });
  });
  const options = { api: "https://host/test", username: "greens", password: "secret" };
  return { client: createClient({ ...options, fetch: fetch as typeof globalThis.fetch }), requests };
}

const endpoint = { id: "wh_1", url: "https://scores.example/" };

test("a vendor lists, makes, changes and removes its endpoints", async () => {
  const listing = clientOf(200, { webhooks: [endpoint] });
  expect(await listing.client.webhooks()).toEqual([endpoint]);
  const making = clientOf(201, { ...endpoint, secret: "whsec_x" });
  expect(await making.client.createWebhook({ url: endpoint.url })).toMatchObject({ secret: "whsec_x" });
  const changing = clientOf(200, endpoint);
  await changing.client.changeWebhook("wh_1", { enabled: false });
  const removing = clientOf(204, undefined);
  expect(await removing.client.removeWebhook("wh/1")).toBeUndefined();
  expect([listing, making, changing, removing].flatMap(({ requests }) => requests)).toEqual([
    ["GET", "Webhooks", undefined],
    ["POST", "Webhooks", { url: endpoint.url }],
    ["PUT", "Webhooks/wh_1", { enabled: false }],
    ["DELETE", "Webhooks/wh%2F1", undefined],
  ]);
});

test("a vendor tests an endpoint, replaces its secret and has outcomes sent again", async () => {
  const testing = clientOf(200, { taken: false, message: "refused" });
  expect(await testing.client.testWebhook("wh_1")).toEqual({ taken: false, message: "refused" });
  const rotating = clientOf(201, { secret: "whsec_y" });
  expect(await rotating.client.rotateWebhookSecret("wh_1")).toEqual({ secret: "whsec_y" });
  const replaying = clientOf(202, { cards: 7 });
  expect(await replaying.client.replayWebhook("wh_1")).toEqual({ cards: 7 });
  expect([testing, rotating, replaying].flatMap(({ requests }) => requests)).toEqual([
    ["POST", "Webhooks/wh_1/Test", undefined],
    ["POST", "Webhooks/wh_1/Secret", undefined],
    ["POST", "Webhooks/wh_1/Replay", undefined],
  ]);
});

test("making an endpoint is not repeated, which could leave one whose secret nobody knows", async () => {
  const { client, requests } = clientOf(503, { title: "Not now" });
  await expect(client.createWebhook({ url: endpoint.url })).rejects.toMatchObject({ status: 503 });
  expect(requests).toHaveLength(1);
});
