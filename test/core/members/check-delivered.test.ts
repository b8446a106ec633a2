import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { StoredCard } from "../../../core/delivery/card.ts";
import { createPlayerCheck, type PlayerCheckDependencies } from "../../../core/delivery/check-players.ts";
import { cardStatus } from "../../../core/delivery/status.ts";
import { contentOf } from "../../../core/dynamodb/packed-json.ts";
import { nextVersion } from "../../../core/submission/plan.ts";
import { red, start, storedCard } from "../memory/stored-card.ts";
import {
  about,
  echo,
  hour,
  message,
  minute,
  names,
  second,
  settings,
  status,
  wakeUp,
  world,
} from "./delivery-world.ts";

type Outcome = Awaited<ReturnType<PlayerCheckDependencies["lookUp"]>>["outcome"];

/** A card of the player with this UnionID. */
const cardOf = (externalId: string, unionId: string, given: Partial<StoredCard> = {}) =>
  storedCard(externalId, {
    content: contentOf({ ExternalID: externalId, Player: { FullName: "Karen Player", UnionID: unionId } }),
    ...given,
  });

/**
 * A delivery whose runs end with the player check.
 *
 * @param union what it answers to a question
 * @param given other dependencies of the check
 */
function checkedWorld(
  union: (unionId: string, timeout: number) => Outcome | Promise<Outcome> = () => "found",
  given: Partial<PlayerCheckDependencies> = {},
) {
  const asked: string[] = [];
  const remembered = new Set<string>();
  const made = world(echo, { delivered: (cards) => players.note(cards) });
  const { dependencies, clock, events, cards } = made;
  const players = createPlayerCheck({
    ...dependencies,
    recall: async (unionIds) => ({
      known: new Set(unionIds.filter((unionId) => remembered.has(unionId))),
      remember: async (found) => {
        for (const unionId of found) remembered.add(unionId);
      },
    }),
    lookUp: async ({ username }, unionId, timeout) => {
      asked.push(`${username} ${unionId}`);
      return { outcome: await union(unionId, timeout) };
    },
    ...given,
  });
  return {
    ...made,
    asked,
    remembered,
    players,
    /** A run about cards, with as long as a stage's function has. */
    async deliver(...some: readonly StoredCard[]) {
      cards.put(...some);
      const began = clock.now;
      const remaining = () => 30 * second - (clock.now - began);
      const vendors = Map.groupBy(some, ({ apiSet }) => apiSet);
      const messages = [...vendors].map(([apiSet, own]) =>
        message(
          own.map((card) => wakeUp(card)),
          { messageId: apiSet },
        ),
      );
      expect(await made.deliver(messages, remaining)).toEqual([]);
      await players.check(remaining);
      return clock.now - began;
    },
    warned: (externalId: string) => cards.of(externalId)?.playerUnknown === true,
    checks: () =>
      events.flatMap((event) => (event.kind === "playersChecked" ? [[event.unknown, event.unchecked]] : [])),
  };
}

test("a card whose player the union knows gets no warning, and the player is remembered", async () => {
  const { deliver, warned, states, asked, remembered, checks } = checkedWorld();
  await deliver(cardOf("417", "1016-1"));
  expect([states("417"), warned("417")]).toEqual([["delivered"], false]);
  expect([asked, [...remembered]]).toEqual([["green 1016-1"], ["1016-1"]]);
  expect(checks()).toEqual([[0, 0]]);
});

test("a card whose player the union does not know is delivered, and its state has the warning", async () => {
  const { deliver, cards, remembered, checks } = checkedWorld(() => "nobody");
  await deliver(cardOf("417", "1016-1"));
  const read = cardStatus("417", cards.of("417"), { version: 0 });
  expect(read).toMatchObject({ state: "delivered", attempts: 1, since: new Date(start).toISOString() });
  expect(read.warnings).toMatchObject([
    { code: "player_unknown", pointer: "/Player/UnionID", externalId: "417" },
  ]);
  expect(JSON.stringify(read.warnings)).not.toContain("1016-1");
  expect([[...remembered], checks()]).toEqual([[], [[1, 0]]]);
});

test("a second card of a known player asks nothing", async () => {
  const { deliver, asked, warned } = checkedWorld();
  await deliver(cardOf("first", "1016-1"), cardOf("of the same submission", "1016-1"));
  await deliver(cardOf("second", "1016-1"));
  await deliver(cardOf("of another vendor", "1016-1", { apiSet: red }));
  expect([asked, warned("second")]).toEqual([["green 1016-1"], false]);
});

test("each vendor's players are asked for with its own account", async () => {
  const { deliver, asked } = checkedWorld();
  await deliver(cardOf("417", "1016-1"), cardOf("418", "1016-2", { apiSet: red }));
  expect(asked.sort()).toEqual(["green 1016-1", "red 1016-2"]);
});

test("the union is asked for a few players at a time", async () => {
  let [underWay, most] = [0, 0];
  const { deliver, asked } = checkedWorld(async (): Promise<Outcome> => {
    most = Math.max(most, ++underWay);
    await nextTurn();
    underWay--;
    return "found";
  });
  await deliver(...names(20).map((name) => cardOf(name, `1016-${name}`)));
  expect([asked.length, most]).toEqual([20, 4]);
});

