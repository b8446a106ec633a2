import type { StandIn } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { exchange } from "../../../core/union/exchange.ts";
import { startUnion, vendor } from "../../packages/stand-in/start-union.ts";
import { storedCard } from "../memory/stored-card.ts";
import { message, names, wakeUp, world } from "./delivery-world.ts";

const refuseIn2xx = {
  "card-3": "rejectedList",
  "card-11": "status",
  "card-19": "errors",
  "card-27": "multiStatus",
  "card-35": "otherId",
  "card-43": "otherContent",
  "card-49": "message",
} as const;

let union: StandIn;
beforeAll(async () => {
  union = await startUnion({ clubs: 1, members: 0 });
});
afterAll(() => union.stop());

test.each([
  ["in UTF-8", "no"],
  ["in Latin-1", "declared"],
  ["in Latin-1 that is not declared", "undeclared"],
] as const)("of 50 cards, exactly those that a 2xx %s does not refuse are delivered", async (_, latin1) => {
  Object.assign(union.faults, { refuseIn2xx, latin1 });
  const before = union.received.length;
  const post = exchange(union.address, "Clubs/Members/ExchangedScorecards", 60_000, () => new Date());
  const { username, password } = vendor;
  const account = async () => ({ username, password, unionApiSet: "acme", token: "" });
  const { cards, run, states } = world(undefined, { account, post });
  const ids = names(50);
  const stored = ids.map((id) => {
    const fields = { ID: `id of ${id}`, ExternalID: id, Comment: "Blæst på banen" };
    return storedCard(id, { content: contentOf(fields) });
  });
  cards.put(...stored);
  await run([message(stored.map((card) => wakeUp(card)))]);
  const isRefused = (id: string) => Object.hasOwn(refuseIn2xx, id);
  expect(Object.fromEntries(states(...ids).map((state, n) => [ids[n], state]))).toEqual(
    Object.fromEntries(ids.map((id) => [id, isRefused(id) ? "retrying" : "delivered"])),
  );
  const taken = union.received.slice(before).map(({ card }) => (card as { ExternalID: string }).ExternalID);
  expect(taken.toSorted()).toEqual(ids.filter((id) => !isRefused(id)).toSorted());
});
