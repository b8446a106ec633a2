import { Webhook } from "svix";
import { expect, onTestFinished, test } from "vitest";
import {
  type EndpointAnswer,
  type ReceivedEvent,
  startEndpoint,
} from "../../local/pipeline/webhook-endpoint.ts";
import { providePipeline, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipelineWithNewVendors);
const { card } = pipeline;

/** An endpoint for one test. */
async function startReceiver(answer?: () => EndpointAnswer) {
  const endpoint = await startEndpoint(answer);
  onTestFinished(() => endpoint.stop());
  return endpoint;
}

const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => `${name}-${place}`);
const submit = (vendor: Vendor, externalIds: readonly string[]) =>
  vendor.submit(externalIds.map((name) => card(name)));
const ask = (vendor: Vendor, method: string, path: string, body?: object) =>
  vendor.ask(method, path, body && JSON.stringify(body));

async function subscribe(vendor: Vendor, url: string, types?: readonly string[]) {
  const { status, body } = await ask(vendor, "POST", "Webhooks", { url, ...(types && { types }) });
  expect(status).toBe(201);
  const { id, secret } = body as { id: string; secret: string };
  onTestFinished(async () => {
    await ask(vendor, "DELETE", `Webhooks/${id}`);
  });
  return { id, secret };
}

/** The cards that events told of, by name. */
const told = (received: readonly ReceivedEvent[]): { externalId: string; state: string }[] =>
  received.flatMap(({ body }) => JSON.parse(body).data.cards ?? []);
const toldNames = (received: readonly ReceivedEvent[]) => [
  ...new Set(told(received).map(({ externalId }) => externalId)),
];

test("outcomes come to a vendor's endpoint, signed, and to nobody else's", async () => {
  const [vendor, other] = [pipeline.vendor(0), pipeline.vendor(1)];
  const [own, foreign] = [await startReceiver(), await startReceiver()];
  // What is found later about the cards would come as well, sooner or later.
  const types = ["scorecard.delivered"];
  const { secret } = await subscribe(vendor, own.url, types);
  await subscribe(other, foreign.url);
  await submit(vendor, names("told", 30));
  await expect.poll(() => toldNames(own.received).sort()).toEqual(names("told", 30).sort());
  for (const { headers, body } of own.received) {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(JSON.parse(body)).toMatchObject({
      type: "scorecard.delivered",
      data: { apiSet: vendor.account.apiSet },
    });
  }
  expect(told(own.received)[0]).toMatchObject({ state: "delivered", version: 1 });
  expect(JSON.stringify(own.received)).not.toContain(card("x").Player.UnionID);
  expect(foreign.received).toEqual([]);
});

test("a secret that is replaced and the new one are both valid meanwhile", async () => {
  const vendor = pipeline.vendor(0);
  const { url, received } = await startReceiver();
  const { id, secret } = await subscribe(vendor, url, ["scorecard.delivered"]);
  const rotated = await ask(vendor, "POST", `Webhooks/${id}/Secret`);
  expect(rotated.status).toBe(201);
  const trial = await ask(vendor, "POST", `Webhooks/${id}/Test`);
  expect(trial.status).toBe(202);
  await expect.poll(() => received.length).toBe(1);
  const [event] = received;
  expect(event?.headers["webhook-id"]).toBe(trial.body.eventId);
  for (const valid of [secret, rotated.body.secret]) {
    new Webhook(valid).verify(event?.body ?? "", event?.headers as Record<string, string>);
  }
  expect(JSON.parse(event?.body ?? "")).toMatchObject({ type: "webhook.test" });
  expect(JSON.stringify((await ask(vendor, "GET", "Webhooks")).body)).not.toContain("whsec_");
});

test("each post to an endpoint is listed with its result, and one event can be sent again unchanged", async () => {
  const [vendor, other] = [pipeline.vendor(0), pipeline.vendor(1)];
  let status = 500;
  const { url, received } = await startReceiver(() => ({ status }));
  const { id } = await subscribe(vendor, url, ["scorecard.delivered"]);
  const attempts = async () => (await ask(vendor, "GET", `Webhooks/${id}/Attempts`)).body.attempts;
  await submit(vendor, ["attempted"]);
  await expect.poll(attempts).toContainEqual(
    expect.objectContaining({
      ...{ type: "scorecard.delivered", cards: 1, taken: false, status: 500 },
      ...{ message: "The endpoint answered 500.", milliseconds: expect.any(Number) },
    }),
  );
  const endpoint = async () => (await ask(vendor, "GET", `Webhooks/${id}`)).body;
  await expect.poll(endpoint).toMatchObject({ pending: 1, failing: { nextAttemptAt: expect.any(String) } });
  status = 204;
  await ask(vendor, "PUT", `Webhooks/${id}`, {});
  await expect.poll(async () => (await attempts())[0]).toMatchObject({ taken: true, status: 204 });
  await expect.poll(async () => (await endpoint()).pending).toBe(0);

  const [latest] = await attempts();
  const path = `Webhooks/${id}/Attempts/${latest.id}`;
  const shown = await ask(vendor, "GET", path);
  expect(shown.body).toMatchObject({ ...latest, event: { data: { cards: [{ externalId: "attempted" }] } } });
  const before = received.length;
  expect((await ask(vendor, "POST", `${path}/Resend`)).body).toEqual({ eventId: latest.eventId });
  await expect.poll(() => received.length).toBe(before + 1);
  const [again, first] = [received.at(-1), received.at(-2)];
  expect([again?.body, again?.headers["webhook-id"]]).toEqual([first?.body, latest.eventId]);

  // Another vendor sees none of it, whichever endpoint it names.
  const foreign = await startReceiver();
  const { id: foreignId } = await subscribe(other, foreign.url);
  for (const endpoint of [id, foreignId]) {
    for (const [method, rest] of [
      ["GET", ""],
      ["POST", "/Resend"],
    ] as const) {
      const refused = await ask(other, method, `Webhooks/${endpoint}/Attempts/${latest.id}${rest}`);
      expect(refused.status).toBe(404);
    }
  }
  expect((await ask(other, "GET", `Webhooks/${foreignId}/Attempts`)).body).toEqual({ attempts: [] });
  expect((await ask(vendor, "GET", `Webhooks/${id}/Attempts/att_none`)).status).toBe(404);
  expect(foreign.received).toEqual([]);
});

