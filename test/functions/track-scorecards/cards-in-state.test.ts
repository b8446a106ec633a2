import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import type { ScorecardTable } from "../../../core/store/scorecard-table.ts";
import { scorecardTable } from "../../../core/store/scorecards.ts";
import { cardsInState } from "../../../functions/track-scorecards/cards-in-state.ts";
import { startEngine, tables } from "../../core/store/engine.ts";

const green = "green" as ApiSet;
const noon = Date.UTC(2026, 5, 1, 12);
let engine: Awaited<ReturnType<typeof startEngine>>;
let table: ScorecardTable;

beforeAll(async () => {
  engine = await startEngine();
  await engine.createTable(tables.scorecards);
  table = scorecardTable("scorecards", engine.client);
});
afterAll(() => engine.stop());

/** A name with all that means something in an address. */
const named = (number: number) => `50 % & more #${number}+é`;

/** Cards that the exchange has not taken yet, each a second newer than the one before. */
async function waiting(numbers: readonly number[], revision = "r1"): Promise<void> {
  const cards = numbers.map((number) => ({ apiSet: green, externalId: named(number), revision }));
  const card = { contentHash: "h", acceptedAt: noon, content: contentOf({}) };
  await table.putCards(cards.map((one) => ({ ...one, ...card })));
}

/** The pages of a list, each asked for by the link in the one before. */
async function pages(state: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let link: string | undefined = `?state=${state}`; link !== undefined; ) {
    const query = new URLSearchParams(link);
    expect([...query.keys()]).toEqual(found.length === 0 ? ["state"] : ["state", "after"]);
    const { statusCode, body } = await cardsInState(
      table,
      green,
      query.get("state") ?? "",
      query.get("after") ?? undefined,
    );
    expect(statusCode).toBe(200);
    const { cards, next } = JSON.parse(body) as { cards: { externalId: string }[]; next?: string };
    found.push(cards.map(({ externalId }) => externalId));
    expect(next, "a link leads on").not.toBe(link);
    link = next;
  }
  return found;
}

test("a vendor finds all its cards in a state by following the links, a hundred a page and each once", async () => {
  const numbers = Array.from({ length: 250 }, (_, number) => number);
  const delivery = {
    apiSet: green,
    revision: "r1",
    state: "retrying",
    attempts: 1,
    aloneFailures: 0,
  } as const;
  await waiting(numbers);
  await table.putDeliveries(
    numbers.map((number) => ({ ...delivery, externalId: named(number), since: noon + number * 1000 })),
  );
  const newestFirst = numbers.toReversed().map(named);
  expect(await pages("retrying")).toEqual([
    newestFirst.slice(0, 100),
    newestFirst.slice(100, 200),
    newestFirst.slice(200),
  ]);

  // Corrected, these wait for their first post, and are in that state no longer.
  await waiting(numbers.slice(200, 220), "r2");
  const after = await pages("Retrying");
  expect(after.map(({ length }) => length)).toEqual([80, 100, 50]);
  expect(after.flat()).toEqual([...newestFirst.slice(0, 30), ...newestFirst.slice(50)]);
});

test("where no card is in a state the list is empty, and leads nowhere", async () => {
  expect(await pages("undelivered")).toEqual([[]]);
});
