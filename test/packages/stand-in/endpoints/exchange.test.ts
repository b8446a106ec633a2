import { describe, expect, test } from "vitest";
import { unionProfiles } from "../../../../packages/stand-in/base/union-profile.ts";
import { ask, post, provideUnion, startUnion } from "../start-union.ts";

const union = await provideUnion();

describe("the exchange echoes anything with correct syntax", () => {
  test.each([
    ["no card", "[]"],
    ["a card with a wrong tee", '[{"ExternalID":"1","Course":{"TeeID":"nowhere"}}]'],
    ["cards that are none", '[1,null,"card",[],{}]'],
    ["one card without an array", '{"ExternalID":"2"}'],
    ["numbers that no program would write so", '[{"HCP": 1.0e5, "PHCP":12345678901234567890}]'],
    ["a name that is in it twice", '[{"ExternalID":"3","ExternalID":"4"}]'],
    ["a number where the document has a text", '[{"HCP":158000,"Course":{"TeeSlope":"127"}}]'],
    ["names that every object answers to", '[{"ExternalID":"__proto__"},{"ExternalID":"constructor"}]'],
    ["fields that nobody knows", '[{"ExternalID":"5","Weather":{"Wind":"🌬️"}}]'],
  ])("%s", async (_name, body) => {
    const answer = await post(union, body);
    expect([answer.status, answer.text]).toEqual([200, body]);
  });
});

test.each(["", "[", "{'ExternalID':'1'}", "[{]"])("broken syntax (%j) is answered 500", async (body) => {
  const answer = await post(union, body);
  expect([answer.status, typeof answer.body.Message]).toEqual([500, "string"]);
});

test("cards are posted below Clubs/Members, in any case", async () => {
  for (const path of ["/acme/Clubs/Members/ExchangedScorecards", "/acme/clubs/members/exchangedscorecards"]) {
    expect((await ask(union, path, { method: "POST", body: "[]" })).status).toBe(200);
  }
});

test("cards go to another path where the union is told so", async () => {
  const profile = { ...unionProfiles.denmark, exchangePath: "ScorecardExchange" };
  const own = await startUnion({ clubs: 1, members: 0, profile });
  expect((await ask(own, "/acme/ScorecardExchange", { method: "POST", body: "[]" })).status).toBe(200);
  await own.stop();
});

test("every card is on record, in order, with its API set, time and the request it came with", async () => {
  const before = union.received.length;
  await post(union, [{ ExternalID: "first" }, { ExternalID: "second" }]);
  await post(union, [{ ExternalID: "third" }]);
  const [first, second, third] = union.received.slice(before);
  expect([first, second, third]).toMatchObject([
    { apiSet: "acme", card: { ExternalID: "first" }, at: new Date("2026-06-17T09:00:00Z") },
    { card: { ExternalID: "second" } },
    { card: { ExternalID: "third" } },
  ]);
  expect(first?.request).toBe(second?.request);
  expect(third?.request).not.toBe(first?.request);
});

test("a body of several megabytes is taken, as the document shows no limit", async () => {
  const cards = Array.from({ length: 2_000 }, (_, n) => ({
    ExternalID: `big-${n}`,
    Comment: "ø".repeat(1_000),
  }));
  expect((await post(union, cards)).body).toHaveLength(2_000);
});
