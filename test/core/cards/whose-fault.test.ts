import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { describe, expect, test } from "vitest";
import type { PostResult } from "../../../core/union/exchange.ts";
import { hour, minute, second } from "../../durations.ts";
import { start, storedCard } from "../memory/stored-card.ts";
import { echo, names, status, timedOut, wakeUp } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

/*
 * Whose fault it is, the card's or the exchange's: how long good cards wait for bad ones and for the end of outages, and what
 * becomes of each, with posts of 0.3 seconds.
 */

const postMilliseconds = 0.3 * second;
const reset: PostResult = { phase: "during", message: "The connection to the exchange broke (ECONNRESET)." };
/** Failing answers that say nothing of whose fault it is. posting.test.ts has the statuses that 422 stands for. */
const answers: readonly (readonly [string, PostResult])[] = [
  ["422", status(422)],
  ["a page of HTML", status(200)],
];

/** A delivery whose posts take time, with what is counted of them. */
function timed(answer: (ids: readonly string[], now: number) => PostResult) {
  const counts = { posts: 0, inVain: 0 };
  const deliveredAt = new Map<string, number>();
  const driven = drivenDelivery((ids) => {
    const result = answer(ids, driven.clock.now);
    driven.clock.now += result === timedOut ? 10 * second : postMilliseconds;
    counts.posts++;
    const echoed = result.phase === "after" ? result.echoed : new Set<string>();
    if (echoed.size === 0) counts.inVain++;
    for (const id of echoed) deliveredAt.set(id, driven.clock.now);
    return result;
  });
  return {
    ...driven,
    counts,
    deliveredAt,
    async accept(ids: readonly string[], at = driven.clock.now) {
      const cards = ids.map((id) => storedCard(id, { acceptedAt: at, since: at }));
      driven.cards.put(...cards);
      await driven.queue.send(cards.map((card) => wakeUp(card)));
    },
    /** Milliseconds from the start until the last of these cards arrived; infinite if one has not. */
    last: (ids: readonly string[]) =>
      Math.max(...ids.map((id) => deliveredAt.get(id) ?? Number.POSITIVE_INFINITY)) - start,
    stateCounts: (ids: readonly string[]) =>
      Object.fromEntries(
        [...Map.groupBy(driven.states(...ids), (s) => s)].map(([s, all]) => [s, all.length]),
      ),
  };
}

/** Plays outages of about this length for 200 cards, in which every request gets this answer. @returns what became of the cards */
async function outages(answer: PostResult, about: number, count: number) {
  const found = { states: new Set<string | undefined>(), maxWrites: 0, lastAfter: 0, inVain: 0 };
  // When the next probe comes after an outage is left to chance, so several are compared.
  for (let more = 0; more < count; more++) {
    const length = about + more * 67 * second;
    const all = names(200);
    const driven = timed((ids, now) => (now < start + length ? answer : echo(ids)));
    await driven.accept(all);
    await driven.pass(length + 30 * minute);
    const writes = Map.groupBy(driven.cards.changes, ({ externalId }) => externalId);
    // The first write is that of the submission.
    const most = 1 + Math.max(...[...writes.values()].map((changes) => changes.length));
    for (const state of driven.states(...all)) found.states.add(state);
    found.maxWrites = Math.max(found.maxWrites, most);
    found.lastAfter += driven.last(all) - length;
    found.inVain += driven.counts.inVain;
  }
  return found;
}

describe.each([
  ["5 minutes", 5 * minute, 5],
  ["46 hours", 46 * hour, 2],
])("if the exchange answers everything alike for %s", (_, length, count) => {
  const usual = outages(status(503, 0), length, count);

  test.each(answers)(
    "with %s, no card is rejected, and each is delivered as soon as after a 503",
    async (_, answer) => {
      const { states, maxWrites, lastAfter, inVain } = await outages(answer, length, count);
      expect(states).toEqual(new Set(["delivered"]));
      expect(maxWrites).toBeLessThanOrEqual(3);
      expect(lastAfter).toBeLessThanOrEqual(1.5 * (await usual).lastAfter);
      expect(inVain).toBeLessThanOrEqual(4 * (await usual).inVain);
    },
  );
});

const badAnswers = [...answers, ["a reset", reset] as const, ["a hang", timedOut] as const];

describe.each([50, 120])("among %i cards", (count) => {
  test.each(badAnswers)("one to five bad ones, answered with %s, hold up no others", async (name, answer) => {
    for (let bad = 1; bad <= 5; bad++) {
      for (let seed = 1; seed <= 2; seed++) {
        const all = names(count);
        const random = seededRandom(seed * 10 + bad, name);
        // The first layout is the worst: the cards that are posted alone are bad.
        const worst = [0, 17, 34, 33, 16].map((index) => `card-${index}`);
        const poison = new Set((seed === 1 ? worst : random.shuffled(all)).slice(0, bad));
        const good = all.filter((id) => !poison.has(id));
        const driven = timed((ids) => (ids.some((id) => poison.has(id)) ? answer : echo(ids)));
        await driven.accept(all);
        await driven.pass(5 * minute);
        expect(driven.last(good)).toBeLessThanOrEqual(answer === timedOut ? 3 * minute : 30 * second);
        expect(driven.stateCounts([...poison])).toEqual({ retrying: bad });
      }
    }
  });
});

test.each(badAnswers)(
  "a bad card, answered with %s, holds up none of the good ones that come every ten seconds, and is rejected within five minutes only if the answer can mean no",
  async (name, answer) => {
    const driven = timed((ids) => (ids.includes("bad") ? answer : echo(ids)));
    await driven.accept(["bad"]);
    for (let n = 1; n <= 30; n++) {
      driven.later(n * 10 * second, () => driven.accept([`good-${n}`]));
    }
    await driven.pass(5 * minute);
    expect(driven.states("bad")).toEqual([name === "422" ? "rejected" : "retrying"]);
    await driven.pass(minute);
    for (let n = 1; n <= 30; n++) {
      const waited =
        (driven.deliveredAt.get(`good-${n}`) ?? Number.POSITIVE_INFINITY) - start - n * 10 * second;
      expect(waited).toBeLessThanOrEqual(answer === timedOut ? 3 * minute : 30 * second);
    }
  },
);

test("of a thousand cards, 300 of them bad, all good ones are delivered within eight minutes", async () => {
  const all = names(1000);
  const bad = new Set(Array.from({ length: 300 }, (_, index) => `card-${(index * 7) % 1000}`));
  const good = all.filter((id) => !bad.has(id));
  const driven = timed((ids) => (ids.some((id) => bad.has(id)) ? status(422) : echo(ids)));
  await driven.accept(all);
  await driven.pass(10 * minute);
  expect(driven.last(good)).toBeLessThanOrEqual(8 * minute);
});
