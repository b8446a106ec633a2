import { expect, test } from "vitest";
import type { OpenBreaker } from "../../../core/cards/delivery/breaker.ts";
import { concludeWithdrawal } from "../../../core/cards/delivery/plan.ts";
import type { WakeUp } from "../../../core/cards/delivery/queue.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { isWithdrawable } from "../../../core/cards/life/states.ts";
import { readStatuses } from "../../../core/cards/status.ts";
import { withdraw } from "../../../core/cards/withdraw.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { problemOf } from "../../../functions/http/problem.ts";
import { hour, minute, second } from "../../durations.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";
import {
  about,
  echo,
  message,
  settings,
  status,
  timedOut,
  unconnected,
  wakeUp,
  world,
} from "./delivery-world.ts";

const now = start + minute;
/** Sixteen seconds: a post that began before the withdrawal has ended then, and is recorded. */
const whole = 16 * second;

/** Withdraws from a table in memory, with a clock that runs only while the withdrawal waits. */
function withdrawing(given: Partial<StoredCard> = {}, cards = scorecardsInMemory()) {
  cards.put(storedCard("417", given));
  const clock = { now };
  const sent: WakeUp[] = [];
  const waits: number[] = [];
  const happening: (() => unknown)[] = [];
  const answer = (externalId = "417") =>
    withdraw(green, externalId, {
      table: cards.table,
      send: async (wakeUps) => void sent.push(...wakeUps),
      now: () => new Date(clock.now),
      timing: settings.timing,
      timeZone: "Europe/Copenhagen",
      async wait(milliseconds) {
        waits.push(milliseconds);
        await happening.shift()?.();
        clock.now += milliseconds;
      },
    }).then(
      () => 204,
      (error: unknown) => (error instanceof RefusalError ? problemOf(error).problem.status : error),
    );
  return {
    cards,
    clock,
    sent,
    waits,
    answer,
    /** Has this happen while the withdrawal waits. */
    meanwhile: (what: () => unknown) => happening.push(what),
    change: (change: Partial<StoredCard>) => cards.put({ ...(cards.of("417") as StoredCard), ...change }),
  };
}

test.each([
  ["queued", 204],
  ["retrying", 204],
  ["undelivered", 204],
  ["delivered", 409],
  ["rejected", 409],
] as const)(
  "a card that is %s is offered for withdrawal just as its withdrawal is answered: %i",
  async (state, answered) => {
    expect(isWithdrawable(state)).toBe(answered === 204);
    expect(await withdrawing({ state }).answer()).toBe(answered);
  },
);

test("a card that nobody sent cannot be withdrawn", async () => {
  expect(await withdrawing().answer("418")).toBe(404);
});

test.each<[string, Partial<StoredCard>]>([
  ["delivered", { state: "delivered", atExchange: 1 }],
  ["refused", { state: "rejected" }],
  ["refused, and may be at the exchange by another post", { state: "rejected", maybeAtExchange: 1 }],
  ["a correction of a delivered one", { version: 2, atExchange: 1 }],
  ["one that the exchange may have", { state: "retrying", maybeAtExchange: 1 }],
])("a card that is %s cannot be withdrawn any more, and stays as it is", async (_, given) => {
  const { answer, cards, waits } = withdrawing(given);
  expect(await answer()).toBe(409);
  expect(cards.of("417")).toEqual(
    expect.objectContaining(storedCard("417", { ...given, content: expect.anything() })),
  );
  expect([cards.changes, waits]).toEqual([[], []]);
});

