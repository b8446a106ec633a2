import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { courseRegister } from "../../../core/register/union-register.ts";
import { UnionUnavailableError } from "../../../core/union/union-unavailable-error.ts";
import { club, recordOf, version } from "../register/union-in-memory.ts";
import { answeringUnion } from "./answering-union.ts";

/** The register of a union that answers as it is told. */
async function registerOf(listener: RequestListener) {
  return courseRegister(await answeringUnion(listener), 60_000);
}
const answering = (status: number, text: string) =>
  registerOf((_, response) => response.writeHead(status).end(text));

const account = { username: "green", password: "secret", unionApiSet: "green-set", token: "" };
const clubId = club(1).ID;

test("a whole register of clubs is one answer, of any size", async () => {
  const seen: (string | undefined)[] = [];
  // As many as a register of the whole world has.
  const clubs = Array.from({ length: 15_667 }, (_, number) => club(number, { Name: "x".repeat(200) }));
  const register = await registerOf(({ url }, response) => {
    seen.push(url);
    response.end(JSON.stringify(clubs));
  });
  expect(await register.clubs(account)).toEqual({ entries: clubs.map(recordOf), skipped: [] });
  expect(seen).toEqual(["/green-set/Clubs"]);
});

test("a club's courses are asked for whole, or since a time", async () => {
  const seen: (string | undefined)[] = [];
  const register = await registerOf(({ url }, response) => {
    seen.push(url);
    response.end(JSON.stringify([version(1)]));
  });
  const listing = { entries: [recordOf(version(1))], skipped: [] };
  expect(await register.courses(account, clubId)).toEqual(listing);
  expect(await register.courses(account, clubId, "20260601T120000")).toEqual(listing);
  const path = `/green-set/clubs/${clubId}/courses`;
  expect(seen).toEqual([path, `${path}?changedsince=20260601T120000`]);
});

test("unreadable entries are left out with the reason, and of two entries with one ID the last counts", async () => {
  const renamed = club(1, { ID: clubId.toLowerCase(), Name: "renamed" });
  const nobodys = { ...club(3), ID: undefined };
  const misnamed = { ...club(3), ID: "club 3" };
  const list = [club(1), nobodys, null, club(2), renamed, misnamed];
  const register = await answering(200, JSON.stringify(list));
  expect(await register.clubs(account)).toEqual({
    entries: [recordOf(renamed), recordOf(club(2))],
    skipped: ["Entry 2 has no ID.", "Entry 3 has no ID.", "Entry 6 has an ID that is no GUID."],
  });
});

test.each([
  [404, ""],
  [200, "null"],
])("an answer of %i with %j says that there is no such club", async (status, text) => {
  expect(await (await answering(status, text)).courses(account, clubId)).toBeUndefined();
});

test.each([
  [200, `{"Clubs":[${JSON.stringify(club(1))}],"Next":"page 2"}`, "The union's answer is not a list."],
  [200, "<html>", "The union's answer is not JSON."],
  [200, "", "The union's answer is not JSON."],
  [404, "", "The union's answer is not a list."],
  [500, "[]", "The union answered 500."],
  [206, "[]", "The union answered 206."],
])("an answer of %i with %j is not taken for the list of all clubs", async (status, text, why) => {
  const register = await answering(status, text);
  await expect(register.clubs(account)).rejects.toMatchObject({
    name: "UnionUnavailableError",
    message: why,
    status: why.includes(String(status)) ? status : undefined,
  });
});

test("a union that is busy says for how long it wants no requests", async () => {
  const register = await registerOf((_, response) => response.writeHead(429, { "Retry-After": "90" }).end());
  await expect(register.clubs(account)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 90 });
});

test("a record is kept as it was sent, whatever JSON allows in it", async () => {
  const values =
    '"Big":12345678901234567890,"Safe":9007199254740993,"Huge":1.5e400,"Minus":-0,"__proto__":{"a":1}';
  const texts = [
    `{"ID":"${clubId}",${values},"Text":"\\u00e9 \\" ]}, [{","List":[ 1 , {} ]}`,
    `{ "ID" : "${club(2).ID}" , "UnionNumber" : "777" }`,
  ];
  const register = await answering(200, ` [ ${texts.join(" ,\n")} ] `);
  const { entries } = await register.clubs(account);
  expect(entries.map(({ text }) => text)).toEqual(texts);
});

test.each(["[1][2]", "[{}", '["]', "[1,]", "[,]", "{}]", '[{"a":NaN}]'])(
  "%s is not JSON, so no list is read from it",
  async (text) => {
    const register = await answering(200, text);
    await expect(register.clubs(account)).rejects.toThrow(
      new UnionUnavailableError("The union's answer is not JSON."),
    );
  },
);