test("a slow union is asked for five seconds at most, and the other cards get no warning", async () => {
  const slow = checkedWorld(async (): Promise<Outcome> => {
    slow.clock.now += second;
    return "nobody";
  });
  const took = await slow.deliver(...names(20).map((name) => cardOf(name, `1016-${name}`)));
  // Questions that would have less than two seconds are not asked.
  const unchecked = 20 - slow.asked.length;
  expect(took).toBeLessThanOrEqual(5 * second);
  expect(unchecked).toBeGreaterThan(10);
  expect(slow.checks()).toEqual([[slow.asked.length, unchecked]]);
  expect(slow.states(...names(20))).toEqual(names(20).map(() => "delivered"));
});

test("a question may take no longer than what is left of the five seconds", async () => {
  const timeouts: number[] = [];
  const { deliver, clock } = checkedWorld((_, timeout) => {
    timeouts.push(timeout);
    clock.now += 400;
    return "found";
  });
  await deliver(...names(6).map((name) => cardOf(name, `1016-${name}`)));
  expect(timeouts).toEqual([5000, 4600, 4200, 3800, 3400, 3000]);
});

test.each(["failed", "late"] as const)(
  "a union whose lookup is %s gives no warning, and is not asked again for five minutes",
  async (outcome) => {
    const { deliver, asked, warned, states, clock, checks } = checkedWorld(() => outcome);
    await deliver(...names(20).map((name) => cardOf(name, `1016-${name}`)));
    expect(asked.length).toBeLessThanOrEqual(4);
    expect([states("card-0"), warned("card-0"), checks()]).toEqual([["delivered"], false, [[0, 20]]]);
    const before = asked.length;
    clock.now += 4 * minute;
    await deliver(cardOf("417", "1016-1"));
    expect(asked).toHaveLength(before);
    clock.now += 2 * minute;
    await deliver(cardOf("418", "1016-1"));
    expect(asked).toHaveLength(before + 1);
  },
);

test("an account that may not look members up gets no warning, and asks nothing more for an hour; others do", async () => {
  const { deliver, asked, warned, clock } = checkedWorld((unionId) =>
    unionId === "1016-1" ? "refused" : "nobody",
  );
  await deliver(cardOf("417", "1016-1"));
  clock.now += hour - minute;
  await deliver(cardOf("418", "1016-1"), cardOf("419", "1016-2", { apiSet: red }));
  expect([asked, warned("417"), warned("418")]).toEqual([["green 1016-1", "red 1016-2"], false, false]);
  clock.now += 2 * minute;
  await deliver(cardOf("420", "1016-1"));
  expect(asked).toHaveLength(3);
});

test("an account that may see the members of some clubs still asks for the others of a run", async () => {
  const { deliver, warned } = checkedWorld((unionId) => (unionId === "1016-1" ? "refused" : "nobody"));
  await deliver(cardOf("own club", "1001-1"), cardOf("other club", "1016-1"), cardOf("own too", "1001-2"));
  expect(["own club", "other club", "own too"].map(warned)).toEqual([true, false, true]);
});

test("nobody is asked for when the run's time is nearly up", async () => {
  const { players, asked, checks } = checkedWorld(() => "nobody");
  players.note([cardOf("417", "1016-1", { state: "delivered" })]);
  // Three seconds are kept for what comes after, and a question needs two.
  await players.check(() => 4900);
  expect([asked, checks()]).toEqual([[], [[0, 1]]]);
});

test("a crash in the middle of the check is reported, and nothing is posted again", async () => {
  const { deliver, cards, posts, states, events, asked } = checkedWorld(() => "nobody");
  let writes = 0;
  cards.hooks.beforeWrite = async () => {
    if (++writes === 2) throw new Error("DynamoDB does not answer.");
  };
  await deliver(cardOf("417", "1016-1"));
  expect(events.at(-1)).toMatchObject({ kind: "playersUnchecked" });
  await deliver({ ...cardOf("417", "1016-1"), ...cards.of("417") });
  expect([states("417"), posts.length, asked.length]).toEqual([["delivered"], 1, 1]);
});

test("a memory that cannot be read leaves the cards unchecked", async () => {
  const { deliver, states, asked, events } = checkedWorld(() => "nobody", {
    recall: () => Promise.reject(new Error("Secrets Manager does not answer.")),
  });
  await deliver(cardOf("417", "1016-1"));
  expect([states("417"), asked, events.at(-1)?.kind]).toEqual([["delivered"], [], "playersUnchecked"]);
});

test("cards that the exchange did not take are not checked", async () => {
  const made = world(() => status(503), { delivered: () => expect.fail("Nothing was delivered.") });
  made.cards.put(storedCard("417"));
  await made.run([about("417")]);
  expect(made.states("417")).toEqual(["retrying"]);
});

test("a correction that was stored during the check does not get the warning of the card before it", async () => {
  const { deliver, cards, checks } = checkedWorld(() => {
    const card = cards.of("417");
    if (card === undefined) throw new Error("The card is not stored.");
    const acceptance = { now: start, requestId: "request", timing: settings.timing };
    cards.put({ ...card, ...nextVersion(card, acceptance).set });
    return "nobody";
  });
  await deliver(cardOf("417", "1016-1"));
  expect(cards.of("417")).toMatchObject({ version: 2, state: "queued" });
  expect([cards.of("417")?.playerUnknown, checks()]).toEqual([undefined, [[0, 0]]]);
});

test("a correction has no warning until its own player is checked", async () => {
  const card = cardOf("417", "1016-1", { state: "delivered", playerUnknown: true });
  const acceptance = { now: start + hour, requestId: "request", timing: settings.timing };
  expect(nextVersion(card, acceptance).set).toMatchObject({ version: 2, playerUnknown: undefined });
});
