import { expect, test } from "vitest";
import { type CardStatus, createClient } from "../../../packages/client/index.ts";
import { type FakeApiOptions, fakeApi } from "./fake-api.ts";

const vendor = { username: "greens", password: "secret", apiSet: "greens" };

async function followed(externalIds: readonly string[], fake: Omit<FakeApiOptions, "judge">, seconds = 10) {
  await using api = await fakeApi({ judge: () => "accepted", ...fake });
  const client = createClient({ api: api.address, ...vendor });
  const changes: CardStatus[] = [];
  const options = { timeoutSeconds: seconds, maxPauseSeconds: 0.005 };
  for await (const status of client.follow(externalIds, options)) changes.push(status);
  const states = Object.fromEntries(changes.map(({ externalId, state }) => [externalId, state]));
  return { states, changes, requests: api.requests };
}

test("a card is followed until it is settled, and each change is reported once", async () => {
  const course = ["queued", "queued", "retrying", "delivered"];
  const { states, changes } = await followed(["1"], {
    state: (_, asked) => course[asked] ?? "asked too often",
  });
  expect(changes.map(({ state }) => state)).toEqual(["queued", "retrying", "delivered"]);
  expect(states).toEqual({ "1": "delivered" });
});

test("only the cards that are not settled are polled again, at most a hundred in one query", async () => {
  const externalIds = Array.from({ length: 250 }, (_, number) => `card-${number}`);
  const { requests } = await followed(externalIds, {
    state: (externalId, asked) => (externalId === "card-7" && asked === 0 ? "queued" : "delivered"),
  });
  const asked = requests.map(({ url }) => new URL(url, "http://fake").searchParams.getAll("ExternalID"));
  expect(asked.slice(0, 3).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(asked.slice(3)).toEqual([["card-7"]]);
});

test("an API that answers 500 for once is polled again", async () => {
  const { states } = await followed(["1"], { before: [500] });
  expect(states).toEqual({ "1": "delivered" });
});

test("a card that never settles is followed until the deadline", async () => {
  const { states } = await followed(["1"], { state: () => "retrying" }, 0.2);
  expect(states).toEqual({ "1": "retrying" });
});

test("following cards ends with an error if the account is refused", async () => {
  await expect(followed(["1"], { before: [401] })).rejects.toMatchObject({ status: 401 });
});
