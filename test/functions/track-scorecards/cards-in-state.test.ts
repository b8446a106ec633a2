import { expect, test } from "vitest";
import { scorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";
import { cardsInState } from "../../../functions/track-scorecards/cards-in-state.ts";
import { provideEngine, tables } from "../../core/aws/engine.ts";
import { green, key, start, storedCard } from "../../core/memory/stored-card.ts";

const engine = await provideEngine(tables.scorecards);
const table = scorecardTable("scorecards", engine.client);

/** A name with all that means something in an address. */
const named = (number: number) => `50 % & more #${number}+é`;

/** A card that failed by itself, each a second later than the one before. */
const failing = (number: number) =>
  storedCard(named(number), {
    state: "retrying",
    attempts: 1,
    suspicion: 0,
    since: start + number * 1000,
    nextAttemptAt: start + 3_600_000,
  });

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
  await table.write(
    numbers.map(failing).map(({ apiSet, externalId, ...set }) => ({ apiSet, externalId, set })),
  );
  const newestFirst = numbers.toReversed().map(named);
  expect(await pages("retrying")).toEqual([
    newestFirst.slice(0, 100),
    newestFirst.slice(100, 200),
    newestFirst.slice(200),
  ]);

  // Corrected, these wait for their first post, and are in that state no longer.
  const expects = { version: 1, states: ["retrying"] } as const;
  await table.write(
    numbers.slice(200, 220).map((number) => ({
      ...key(named(number)),
      expects,
      set: { version: 2, state: "queued", nextAttemptAt: undefined },
    })),
  );
  const after = await pages("Retrying");
  expect(after.flat()).toEqual([...newestFirst.slice(0, 30), ...newestFirst.slice(50)]);
  expect(after.map(({ length }) => length)).toEqual([100, 100, 30]);
});

test("a card that has left its state since the list was made is left out of it", async () => {
  const lagging = { ...table, inState: async () => ({ externalIds: [named(0), named(200)] }) };
  const { body } = await cardsInState(lagging, green, "retrying", undefined);
  expect(JSON.parse(body)).toMatchObject({ cards: [{ externalId: named(0), state: "retrying" }] });
});

test("a page tells of each card all that its status does, but leaves out what only waits for an outage's end", async () => {
  const failure = { phase: "during", message: "late" } as const;
  const open = { since: start, failure, nextProbeAt: start + 1000 };
  await table.writeBreaker(green, (await table.readWithBreaker(green, [])).breaker, open);
  const { apiSet, externalId, ...set } = failing(300);
  await table.write([{ apiSet, externalId, set: { ...set, nextAttemptAt: undefined } }]);
  const { body } = await cardsInState(table, green, "retrying", undefined);
  const paused = { lastError: { stage: "during", message: "late" } };
  expect(JSON.parse(body).cards[0]).toMatchObject({ externalId: named(249), attempts: 1, paused });
});

test.each([
  ["an unknown state", "asleep", undefined],
  ["a state that is not listed", "delivered", undefined],
  ["a place that is none", "rejected", "first page"],
  ["a place with a name that none can have", "rejected", `2026-06-01T12:00:00.000Z#${"x".repeat(257)}`],
])("%s is answered with what may be asked", async (_, state, after) => {
  await expect(cardsInState(table, green, state, after)).rejects.toMatchObject({ problem: { status: 400 } });
});

test("where no card is in a state the list is empty, and leads nowhere", async () => {
  expect(await pages("undelivered")).toEqual([[]]);
});
