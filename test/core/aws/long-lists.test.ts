import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { accountTable } from "../../../core/accounts/account-table.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { clubTable } from "../../../core/register/club-table.ts";
import { courseTable } from "../../../core/register/course-table.ts";
import { webhookLister, webhookTable } from "../../../core/webhooks/endpoint-table.ts";
import type { WebhookEvent } from "../../../core/webhooks/event.ts";
import type { OutgoingWebhook } from "../../../core/webhooks/queue.ts";
import { tellVendor } from "../../../core/webhooks/tell-vendor.ts";
import { club, recordOf, version } from "../register/union-in-memory.ts";
import { provideEngine, tables } from "./engine.ts";

const engine = await provideEngine();
// DynamoDB answers with a megabyte at most; here an answer is full with two items.
engine.client.middlewareStack.add(
  (next, { commandName = "" }) =>
    (request) =>
      ["ScanCommand", "QueryCommand"].includes(commandName)
        ? next({ ...request, input: { ...request.input, Limit: 2 } as never })
        : next(request),
  { step: "initialize" },
);

const five = [1, 2, 3, 4, 5];

test("all clubs are listed, by official number, however many answers that takes", async () => {
  await engine.createTable(tables.clubs);
  const clubs = clubTable("clubs", engine.client);
  const all = five.map((number) => recordOf(club(number)));
  await clubs.put(all);
  expect(await clubs.all()).toEqual(all);
});

test("so are all versions of a course, and all of a club", async () => {
  await engine.createTable(tables.courses);
  const courses = courseTable("courses", engine.client);
  const clubId = guidKey(club(1).ID);
  const versions = five.map((number) => version(1, { ID: version(number).ID, Version: number }));
  await courses.put(clubId, versions.map(recordOf), 0);
  const ofCourse = await courses.course(version(1).TemplateID);
  expect(ofCourse.map((one) => one.version)).toEqual(versions);
  const ofClub = await courses.club(club(1).ID);
  expect(ofClub.map((one) => one.version)).toEqual(versions);
});

test("a thousand restored webhook endpoints of 400 KB are listed in the order in which they were made, and each gets its events", async () => {
  await engine.createTable(tables.webhooks);
  const url = "https://scores.example/";
  const [apiSet, types] = ["green" as ApiSet, ["card.delivered" as never]];
  const table = webhookTable("webhooks", engine.client);
  const ids = five.map((number) => `wh_${6 - number}`);
  for (const [createdAt, id] of ids.entries())
    await table.insert({ apiSet, id, version: 1, url, types, secrets: [], createdAt });
  expect((await table.list(apiSet)).map(({ id }) => id)).toEqual(ids);

  // The same from a table of 400 MB, of which an answer has a megabyte.
  const large = { S: "a".repeat(400_000) };
  const items = Array.from({ length: 1_000 }, (_, place) => ({
    apiSet: { S: apiSet },
    id: { S: `wh_${999 - place}` },
    url: large,
    types: { S: JSON.stringify(types) },
    createdAt: { N: String(999 - place) },
    restoredBy: { S: "HDDJ9_53Sgmufyk2" },
  }));
  let answers = 0;
  const send = async ({ input }: { input: { ExclusiveStartKey?: { place: { N: string } } } }) => {
    answers += 1;
    const from = Number(input.ExclusiveStartKey?.place.N ?? 0);
    const LastEvaluatedKey = from + 2 < items.length ? { place: { N: String(from + 2) } } : undefined;
    return { Items: items.slice(from, from + 2), LastEvaluatedKey };
  };
  const endpoints = webhookLister("webhooks", { send } as never);
  const all = Array.from({ length: 1_000 }, (_, place) => `wh_${place}`);
  expect((await endpoints.list(apiSet)).map(({ id }) => id)).toEqual(all);
  expect(answers).toBe(500);
  const event = { id: "evt_1", type: types[0], data: {} } as unknown as WebhookEvent;
  const told: string[] = [];
  const feed = { append: async () => undefined };
  const tell = async (messages: readonly OutgoingWebhook[]) =>
    void told.push(...messages.map(({ endpointId }) => endpointId));
  const entries = [{ apiSet, sequenceNumber: "1", event }];
  await tellVendor({ endpoints, feed, send: tell }, apiSet, "shard", entries, 0);
  expect(told).toEqual(all);
});

test("and all accounts", async () => {
  await engine.createTable(tables.accounts);
  const accounts = accountTable("accounts", engine.client);
  const names = five.map((number) => `vendor-${number}`);
  for (const username of names) {
    const apiSet = username as ApiSet;
    await accounts.put({ username, apiSet, resources: [], passwordHash: "hash", disabled: false });
  }
  expect((await accounts.list()).map(({ username }) => username).sort()).toEqual(names);
});
