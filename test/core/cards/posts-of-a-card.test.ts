import { expect, test } from "vitest";
import { isMaybeStale } from "../../../core/cards/delivery/posts.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { withdraw } from "../../../core/cards/withdraw.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { hour, minute, second } from "../../durations.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";
import { echo, settings, status, timedOut, unconnected, wakeUp } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

const everyStatus = Array.from({ length: 200 }, (_, n) => 400 + n);
/** Each status with and without Retry-After, and no answer. */
const answers: readonly (readonly [string, PostResult])[] = [
  ...everyStatus.flatMap((code) => [
    [`${code}`, status(code)] as const,
    [`${code} with Retry-After`, status(code, 30)] as const,
  ]),
  ["nothing", timedOut],
];

/** A card that is answered badly, alone or beside others that go through, for some time. */
async function answeredBadly(answer: PostResult, others: number, hours: number, pace = 20 * second) {
  const driven = drivenDelivery((ids) => (ids.includes("bad") ? answer : echo(ids)));
  const put = async (id: string) => {
    const card = storedCard(id, { acceptedAt: driven.clock.now, since: driven.clock.now });
    driven.cards.put(card);
    await driven.queue.send([wakeUp(card)]);
  };
  driven.later(0, () => put("bad"));
  for (let n = 0; n < others; n++) driven.later(n * pace, () => put(`good-${n}`));
  await driven.pass(hours * hour);
  return driven;
}

test("a card is posted at most 60 times in nine hours, whatever it is answered, alone or beside others", async () => {
  for (const [n, [name, answer]] of answers.entries()) {
    const isBesideOthers = n % 57 === 0 || n === answers.length - 1;
    for (const others of isBesideOthers ? [0, 9 * 60] : [0]) {
      const { arrays } = await answeredBadly(answer, others, 9, minute);
      const posts = arrays().filter((ids) => ids.includes("bad")).length;
      expect(posts, `${name}, ${others} others`).toBeLessThanOrEqual(60);
    }
  }
}, 600_000);

test("after any answer to a post a card is neither withdrawn with 204 nor rejected without saying that the exchange may have it", async () => {
  for (const [name, answer] of answers) {
    const { cards, clock } = await answeredBadly(answer, 0, 1 / 60);
    expect(cards.of("bad")?.maybeAtExchange, name).toBe(1);
    const withdrawn = withdraw(green, "bad", {
      table: cards.table,
      send: async () => undefined,
      now: () => new Date(clock.now),
      wait: async (milliseconds) => {
        clock.now += milliseconds;
      },
      timing: settings.timing,
      timeZone: settings.timeZone,
    });
    await expect(withdrawn, name).rejects.toMatchObject({ name: "RefusalError" });
  }
}, 600_000);

test("one bad card among 180 opens the breaker at most three times in an hour, and delays no other by more than 30 seconds", async () => {
  const bad: readonly (readonly [string, PostResult])[] = [
    ...[401, 403, 408, 409, 413, 422, 425, 429, 500, 502, 503, 504].map(
      (code) => [`${code}`, status(code)] as const,
    ),
    ["429 with Retry-After", status(429, 3600)],
    ["503 with Retry-After", status(503, 60)],
    ["401 with Retry-After", status(401, 60)],
    ["200 without an echo", echo([])],
    ["a page", status(200)],
    ["207", status(207)],
    ["a reset", { phase: "during", message: "The connection to the exchange broke (ECONNRESET)." }],
    ["nothing", timedOut],
  ];
  for (const [name, answer] of bad) {
    const { cards, events, posts, taken } = await answeredBadly(answer, 180, 1);
    expect(events.filter(({ kind }) => kind === "paused").length, name).toBeLessThanOrEqual(3);
    expect(taken.size, name).toBe(180);
    const waits = Array.from({ length: 180 }, (_, n) => {
      const card = cards.of(`good-${n}`);
      return (card?.since ?? Number.POSITIVE_INFINITY) - (start + n * 20 * second);
    });
    expect(Math.max(...waits), name).toBeLessThanOrEqual(30 * second);
    expect(posts.length, name).toBeGreaterThan(0);
  }
}, 600_000);

test("a card that was held for weeks has two days of attempts", async () => {
  const held = 21 * 24 * hour;
  const driven = drivenDelivery((ids) =>
    driven.clock.now < start + held + 10 * minute ? status(503) : echo(ids),
  );
  driven.cards.put(storedCard("1"));
  driven.later(held, () => driven.queue.send([wakeUp("1")]));
  await driven.pass(held + hour);
  expect(driven.states("1")).toEqual(["delivered"]);
});

const failuresOfSecondPosts: readonly (readonly [string, PostResult])[] = [
  ...[408, 409, 422, 500, 503].map((code) => [`${code}`, status(code)] as const),
  ["503 with Retry-After", status(503, 1800)],
  ["200 without an echo", echo([])],
  ["a reset", { phase: "during", message: "The connection to the exchange broke (ECONNRESET)." }],
  ["nothing", timedOut],
  ["no connection", unconnected],
];
/** When the card is held, for how long its second posts fail after that, and when the exchange finishes the post of its first content. */
const courses = ["beforeDelivery", "afterDelivery"].flatMap((place) =>
  [0, 7 * hour].flatMap((failing) =>
    [4 * minute, 6 * hour - minute].map((finishes) => ({ place, failing, finishes })),
  ),
);

test.each([0, 70, 240, 30 * 24 * 60])(
  "after a correction whose second posts fail and a hold of %i minutes the exchange has its content, or the card says that it may not",
  async (minutes) => {
    const held = minutes * minute;
    let fresh = 0;
    for (const [name, answer] of failuresOfSecondPosts) {
      for (const course of courses) {
        let seconds = 0;
        const driven = drivenDelivery((ids) => {
          if (driven.clock.now < start + 20 * second) return timedOut;
          if (driven.cards.of("417")?.state !== "delivered") return echo(ids);
          const isFailing = seconds++ === 0 || driven.clock.now < start + held + course.failing;
          return isFailing ? answer : echo(ids);
        });
        await driven.submit("417", "five");
        await driven.pass(20 * second);
        driven.later(course.finishes, () => driven.take("417", "five"));
        await driven.submit("417", "four");
        if (course.place === "afterDelivery") await driven.pass(minute);
        driven.clock.now += held;
        await driven.pass(10 * hour);
        expect(driven.states("417")).toEqual(["delivered"]);
        const isFresh = driven.held("417") === "four";
        const isStale = isMaybeStale(driven.cards.of("417") as StoredCard);
        expect(isFresh || isStale, JSON.stringify({ name, ...course })).toBe(true);
        if (!isStale) fresh++;
      }
    }
    expect(fresh).toBeGreaterThanOrEqual(0.9 * failuresOfSecondPosts.length * courses.length);
  },
);
