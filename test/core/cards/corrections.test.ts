import { expect, test } from "vitest";
import { isUnfinished } from "../../../core/cards/delivery/posts.ts";
import { erasedHash, type StoredCard } from "../../../core/cards/life/card.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { hour, minute, second } from "../../durations.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";
import {
  about,
  type Exchange,
  echo,
  message,
  names,
  status,
  timedOut,
  wakeUp,
  world,
  worldWith,
} from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

test("a correction of a card without an outcome is posted 20 seconds after it was seen stored", async () => {
  const { submit, pass, taken, queue } = drivenDelivery();
  await submit("417", "five");
  await submit("417", "four");
  await pass(20 * second);
  expect(taken.get("417")).toBeUndefined();
  expect(queue.bodies()).toHaveLength(1);
  await pass(5 * second);
  expect(taken.get("417")).toEqual(["four"]);
});

test("a correction of a card that was delivered just now waits, and keeps the earlier outcome", async () => {
  const { submit, pass, taken, cards } = drivenDelivery();
  await submit("417", "five");
  await pass(minute);
  await submit("417", "four");
  await pass(10 * second);
  expect(taken.get("417")).toEqual(["five"]);
  await pass(minute);
  expect(taken.get("417")).toEqual(["five", "four"]);
  expect(cards.of("417")).toMatchObject({
    state: "delivered",
    version: 2,
    atExchange: 2,
    earlier: [{ version: 1, state: "delivered" }],
  });
});

test("a correction of a card that was delivered five minutes ago goes at once, and is posted once", async () => {
  const { submit, pass, taken } = drivenDelivery();
  await submit("417", "five");
  await pass(6 * minute);
  await submit("417", "four");
  await pass(2 * second);
  expect(taken.get("417")).toEqual(["five", "four"]);
  await pass(hour);
  expect(taken.get("417")).toEqual(["five", "four"]);
});

test("a correction that had to wait is posted once more five minutes after it went through, and not again", async () => {
  const { submit, pass, taken, cards } = drivenDelivery();
  await submit("417", "five");
  await submit("417", "four");
  await pass(4 * minute);
  expect(taken.get("417")).toEqual(["four"]);
  const changes = cards.changes.length;
  await pass(2 * minute);
  expect(taken.get("417")).toEqual(["four", "four"]);
  await pass(hour);
  expect(taken.get("417")).toEqual(["four", "four"]);
  expect(cards.changes.slice(changes)).toMatchObject([{ set: { reposted: 2 } }]);
});

/** What came of two corrections whose second posts are one array, if the exchange answers these posts by a rule. */
async function secondPosts(exchange: Exchange) {
  const made = drivenDelivery((ids, ...rest) =>
    made.clock.now < start + 2 * minute ? echo(ids) : exchange(ids, ...rest),
  );
  await made.submitTogether(["417", "418"]);
  for (const id of ["417", "418"]) await made.submit(id, "four");
  await made.pass(2 * minute);
  const before = made.arrays().length;
  await made.pass(hour);
  return { ...made, later: made.arrays().slice(before) };
}

test("a correction that is posted once more and left out of an echo that has others is posted again", async () => {
  let left = 1;
  const { later, states, cards } = await secondPosts((ids) =>
    echo(ids.filter((id) => id !== "417" || left-- <= 0)),
  );
  expect(later).toEqual([["417", "418"], ["417"]]);
  expect(states("417", "418")).toEqual(["delivered", "delivered"]);
  expect(cards.of("417")).toMatchObject({ version: 2, reposted: 2, attempts: 1 });
});

test("a correction that is posted once more and fails beside others is posted again, and stays delivered", async () => {
  let left = 3;
  const { later, states, cards } = await secondPosts((ids) =>
    ids.includes("417") && left-- > 0 ? status(422) : echo(ids),
  );
  expect(later.at(-1)).toEqual(["417"]);
  expect(later.filter((ids) => ids.includes("417"))).toHaveLength(4);
  expect(states("417", "418")).toEqual(["delivered", "delivered"]);
  expect(cards.of("417")).toMatchObject({ version: 2, reposted: 2, attempts: 1 });
});

test("a second post that the exchange does not take for days is repeated less and less often, until it takes it", async () => {
  let takes = false;
  const made = await secondPosts((ids) => (ids.includes("417") && !takes ? status(422) : echo(ids)));
  const first = made.arrays().length;
  await made.pass(48 * hour);
  expect(made.arrays().length - first).toBeGreaterThan(20);
  expect(made.arrays().length - first).toBeLessThan(60);
  expect(made.cards.of("417")?.reposted).toBeUndefined();
  expect(isUnfinished(made.cards.of("417") as StoredCard)).toBe(true);
  takes = true;
  await made.pass(3 * hour);
  expect(made.cards.of("417")).toMatchObject({ state: "delivered", version: 2, reposted: 2 });
  expect([isUnfinished(made.cards.of("417") as StoredCard), made.queue.bodies()]).toEqual([false, []]);
});

