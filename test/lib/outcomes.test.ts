import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { readFilterCriteria } from "@scorecard-pipeline/local-aws/dynamodb";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiSet } from "../../core/accounts/account.ts";
import type { Item } from "../../core/aws/batch.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";
import { contentOf } from "../../core/cards/life/card-content.ts";
import type { CardHappening } from "../../core/cards/life/happened.ts";
import { cardStates } from "../../core/cards/life/states.ts";
import { deliveredCards } from "../../core/records/deliveries.ts";
import { added, type Counts } from "../../core/views/activity-counts.ts";
import { hourSteps } from "../../core/views/hours.ts";
import { listedCards } from "../../core/views/listed-cards.ts";
import { eventsOfChange, groupEvents } from "../../core/webhooks/event.ts";
import { settings } from "../../lib/settings.ts";
import { startEngine, tables } from "../core/aws/engine.ts";
import { isFollowed } from "../core/cards/life/is-followed.ts";
import { happeningsOf, lifeOf, randomSteps } from "../core/cards/life/random-life.ts";
import { templateOf } from "../synthesized-stack.ts";

const apiSet = "green" as ApiSet;
const fields: Omit<StoredCard, "apiSet" | "externalId"> = {
  version: 1,
  state: "queued",
  since: 0,
  acceptedAt: 0,
  requestId: "r",
  contentHash: "h",
  content: contentOf({}),
  mustWait: false,
  attempts: 1,
  atExchange: 0,
  maybeAtExchange: 0,
  earlier: [],
};
const card: StoredCard = { ...fields, apiSet, externalId: "1" };

const template = await templateOf(settings.production);

/** The items of cards in each state, by it, and of an open circuit breaker, as the table's stream has them. */
async function writtenItems(): Promise<Map<string, Item>> {
  const { client, createTable, stop } = await startEngine();
  try {
    await createTable(tables.scorecards);
    const { TableName } = tables.scorecards;
    const table = scorecardTable(TableName, client);
    await table.write(cardStates.map((state) => ({ apiSet, externalId: state, set: { ...fields, state } })));
    const failure = { phase: "before", message: "down" } as const;
    await table.writeBreaker(apiSet, { version: 0 }, { since: 0, failure, nextProbeAt: 0 });
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    return new Map(Items.map((item) => [item.id?.S?.split("#")[1] ?? "breaker", item]));
  } finally {
    await stop();
  }
}

/** What is handed over to the functions that follow the table: the one of outcomes has tumbling windows. */
const filters = Object.values(template.findResources("AWS::Lambda::EventSourceMapping")).flatMap(
  ({ Properties: { FilterCriteria, TumblingWindowInSeconds } }) =>
    FilterCriteria === undefined
      ? []
      : [
          {
            isOfOutcomes: TumblingWindowInSeconds !== undefined,
            matches: readFilterCriteria(FilterCriteria),
          },
        ],
);
const isHandedOver = filters.find(({ isOfOutcomes }) => isOfOutcomes)?.matches;
const isChecked = filters.find(({ isOfOutcomes }) => !isOfOutcomes)?.matches;

test("filters pass new cards, new versions, outcomes and open breakers, and no failed attempts", async () => {
  const items = await writtenItems();
  expect([...items.keys()].sort()).toEqual([...cardStates, "breaker"].sort());
  for (const eventName of ["INSERT", "MODIFY"]) {
    const handedOver = [...items].filter(([, NewImage]) =>
      isHandedOver?.({ eventName, dynamodb: { NewImage } }),
    );
    const passed = ["breaker", "delivered", "queued", "rejected", "undelivered", "withdrawing", "withdrawn"];
    expect(handedOver.map(([name]) => name).sort()).toEqual(passed);
  }
});

/** What a filter reads of a card's item. */
const image = ({ state, suspicion }: StoredCard): Item => ({
  id: { S: `${apiSet}#1` },
  state: { S: state },
  ...(suspicion !== undefined && { suspicion: { N: String(suspicion) } }),
});
const isPassed = ({ card: now, before }: CardHappening) =>
  isHandedOver?.({
    eventName: before === undefined ? "INSERT" : "MODIFY",
    dynamodb: { NewImage: image(now), ...(before !== undefined && { OldImage: image(before) }) },
  }) === true;

test("every view of the changes that pass is the view of all changes, whatever happened to a card", () => {
  const hour = (at: number) => at - (at % 3_600_000);
  const sums = (changes: readonly CardHappening[]) => {
    const hours = hourSteps(changes, hour).map(({ hour: at, steps }) => [
      at,
      Object.entries(steps.reduce<Counts>((sum, { counts }) => added(sum, counts), {}))
        .filter(([, count]) => count !== 0)
        .toSorted(),
    ]);
    return {
      hours: hours.filter(([, counts]) => (counts as []).length > 0).toSorted(),
      lists: listedCards(changes, "UTC").flatMap(({ day, list, externalIds }) => [day, list, externalIds]),
      told: groupEvents(changes.flatMap((change) => eventsOfChange(change, "shard"))).map(
        ({ type, data }) => [type, data.cards?.length],
      ),
      checked: deliveredCards(changes, 1).flatMap(({ externalIds }) => externalIds),
    };
  };
  fc.assert(
    fc.property(randomSteps, (steps) => {
      const changes = happeningsOf(lifeOf("1", steps));
      // The simulated days follow what this says.
      expect(changes.map(isPassed)).toEqual(changes.map(({ before, card: now }) => isFollowed(before, now)));
      expect(sums(changes.filter(isPassed))).toEqual(sums(changes));
    }),
    { numRuns: 500 },
  );
});

test("an outage that has a card retried again and again is handed over at most once", () => {
  const retrying: StoredCard = { ...card, state: "retrying" };
  const suspected: StoredCard = { ...retrying, suspicion: 1 };
  const changes = happeningsOf([
    card,
    retrying,
    retrying,
    suspected,
    { ...suspected, suspicion: 2 },
    suspected,
  ]);
  expect(changes.map(isPassed)).toEqual([true, false, false, true, false, false]);
});

test("filters pass a breaker that closes, and no player who is remembered", async () => {
  const OldImage = (await writtenItems()).get("breaker") ?? {};
  const closed = { id: { S: "green" }, version: { N: "2" } };
  expect(isHandedOver?.({ eventName: "MODIFY", dynamodb: { NewImage: closed, OldImage } })).toBe(true);
  const player = { id: { S: "player:hash" }, expiresAt: { N: "1" } };
  expect(isHandedOver?.({ eventName: "INSERT", dynamodb: { NewImage: player } })).toBe(false);
});

test("the player of a card is checked when it is delivered, and not when it is only warned about or posted once more", async () => {
  const items = await writtenItems();
  const states = [...items.keys()].filter((name) => name !== "breaker");
  const checked = states.flatMap((before) =>
    states.flatMap((after) => {
      const dynamodb = { OldImage: items.get(before), NewImage: items.get(after) };
      return isChecked?.({ eventName: "MODIFY", dynamodb }) ? [`${before} ${after}`] : [];
    }),
  );
  const others = states.filter((state) => state !== "delivered");
  expect(checked.sort()).toEqual(others.map((state) => `${state} delivered`).sort());
});

test("the function that follows changes is told of which shard they are: without that nothing could be counted once", () => {
  const tumbling = Object.values(template.findResources("AWS::Lambda::EventSourceMapping")).flatMap(
    ({ Properties }) => Properties.TumblingWindowInSeconds ?? [],
  );
  expect(tumbling).toEqual([900]);
});