test("a replay sends the outcomes of a time and type, as many as its preview counts, and none of another time", async () => {
  const vendor = await pipeline.createVendor();
  const { url, received } = await startReceiver();
  const { id } = await subscribe(vendor, url, ["scorecard.rejected"]);
  const replay = (body: object) => ask(vendor, "POST", `Webhooks/${id}/Replay`, body);
  const types = ["scorecard.delivered"];
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const counted = async () => (await replay({ from, types, preview: true })).body.cards as number;
  await submit(vendor, names("between", 3));
  await expect.poll(() => vendor.states(names("between", 3))).toEqual(Array(3).fill("delivered"));
  expect(await replay({ from, preview: true })).toMatchObject({ status: 200, body: { cards: 0 } });
  expect((await replay({ to: from, types, preview: true })).body).toEqual({ cards: 0 });
  // The list of the day follows within seconds.
  await expect.poll(counted).toBe(3);
  expect((await replay({ from: "yesterday" })).status).toBe(400);
  expect(received).toEqual([]);
  const sent = await replay({ from, types });
  expect([sent.status, sent.body]).toEqual([202, { cards: 3 }]);
  const again = await replay({ from, types });
  expect([again.status, Number(again.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  await expect.poll(() => toldNames(received).sort()).toEqual(names("between", 3));
});

test("headers of one's own come with every event, and their values are never shown again", async () => {
  const vendor = pipeline.vendor(0);
  const { url, received } = await startReceiver();
  const headers = { Authorization: "Bearer value-of-a-header" };
  const { status, body } = await ask(vendor, "POST", "Webhooks", { url, headers });
  onTestFinished(async () => {
    await ask(vendor, "DELETE", `Webhooks/${body.id}`);
  });
  expect([status, body.headers]).toEqual([201, ["Authorization"]]);
  await ask(vendor, "POST", `Webhooks/${body.id}/Test`);
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]?.headers).toMatchObject({
    authorization: headers.Authorization,
    "user-agent": "scorecards-webhooks/1",
  });
  const shown = [
    body,
    (await ask(vendor, "GET", "Webhooks")).body,
    (await ask(vendor, "GET", `Webhooks/${body.id}/Attempts`)).body,
    (await ask(vendor, "PUT", `Webhooks/${body.id}`, { headers: { Host: headers.Authorization } })).body,
  ];
  expect(JSON.stringify(shown)).not.toContain("value-of-a-header");
  await ask(vendor, "PUT", `Webhooks/${body.id}`, { headers: {} });
  await ask(vendor, "POST", `Webhooks/${body.id}/Test`);
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]?.headers).not.toHaveProperty("authorization");
});

test("an endpoint that answers 410 is disabled, and can be enabled again", async () => {
  const vendor = pipeline.vendor(0);
  let status = 410;
  const { url, received } = await startReceiver(() => ({ status }));
  const { id } = await subscribe(vendor, url);
  const began = (await ask(vendor, "GET", "Events?after=latest")).body;
  await submit(vendor, ["gone-1"]);
  const read = async () => (await ask(vendor, "GET", `Webhooks/${id}`)).body;
  await expect.poll(read).toMatchObject({ state: "disabled", disabled: { why: "gone" } });
  // The vendor is told in its feed, and by a mail that the local run shows.
  const told = async () => {
    const { events } = (await ask(vendor, "GET", `Events?after=${began.cursor}`)).body;
    return events.find(({ type }: { type: string }) => type === "endpoint.disabled")?.data.endpoint;
  };
  await expect.poll(told).toMatchObject({ id, status: 410, why: "gone" });
  await expect
    .poll(() => pipeline.logs.filter((line) => line.startsWith("notices: ")).join())
    .toContain(`Webhook endpoint was disabled: ${vendor.account.apiSet}`);
  status = 204;
  // A disabled endpoint's events are dropped, so it has no replay.
  const replay = async () => (await ask(vendor, "POST", `Webhooks/${id}/Replay`)).status;
  expect(await replay()).toBe(409);
  await ask(vendor, "PUT", `Webhooks/${id}`, { enabled: true });
  expect(await replay()).toBe(202);
  await submit(vendor, ["gone-2"]);
  await expect.poll(() => toldNames(received)).toContain("gone-2");
  expect(await read()).toMatchObject({ state: "active" });
});