test("a correction of a card whose post got no answer is posted once more after an hour and after six, and never again", async () => {
  const driven = drivenDelivery((ids) => (driven.clock.now < start + minute ? timedOut : echo(ids)));
  await driven.submit("417", "five");
  await driven.pass(30 * second);
  await driven.submit("417", "four");
  await driven.pass(30 * minute);
  const times: number[] = [];
  for (let n = 0; n < 16; n++) {
    const before = driven.arrays().length;
    await driven.pass(hour);
    times.push(driven.arrays().length - before);
  }
  expect(times.reduce((sum, count) => sum + count)).toBe(2);
  expect(driven.cards.of("417")).toMatchObject({ state: "delivered", reposted: 2 });
  expect(driven.queue.bodies()).toEqual([]);
});

test("in an outage second posts cost as few posts as others", async () => {
  const { cards, clock, arrays, run } = world(() => status(500));
  clock.now += hour;
  cards.put(...names(20).map((id) => storedCard(id, { state: "delivered", mustWait: true })));
  const due = [message(names(20).map((id) => wakeUp(id, { mark: "repost" })))];
  await run(due);
  const first = arrays().length;
  expect(first).toBeLessThanOrEqual(4);
  clock.now += 2 * second;
  await run(due);
  expect(arrays().length - first).toBeLessThanOrEqual(2);
  expect(cards.breaker(green)).toBeDefined();
});

test("of a card of which a person was erased there is no second post: what is left would take its place at the exchange", async () => {
  const { cards, posts, run } = worldWith([
    storedCard("417", { state: "delivered", mustWait: true, contentHash: erasedHash }),
  ]);
  expect(await run([message([wakeUp("417", { mark: "repost" })])])).toEqual([]);
  expect([posts, isUnfinished(cards.of("417") as StoredCard)]).toEqual([[], false]);
});

test("a correction says that the exchange may have the card, if a run that died had the original", async () => {
  const { cards, posts, run } = worldWith([storedCard("417", { version: 3, mustWait: true })]);
  await run([about("417")]);
  expect(cards.of("417")?.maybeAtExchange).toBe(0);
  cards.requests.reads = 0;
  await run([message(["417"], { receives: 2 })]);
  expect(cards.of("417")).toMatchObject({ version: 3, state: "queued", maybeAtExchange: 1 });
  expect([posts, cards.requests.reads]).toEqual([[], 1]);
});

test("a correction says that the exchange may have the card, if it comes between a post without an answer and the next", async () => {
  const { cards, clock, run } = worldWith(names(4), (ids) => {
    if (ids.length === 1) return echo(ids);
    clock.now += 10 * second;
    cards.put(storedCard("card-3", { version: 2, mustWait: true }));
    return timedOut;
  });
  await run([about(...names(4))]);
  expect(cards.of("card-3")).toMatchObject({ version: 2, state: "queued", maybeAtExchange: 1 });
});

test("a correction that a withdrawal found delivered is posted once more, and 409 answers that post", async () => {
  const { cards, clock, run } = world(() => status(409));
  clock.now += hour;
  cards.put(storedCard("417", { version: 2, state: "delivered", mustWait: true, atExchange: 1 }));
  await run([message([wakeUp("417", { version: 2, mark: "repost" })])]);
  expect(cards.of("417")).toMatchObject({ state: "delivered", reposted: 2 });
});

test("a correction that a late result shows to be there is posted once more in its own version", async () => {
  const { cards, sent, run } = worldWith(["417"], () => {
    const failure = { phase: "after", status: 409, message: "" } as const;
    cards.put(storedCard("417", { version: 2, contentSince: 1, state: "rejected", failure, mustWait: true }));
    return timedOut;
  });
  await run([about("417")]);
  expect(cards.of("417")).toMatchObject({ version: 2, state: "delivered" });
  expect(sent.filter(({ mark }) => mark === "repost")).toMatchObject([{ version: 2 }]);
});

test.each<[string, PostResult, object]>([
  ["delivered is noted as what the exchange has", echo(["417"]), { atExchange: 1, maybeAtExchange: 0 }],
  ["unknown is noted as what the exchange may have", timedOut, { atExchange: 0, maybeAtExchange: 1 }],
  ["refused by whom nobody knows is noted alike", status(422), { atExchange: 0, maybeAtExchange: 1 }],
])(
  "an outcome that comes after the card was corrected is recorded as %s, and the correction is still posted",
  async (_, answer, noted) => {
    const { cards, run } = worldWith(["417"], () => {
      cards.put(storedCard("417", { version: 2, mustWait: true }));
      return answer;
    });
    expect(await run([about("417")])).toEqual([]);
    expect(cards.of("417")).toMatchObject({ version: 2, state: "queued", attempts: 0, ...noted });
  },
);
