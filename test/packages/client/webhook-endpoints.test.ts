import { expect, test } from "vitest";
import { answeredClient } from "./answered-client.ts";

const endpoint = { id: "wh_1", url: "https://scores.example/" };

test("a vendor lists, makes, changes and removes its endpoints", async () => {
  const listing = answeredClient([200, { webhooks: [endpoint] }]);
  expect(await listing.client.webhooks()).toEqual([endpoint]);
  const making = answeredClient([201, { ...endpoint, secret: "whsec_x" }]);
  expect(await making.client.createWebhook({ url: endpoint.url })).toMatchObject({ secret: "whsec_x" });
  const changing = answeredClient([200, endpoint]);
  await changing.client.changeWebhook("wh_1", { enabled: false });
  const removing = answeredClient([204, undefined]);
  expect(await removing.client.removeWebhook("wh/1")).toBeUndefined();
  expect([listing, making, changing, removing].flatMap(({ requests }) => requests)).toEqual([
    ["GET", "Webhooks", undefined],
    ["POST", "Webhooks", { url: endpoint.url }],
    ["PUT", "Webhooks/wh_1", { enabled: false }],
    ["DELETE", "Webhooks/wh%2F1", undefined],
  ]);
});

const access = {
  principal: "arn:aws:iam::999999999999:root",
  externalId: "stage:greens",
  roleNamePrefix: "scorecard-events",
};

test("a vendor makes an endpoint of a queue, and reads what its role has to trust", async () => {
  const queue = { url: "https://sqs.eu-west-1.amazonaws.com/123456789012/events.fifo", roleArn: "arn:…" };
  const making = answeredClient([201, { ...queue, id: "wh_1", secret: "whsec_x" }]);
  await making.client.createWebhook(queue);
  expect(making.requests).toEqual([["POST", "Webhooks", queue]]);
  const listing = answeredClient([200, { webhooks: [], queues: access }]);
  expect(await listing.client.queueAccess()).toEqual(access);
});

test("a test waits until its event is among the attempts, and returns what the endpoint answered", async () => {
  const other = { eventId: "evt_1", taken: true, status: 204 };
  const { client, requests } = answeredClient(
    [202, { eventId: "evt_2" }],
    [200, { attempts: [other] }],
    [200, { attempts: [{ id: "att_2", eventId: "evt_2", taken: false, message: "refused" }, other] }],
  );
  expect(await client.testWebhook("wh_1")).toEqual({ taken: false, message: "refused" });
  expect(requests).toEqual([
    ["POST", "Webhooks/wh_1/Test", undefined],
    ["GET", "Webhooks/wh_1/Attempts", undefined],
    ["GET", "Webhooks/wh_1/Attempts", undefined],
  ]);
});

test("a vendor replaces a secret, looks at attempts and has an event sent again", async () => {
  const rotating = answeredClient([201, { secret: "whsec_y" }]);
  expect(await rotating.client.rotateWebhookSecret("wh_1")).toEqual({ secret: "whsec_y" });
  const reading = answeredClient([200, { id: "att_1" }]);
  expect(await reading.client.webhookAttempt("wh_1", "att_1")).toEqual({ id: "att_1" });
  const resending = answeredClient([202, { eventId: "evt_1" }]);
  expect(await resending.client.resendWebhookEvent("wh_1", "att_1")).toEqual({ eventId: "evt_1" });
  expect([rotating, reading, resending].flatMap(({ requests }) => requests)).toEqual([
    ["POST", "Webhooks/wh_1/Secret", undefined],
    ["GET", "Webhooks/wh_1/Attempts/att_1", undefined],
    ["POST", "Webhooks/wh_1/Attempts/att_1/Resend", undefined],
  ]);
});

test("a replay goes on until all cards are sent, and a preview counts them", async () => {
  const replaying = answeredClient([202, { cards: 7, next: "2026-07-04#1#shard#3" }], [202, { cards: 2 }]);
  const selection = { from: "2026-07-04T12:00:00Z", types: ["scorecard.rejected"] as ["scorecard.rejected"] };
  expect(await replaying.client.replayWebhook("wh_1", selection)).toEqual({ cards: 9 });
  const previewing = answeredClient([200, { cards: 7 }]);
  expect(await previewing.client.replayWebhook("wh_1", { preview: true })).toEqual({ cards: 7 });
  expect([replaying, previewing].flatMap(({ requests }) => requests)).toEqual([
    ["POST", "Webhooks/wh_1/Replay", selection],
    ["POST", "Webhooks/wh_1/Replay", { ...selection, after: "2026-07-04#1#shard#3" }],
    ["POST", "Webhooks/wh_1/Replay", { preview: true }],
  ]);
});

test("making an endpoint is not repeated, which could leave one whose secret nobody knows", async () => {
  const { client, requests } = answeredClient([503, { title: "Not now" }]);
  await expect(client.createWebhook({ url: endpoint.url })).rejects.toMatchObject({ status: 503 });
  expect(requests).toHaveLength(1);
});
