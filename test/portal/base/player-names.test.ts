import type { Member, StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import { expect, test, vi } from "vitest";
import { createPlayerNames } from "../../../portal/base/player-names.ts";

const member = { FirstName: "Ann", LastName: "Example" } as Member;
const cardOf = (Player: object) => ({ card: { Player } }) as StoredScorecard;

function namesOf(card: () => Promise<StoredScorecard>, maySeeMembers = true) {
  const api = { card: vi.fn(card), golfer: vi.fn(async () => member) };
  return { api, names: createPlayerNames(api, maySeeMembers) };
}

test("a card's own name goes before the union's, which is asked only for a card without one", async () => {
  const named = namesOf(async () => cardOf({ FullName: "Bo Marker", UnionID: "32-1" }));
  expect(await named.names.ofCard("one")).toBe("Bo Marker");
  expect(named.api.golfer).not.toHaveBeenCalled();
  const unnamed = namesOf(async () => cardOf({ FullName: " ", UnionID: "32-1" }));
  expect(await unnamed.names.ofCard("one")).toBe("Ann Example");
});

test("an account that may not look members up asks for none", async () => {
  const { api, names } = namesOf(async () => cardOf({ UnionID: "32-1" }), false);
  expect(await names.ofCard("one")).toBeUndefined();
  expect(api.golfer).not.toHaveBeenCalled();
});

test("a name is asked for once, a player once for all cards, and a corrected card anew", async () => {
  const { api, names } = namesOf(async () => cardOf({ UnionID: "32-1" }));
  for (const [card, version] of [
    ["one", 1],
    ["one", 1],
    ["two", 1],
    ["one", 2],
  ] as const)
    await names.ofCard(card, version);
  expect(api.card).toHaveBeenCalledTimes(3);
  expect(api.golfer).toHaveBeenCalledTimes(1);
});

test("a name that could not be read is no name, and is asked for again", async () => {
  let fails = true;
  const { names } = namesOf(async () => {
    if (fails) throw new Error("busy");
    return cardOf({ FullName: "Ann Example" });
  });
  expect(await names.ofCard("one")).toBeUndefined();
  fails = false;
  expect(await names.ofCard("one")).toBe("Ann Example");
});

test("at most four names are asked for at the same time, failures included", async () => {
  let running = 0;
  let most = 0;
  const { names } = namesOf(async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    throw new Error("busy");
  });
  await Promise.all(Array.from({ length: 30 }, (_, card) => names.ofCard(String(card))));
  expect(most).toBe(4);
});
