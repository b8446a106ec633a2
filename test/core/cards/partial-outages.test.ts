import { describe, expect, test } from "vitest";
import type { PostResult } from "../../../core/union/exchange.ts";
import { start, storedCard } from "../memory/stored-card.ts";
import { echo, minute, second, status, timedOut, wakeUp } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

/* A part of the exchange is down, a shard or a lock: it fails for the same cards each time, and others go through. */

const reset: PostResult = { phase: "during", message: "The connection to the exchange broke (ECONNRESET)." };
const answers: readonly (readonly [string, PostResult])[] = [
  ["500", status(500)],
  ["502", status(502)],
  ["503", status(503)],
  ["a timeout", timedOut],
  ["a reset", reset],
];

/** Which cards of a part there are: the first ones that come, or every fourth. */
const parts: readonly (readonly [string, (n: number) => boolean])[] = [
  ["one card", (n) => n === 2],
  ["three cards", (n) => n >= 2 && n < 5],
  ["ten cards", (n) => n >= 2 && n < 12],
  ["a quarter of the cards", (n) => n % 4 === 2],
];

/** Plays an outage of a part, beside a card every so often. @returns what became of the cards */
async function playOutage(
  answer: PostResult,
  isDown: (n: number) => boolean,
  length: number,
  interval: number,
) {
  const downUntil = start + length;
  const deliveredAt = new Map<string, number>();
  const driven = drivenDelivery((ids) => {
    const isHit = driven.clock.now < downUntil && ids.some((id) => isDown(Number(id)));
    const result = isHit ? answer : echo(ids);
    driven.clock.now += result === timedOut ? 10 * second : 0.3 * second;
    if (!isHit) for (const id of ids) deliveredAt.set(id, driven.clock.now);
    return result;
  });
  const count = Math.ceil((length + 5 * minute) / interval);
  for (let n = 0; n < count; n++) {
    driven.later(n * interval, async () => {
      const card = storedCard(String(n), { acceptedAt: driven.clock.now, since: driven.clock.now });
      driven.cards.put(card);
      await driven.queue.send([wakeUp(card)]);
    });
  }
  await driven.pass(length + 20 * minute);
  const ids = Array.from({ length: count }, (_, n) => String(n));
  const hit = ids.filter((id) => isDown(Number(id)) && Number(id) * interval < length);
  const waits = hit.map((id) => (deliveredAt.get(id) ?? Number.POSITIVE_INFINITY) - downUntil);
  return {
    states: new Set(driven.states(...ids)),
    lastAfterEnd: Math.max(...waits),
    posts: driven.posts.length,
  };
}

describe.each(answers)("if a part of the exchange answers with %s", (_, answer) => {
  test.each(parts)(
    "%s of it are delivered within two minutes and a quarter of its length, and none is rejected",
    async (_, isDown) => {
      const [quick, ...slow] = [
        [5 * minute, 2 * second],
        [60 * minute, 10 * second],
        [20 * minute, 60 * second],
      ] as const;
      // What has another status fares alike.
      const isPlayedLong = answer === timedOut || answer === answers[0]?.[1];
      for (const [length, interval] of isPlayedLong ? [quick, ...slow] : [quick]) {
        const { states, lastAfterEnd } = await playOutage(answer, isDown, length, interval);
        expect([...states], `${length / minute} minutes`).toEqual(["delivered"]);
        expect(lastAfterEnd, `${length / minute} minutes`).toBeLessThanOrEqual(2 * minute + length / 4);
      }
    },
  );
});