test.each<[string, Partial<StoredCard>, number[]]>([
  ["for sixteen seconds if nothing has been tried yet", {}, [whole]],
  [
    "for sixteen seconds if an outage holds the card up, since a probe may post it",
    { state: "retrying" },
    [whole],
  ],
  [
    "not at all if the card waits for its next attempt, and failed long ago",
    { state: "retrying", since: now - 30 * second, nextAttemptAt: now + minute },
    [],
  ],
  [
    "for what is left of 26 seconds if the card waits for its next attempt, and failed not long ago",
    { state: "retrying", since: now - 20 * second, nextAttemptAt: now + minute },
    [6 * second],
  ],
  [
    "for sixteen seconds if the card waits for its next attempt, and failed just now",
    { state: "retrying", since: now - 6 * second, nextAttemptAt: now + minute },
    [whole],
  ],
  [
    "for sixteen seconds if the next attempt may be due by a clock that is ahead",
    { state: "retrying", since: now - 30 * second, nextAttemptAt: now + 15 * second },
    [whole],
  ],
  [
    "for sixteen seconds if the next attempt is due",
    { state: "retrying", since: now - 20 * second, nextAttemptAt: now + second },
    [whole],
  ],
  ["not at all if the card was given up long ago", { state: "undelivered" }, []],
  [
    "for what is left of 26 seconds if it is asked for again",
    { state: "withdrawing", version: 2, since: now - 20 * second },
    [6 * second],
  ],
  ["not at all if it was withdrawn before", { state: "withdrawn", version: 2, since: now }, []],
])("a withdrawal waits until no post can be under way %s", async (_, given, waited) => {
  const { answer, cards, waits } = withdrawing(given);
  expect(await answer()).toBe(204);
  expect(cards.of("417")?.state).toBe("withdrawn");
  expect(waits).toEqual(waited);
});

test("a withdrawal is a version of its own, so that no run posts or records the one before", async () => {
  const { answer, cards } = withdrawing({ version: 3 });
  await answer();
  expect(cards.of("417")).toMatchObject({
    version: 4,
    state: "withdrawn",
    since: now + whole,
    nextAttemptAt: undefined,
  });
  const { posts, run } = world(echo, { table: cards.table });
  expect(await run([message([wakeUp("417", { version: 3 })])])).toEqual([]);
  expect(posts).toEqual([]);
});

test("a card that was delivered while it was being withdrawn says by how many posts, and whether on its day of play", async () => {
  const StartTime = `${new Date(start).toISOString().slice(0, 10).replaceAll("-", "")}T090000`;
  const content = contentOf({ ID: "id", Round: { StartTime } });
  const { answer, cards, change, meanwhile } = withdrawing({ content });
  meanwhile(() => change({ atExchange: 1 }));
  expect(await answer()).toBe(409);
  const [told] = await readStatuses(cards.table, green, ["417"]);
  expect(told).toMatchObject({ state: "delivered", attempts: 1, arrival: "onDayOfPlay" });
});

test("while a withdrawal waits, a post without a response makes the answer 409, and the card is queued again with a wake-up", async () => {
  const { answer, cards, change, meanwhile, sent } = withdrawing();
  meanwhile(() => change({ maybeAtExchange: 1 }));
  expect(await answer()).toBe(409);
  expect(cards.of("417")).toMatchObject({ state: "queued", version: 3, maybeAtExchange: 3, mustWait: true });
  // By the first a run decides the withdrawal if its request dies; it counts for nothing else that may become version 2.
  expect(sent).toMatchObject([{ version: 2, mark: "inserted" }, { version: 3 }]);
});

test("while a withdrawal waits, a submission of other content makes the answer 409, and is delivered", async () => {
  const { answer, cards, change, meanwhile } = withdrawing();
  meanwhile(() => change({ version: 3, state: "queued", contentHash: "four strokes" }));
  expect(await answer()).toBe(409);
  expect(cards.of("417")).toMatchObject({ version: 3, state: "queued" });
});

const failed = { state: "retrying", since: now - 5 * second - 10 } as const;

test.each<[string, Partial<StoredCard>, Partial<OpenBreaker>, number[]]>([
  ["at once if the card's post opened it", failed, {}, []],
  ["at once if another card is probed", failed, { probing: "418" }, []],
  ["at once if a probe is due", failed, { nextProbeAt: now }, []],
  ["after the probe if that posts the card", failed, { probing: "417" }, [whole]],
  [
    "at once if the card came while it was open",
    { since: now - 3 * second },
    { since: now - 15 * second },
    [],
  ],
  [
    "when posts that began before have ended, if by another clock it may have opened after the card came",
    { since: now - 3 * second },
    { since: now - 12 * second },
    [15 * second],
  ],
  [
    "when posts that began before it opened have ended, if the card came before",
    { since: now - minute },
    { since: now - 15 * second },
    [12 * second],
  ],
  [
    "so, too, if the card failed before it opened",
    { ...failed, since: now - minute },
    { since: now - 15 * second },
    [12 * second],
  ],
  [
    "so, too, if the card was corrected meanwhile, since what it corrects may be posted",
    { version: 3, since: now - 3 * second },
    { since: now - 15 * second },
    [12 * second],
  ],
  [
    "so, too, if a withdrawal is under way already",
    { state: "withdrawing", version: 2, since: now - 3 * second },
    { since: now - 15 * second },
    [12 * second],
  ],
  ["at once if it has been open so long", { since: now - minute }, { since: now - 27 * second }, []],
])("while the breaker is open, a withdrawal is answered %s", async (_, given, opened, waited) => {
  const { answer, cards, waits } = withdrawing(given);
  const failure = { phase: "after", status: 503, message: "" } as const;
  const open = { since: now - 5 * second, failure, nextProbeAt: now + minute, ...opened };
  await cards.table.writeBreaker(green, { version: 0 }, open);
  expect(await answer()).toBe(204);
  expect(waits).toEqual(waited);
});

