import pMap from "p-map";
import { expect, onTestFinished, test } from "vitest";
import { type OperationId, type Route, routes } from "../../api/routes.ts";
import { startEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { providePipeline, sharedPipelineWithNewVendors, type Vendor } from "../end-to-end/pipeline.ts";

const pipeline = await providePipeline(sharedPipelineWithNewVendors);

const ask = (vendor: Vendor, method: string, path: string, body?: object) =>
  vendor.ask(method, path, body && JSON.stringify(body));

test("the API's own address is no endpoint", async () => {
  const vendor = pipeline.vendor(0);
  const { port, pathname } = new URL(pipeline.machine.run.api);
  for (const host of ["127.0.0.1", "localhost", "a.localhost", "127.1", "[::1]", "2130706433"]) {
    const url = `http://${host}:${port}${pathname}/${vendor.account.apiSet}/Webhooks`;
    const { status, body } = await ask(vendor, "POST", "Webhooks", { url });
    expect([host, status, body.detail]).toEqual([host, 400, expect.stringContaining("this API's own")]);
  }
});

test("no operation that changes or sends anything is done for a post of our own", async () => {
  const vendor = pipeline.vendor(0);
  for (const [id, route] of Object.entries(routes) as [OperationId, Route][]) {
    if (!route.path.startsWith("/{apiset}/") || route.method === "GET") continue;
    const path = route.path.slice("/{apiset}/".length).replaceAll(/\{\w+\}/g, "any");
    for (const header of [{ "User-Agent": "scorecards-webhooks/1" }, { "webhook-signature": "v1,a" }]) {
      expect([id, (await vendor.ask(route.method, path, "[]", header)).status]).toEqual([id, 403]);
    }
  }
});

test("requests at the same time make no more endpoints than a vendor may have, and all are listed", async () => {
  const vendor = await pipeline.createVendor();
  const url = "https://scores.example/";
  const made = await pMap(Array.from({ length: 12 }), () => ask(vendor, "POST", "Webhooks", { url }));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201, 409]));
  const { webhooks } = (await ask(vendor, "GET", "Webhooks")).body;
  expect(webhooks.length).toBeLessThanOrEqual(5);
  const ids = made.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
  expect(webhooks.map(({ id }: { id: string }) => id).sort()).toEqual(ids.sort());
});

test("twenty events an hour are sent again one by one, then the vendor is told to have them replayed", async () => {
  const vendor = pipeline.vendor(1);
  const endpoint = await startEndpoint();
  onTestFinished(() => endpoint.stop());
  const { id } = (await ask(vendor, "POST", "Webhooks", { url: endpoint.url })).body;
  onTestFinished(async () => void (await ask(vendor, "DELETE", `Webhooks/${id}`)));
  await ask(vendor, "POST", `Webhooks/${id}/Test`);
  const attempts = async () => (await ask(vendor, "GET", `Webhooks/${id}/Attempts`)).body.attempts;
  await expect.poll(attempts).toHaveLength(1);
  const [{ id: attempt }] = await attempts();
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 100) {
    statuses.push((await ask(vendor, "POST", `Webhooks/${id}/Attempts/${attempt}/Resend`)).status);
  }
  expect(statuses.filter((status) => status === 202)).toHaveLength(20);
  await expect.poll(attempts).toHaveLength(21);
  expect(endpoint.received).toHaveLength(21);
});
