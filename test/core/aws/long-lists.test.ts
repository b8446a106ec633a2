import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { accountTable } from "../../../core/accounts/account-table.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { clubTable } from "../../../core/register/club-table.ts";
import { courseTable } from "../../../core/register/course-table.ts";
import { webhookTable } from "../../../core/webhooks/endpoint-table.ts";
import { club, recordOf, version } from "../register/union-in-memory.ts";
import { startEngine, tables } from "./engine.ts";

let engine: Awaited<ReturnType<typeof startEngine>>;

beforeAll(async () => {
  engine = await startEngine();
  // DynamoDB answers with a megabyte at most; here an answer is full with two items.
  engine.client.middlewareStack.add(
    (next, { commandName = "" }) =>
      (request) =>
        ["ScanCommand", "QueryCommand"].includes(commandName)
          ? next({ ...request, input: { ...request.input, Limit: 2 } as never })
          : next(request),
    { step: "initialize" },
  );
});
afterAll(() => engine.stop());

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

test("and all webhook endpoints of a vendor, in the order in which they were made", async () => {
  await engine.createTable(tables.webhooks);
  const webhooks = webhookTable("webhooks", engine.client);
  const ids = five.map((number) => `wh_${6 - number}`);
  for (const [createdAt, id] of ids.entries()) {
    const endpoint = { apiSet: "green" as ApiSet, id, version: 1, url: "", types: [], secrets: [] };
    await webhooks.insert({ ...endpoint, createdAt });
  }
  expect((await webhooks.list("green" as ApiSet)).map(({ id }) => id)).toEqual(ids);
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