test("a card that was being withdrawn is delivered by the post before, and posted once more only if it had to wait, or nobody knows what became of an older content", () => {
  const marksOf = (mustWait: boolean, unknown?: number) => {
    const posts =
      unknown === undefined
        ? []
        : [{ version: unknown, answer: "unknown" as const, from: now, to: now, posts: 1 }];
    const card = storedCard("417", { version: 3, state: "withdrawing", atExchange: 2, mustWait, posts });
    const { change, wakeUps } = concludeWithdrawal(card, {
      now,
      timing: settings.timing,
      timeZone: "Europe/Copenhagen",
    });
    expect(change.set).toMatchObject({ state: "delivered", since: now });
    return wakeUps.map(({ version, mark, delaySeconds }) => [version, mark, delaySeconds]);
  };
  expect([marksOf(true), marksOf(false), marksOf(false, 2)]).toEqual([[[3, "repost", 300]], [], []]);
  expect(marksOf(false, 1)).toEqual([[3, "repost", 900]]);
});

test("if the run that posted a card died, and its wake-up comes back after the withdrawal, the card says that the exchange may have it", async () => {
  const { answer, cards } = withdrawing();
  expect(await answer()).toBe(204);
  const { posts, run } = world(echo, { table: cards.table });
  await run([about("417")]);
  expect(cards.of("417")?.maybeAtExchange).toBe(0);
  await run([message(["417"], { receives: 2 })]);
  expect(cards.of("417")).toMatchObject({ state: "withdrawn", version: 2, maybeAtExchange: 1 });
  expect(posts).toEqual([]);
  expect((await cards.table.inState(green, "withdrawn", 10)).externalIds).toEqual(["417"]);
  const [status] = await readStatuses(cards.table, green, ["417"]);
  expect(status).toMatchObject({ state: "withdrawn", maybeDelivered: true });
  // Asked again, the answer is true now.
  expect(await answer()).toBe(409);
});

test("a table that refuses makes the answer 503, and the withdrawal may be asked for again", async () => {
  const { answer, cards } = withdrawing();
  cards.refuse(1);
  expect(await answer()).toBe(503);
  expect(await answer()).toBe(204);
});

const refusal: PostResult = { ...status(207), refused: new Map([["417", 422]]) } as PostResult;
test.each<[string, PostResult, number, string, number]>([
  ["takes it", echo(["417"]), 409, "delivered", 1],
  ["refuses it", status(422), 409, "delivered", 2],
  ["names and refuses it", refusal, 204, "withdrawn", 1],
  ["cannot be reached", unconnected, 204, "withdrawn", 1],
  ["does not answer", timedOut, 409, "delivered", 2],
  ["leaves it out of its echo", echo([]), 409, "delivered", 2],
])(
  "a withdrawal waits for a run that is posting the card, and its answer is right if the exchange %s",
  async (_, first, code, state, posts) => {
    const posting = Promise.withResolvers<PostResult>();
    const isPosted = Promise.withResolvers<void>();
    const answers = [posting.promise];
    const { cards, clock, arrays, run } = world((ids) => {
      isPosted.resolve();
      return answers.shift() ?? echo(ids);
    });
    const { answer, meanwhile, sent } = withdrawing({}, cards);
    const running = run([about("417")]);
    await isPosted.promise;
    meanwhile(async () => {
      posting.resolve(first);
      await running;
    });
    expect(await answer()).toBe(code);
    // What goes on is posted by its own wake-up, once it was seen stored for long enough.
    clock.now += hour;
    for (const { version } of sent) await run([message([wakeUp("417", { version, mark: "stored" })])]);
    expect([cards.of("417")?.state, arrays().length]).toEqual([state, posts]);
  },
);
