import { expect, test } from "vitest";
import { createDelivery } from "../../../core/cards/delivery/deliver.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { hour, minute, second } from "../../durations.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";
import {
  about,
  type Exchange,
  echo,
  message,
  names,
  refusing,
  settings,
  status,
  timedOut,
  wakeUp,
  world,
  worldWith,
} from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

const suspect = (id: string, given: Partial<StoredCard> = {}) =>
  storedCard(id, { state: "retrying", attempts: 1, suspicion: 0, ...given });

test("a card that fails alone while another goes through is suspected, shown with the exchange's words, and rejected in the end", async () => {
  const { cards, clock, sent, run } = worldWith(["bad"], refusing(422, "bad"));
  const states: (string | undefined)[] = [];
  for (let n = 1; n <= 12; n++) {
    clock.now = Math.max(clock.now + 6 * minute, cards.of("bad")?.nextAttemptAt ?? 0);
    cards.put(storedCard(`good-${n}`));
    await run([about(`good-${n}`), message([sent.at(-1) ?? wakeUp("bad")])]);
    states.push(cards.of("bad")?.state);
    expect(cards.of("bad")).toMatchObject({ failure: { status: 422 } });
  }
  expect(states).toEqual([...Array(11).fill("retrying"), "rejected"]);
  expect(cards.of("bad")).toMatchObject({ attempts: 12, failure: { status: 422 } });
});

test("credentials that are refused for a single card are read again: this environment may have those of before", async () => {
  const { cards, forgotten, run } = worldWith([suspect("bad"), "good"], refusing(401, "bad"));
  await run([about("good", "bad")]);
  expect(cards.of("good")?.state).toBe("delivered");
  expect(forgotten).toEqual([cards.of("bad")?.apiSet]);
});

test("a card that fails alone is not judged while nothing goes through: the exchange may be down", async () => {
  const { cards, clock, run } = worldWith(["1"], () => status(422));
  for (let n = 0; n < 20; n++) {
    clock.now += 6 * minute;
    await run([about("1")]);
  }
  expect(cards.of("1")).toMatchObject({ state: "retrying", attempts: 1, suspicion: 0 });
});

test("a card that fails alone is judged by what went through since its last failure, in earlier runs too", async () => {
  const { cards, clock, events, run } = worldWith([suspect("bad")], refusing(422, "bad"));
  for (let n = 1; n <= 9; n++) {
    clock.now += second;
    cards.put(storedCard(`good-${n}`));
    await run([about(`good-${n}`)]);
  }
  clock.now += second;
  await run([about("bad")]);
  expect(cards.of("bad")?.suspicion).toBeCloseTo(Math.log(11));
  expect(events.some(({ kind }) => kind === "paused")).toBe(false);
});

test("single cards that an outage fails delay no verdict: the next failure of a suspect counts, and waits, as without it", async () => {
  const answer = { isOutage: true };
  const { cards, clock, run } = worldWith([suspect("bad"), "probe"], (ids, ...rest) => {
    clock.now += second;
    return answer.isOutage ? status(429) : refusing(422, "bad")(ids, ...rest);
  });
  for (let n = 0; n < 20; n++) {
    clock.now += 6 * minute;
    await run([about("probe")]);
  }
  answer.isOutage = false;
  clock.now += hour;
  await run([about("probe", "bad")]);
  // Beside it only the post failed that opened the breaker.
  expect(cards.of("bad")?.suspicion).toBeCloseTo(Math.log(2));
  const { nextAttemptAt = 0 } = cards.of("bad") ?? {};
  expect(nextAttemptAt - clock.now).toBeLessThan(2 * hour);
});

test("a lone card that fails is no outage if another environment saw a post go through since its last failure", async () => {
  const made = world(refusing(500, "bad", "lone"));
  const { cards, clock, dependencies, run } = made;
  cards.put(storedCard("bad"), storedCard("good"), storedCard("lone"));
  clock.now += second;
  await run([about("bad")]);
  clock.now += minute;
  // The breaker says when it closed.
  await run([about("good")]);
  clock.now += second;
  await createDelivery(dependencies)([about("lone")], () => 30_000);
  expect(cards.breaker(green)).toBeUndefined();
  expect(cards.of("lone")?.suspicion).toBe(0);
});

test.each([
  ["in an earlier run, after it was accepted", 0],
  ["in this run, before it was accepted by another clock", 5 * second],
])("a lone card that fails is no outage if a post went through %s", async (_, ahead) => {
  const exchange: Exchange = (...given) => {
    clock.now += second;
    return refusing(422, "lone")(...given);
  };
  const { cards, clock, run } = worldWith(
    ["good", storedCard("lone", { since: start + ahead, acceptedAt: start + ahead })],
    exchange,
    { settings: { ...settings, postSize: 1 } },
  );
  clock.now += second;
  if (ahead === 0) await run([about("good")]);
  clock.now += second;
  await run([message([wakeUp("good"), wakeUp(cards.of("lone") as StoredCard)])]);
  expect(cards.breaker(green)).toBeUndefined();
  expect(cards.of("lone")).toMatchObject({ state: "retrying", suspicion: 0 });
});

test("an outage that begins within a run is found after four single cards, though others have gone through before", async () => {
  const exchange: Exchange = (ids) => {
    clock.now += second;
    return posts.length > 3 ? status(500) : echo(ids);
  };
  const { cards, clock, posts, run } = worldWith(names(20), exchange, {
    settings: { ...settings, postSize: 1 },
  });
  await run([about(...names(20))]);
  expect(posts).toHaveLength(3 + 4);
  expect(cards.breaker(green)).toBeDefined();
});

test("what a failed array said is noted on a card that is read again with its outcome, in one write", async () => {
  const { cards, clock, run } = worldWith(["good", "bad"], (ids, ...rest) => {
    clock.now += 6 * second;
    return refusing(500, "bad")(ids, ...rest);
  });
  await run([about("good", "bad")]);
  expect(cards.changes.filter(({ externalId }) => externalId === "good")).toMatchObject([
    { set: { state: "delivered", posts: [{ answer: "unknown" }, { answer: "yes", posts: 1 }] } },
  ]);
});

test("a suspected card is tried again after a wait of its own, which grows, and longer if its posts take long", async () => {
  const delaysOf = async (milliseconds: number) => {
    const { cards, clock, sent, run } = worldWith(["bad"], (ids, ...rest) => {
      if (ids.includes("bad")) clock.now += milliseconds;
      return refusing(500, "bad")(ids, ...rest);
    });
    const delays: (number | undefined)[] = [];
    for (let n = 1; n <= 8; n++) {
      clock.now += hour;
      cards.put(storedCard(`good-${n}`));
      await run([about(`good-${n}`), message([sent.at(-1) ?? wakeUp("bad")])]);
      delays.push(sent.at(-1)?.delaySeconds);
      expect(cards.of("bad")?.nextAttemptAt).toBeLessThanOrEqual(clock.now + 2 * hour);
    }
    return delays.map((delay) => delay ?? 0);
  };
  const delays = await delaysOf(0);
  expect(delays[0]).toBe(3);
  expect(Math.max(...delays)).toBe(900);
  expect((await delaysOf(10 * second))[0]).toBe(15);
});

test("an array that fails shows nothing of a suspected card: only posts of single cards do", async () => {
  const { cards, clock, arrays, run } = worldWith(["1", "2", suspect("bad", { suspicion: 1 })], (ids) =>
    ids.length > 1 ? status(500) : ids.includes("bad") ? status(422) : echo(ids),
  );
  clock.now += minute;
  await run([about("1", "2", "bad")]);
  expect(arrays()).toEqual([["1", "2"], ["1"], ["2"], ["bad"]]);
  // Two that went through, and the card's own failure.
  expect(cards.of("bad")?.suspicion).toBeCloseTo(1 + Math.log(4));
});

test("a run does its work to the end if a card that it posted expires before that is recorded", async () => {
  const { cards, run, states } = worldWith(["1", "2"]);
  const { read, write } = cards.table;
  cards.table.write = async (changes) => {
    const [first = "lost", ...others] = await write(changes.slice(1));
    return ["lost", first, ...others];
  };
  cards.table.read = async (keys) => (await read(keys)).filter(({ externalId }) => externalId !== "1");
  cards.table.readWithBreaker = async () => ({
    breaker: { version: 0 },
    cards: await read(["1", "2"].map((externalId) => ({ apiSet: green, externalId }))),
  });
  expect(await run([about("1", "2")])).toEqual([]);
  expect(states("2")).toEqual(["delivered"]);
});

test("a suspected card is not posted before its next attempt, even if another message names it", async () => {
  const { sent, arrays, run } = worldWith([suspect("bad", { nextAttemptAt: start + minute })]);
  expect(await run([about("bad")])).toEqual([]);
  expect([arrays(), sent.map(({ delaySeconds }) => delaySeconds)]).toEqual([[], [60]]);
});

test("suspected cards are posted alone, after all others", async () => {
  const { cards, clock, arrays, run } = worldWith(
    [suspect("bad-1"), suspect("bad-2"), suspect("bad-3")],
    refusing(500, "bad-1", "bad-2", "bad-3"),
  );
  cards.put(storedCard("good-1"), storedCard("good-2"));
  clock.now += minute;
  await run([about("bad-1", "bad-2", "bad-3", "good-1", "good-2")]);
  expect(arrays()).toEqual([["good-1", "good-2"], ["bad-1"], ["bad-2"], ["bad-3"]]);
});

test("the failure of a suspected card counts less the more other single cards fail", async () => {
  const { cards, clock, run } = world(refusing(422, "1", "2", "3"));
  clock.now += minute;
  cards.put(
    storedCard("good"),
    ...["1", "2", "3"].map((id) => storedCard(id, { state: "retrying", suspicion: 0 })),
  );
  await run([about("1", "2", "3", "good")]);
  const suspicions = ["1", "2", "3"].map((id) => Math.exp(cards.of(id)?.suspicion ?? 0));
  expect(suspicions.map((each) => each.toFixed(3))).toEqual(["3.000", "2.000", "1.667"]);
});

test("of a card that is withdrawn while its array is searched, the item says that the exchange may have it before the next post", async () => {
  const maybeThere: unknown[] = [];
  const { cards, clock, run } = worldWith(["1", "withdrawn", "2"], (ids) => {
    maybeThere.push(cards.of("withdrawn")?.maybeAtExchange);
    if (ids.length === 1) return echo(ids);
    clock.now += 10 * second;
    cards.put(storedCard("withdrawn", { version: 2, state: "withdrawing", since: clock.now }));
    return timedOut;
  });
  await run([about("1", "withdrawn", "2")]);
  expect(maybeThere).toEqual([0, 0, 1]);
});

test("a run that has no time for a failed array's cards notes on them that the exchange may have them, and how it failed", async () => {
  const { cards, clock, sent, run } = worldWith(["1", "2", "3", "4"], (ids) => {
    clock.now += 9 * second;
    return ids.length === 1 ? echo(ids) : timedOut;
  });
  await run([about("1", "2", "3", "4")]);
  expect(sent.map(({ externalId }) => externalId).toSorted()).toEqual(["2", "3", "4"]);
  expect(cards.of("2")).toMatchObject({
    state: "queued",
    maybeAtExchange: 1,
    posts: [{ answer: "unknown", failure: { phase: "during" } }],
  });
});

test("evidence is of the latest two thousand posts, so that an environment's memory does not grow", async () => {
  const { cards, clock, run } = world(refusing(422, "bad"), { settings: { ...settings, postSize: 1 } });
  const all = names(2100);
  clock.now += minute;
  cards.put(suspect("bad"), ...all.map((id) => storedCard(id)));
  const messages = Array.from({ length: 42 }, (_, n) =>
    message(all.slice(50 * n, 50 * n + 50), { messageId: `${n}` }),
  );
  await run([...messages, message(["bad"], { messageId: "bad" })]);
  expect(Math.exp(cards.of("bad")?.suspicion ?? 0)).toBeLessThan(2100);
});

test("the connection of a suspected card is closed after its post, and that of others is kept", async () => {
  const closed: string[] = [];
  const { clock, run } = worldWith([suspect("bad"), "good"], echo, {
    post: async (_, array, { closesConnection }) => {
      closed.push(`${array.map(({ externalId }) => externalId)} ${closesConnection}`);
      return echo(array.map(({ externalId }) => externalId));
    },
  });
  clock.now += minute;
  await run([about("bad", "good")]);
  expect(closed).toEqual(["good false", "bad true"]);
});

test("a run claims a suspected card and plans its next attempt before it posts it: copies of the wake-up end, and no other run posts it", async () => {
  const copy = about("bad");
  const { cards, clock, arrays, sent, run } = worldWith(
    [suspect("bad", { nextAttemptAt: start })],
    async () => {
      if (arrays().length === 1) await run([message(sent), copy]);
      return status(500);
    },
  );
  clock.now += hour;
  await run([copy]);
  expect(sent).toMatchObject([
    { externalId: "bad", madeAt: clock.now },
    { externalId: "bad", madeAt: clock.now },
  ]);
  await run([copy]);
  expect([arrays(), sent.length, cards.changes.length]).toEqual([[["bad"]], 2, 2]);
  clock.now = cards.of("bad")?.nextAttemptAt ?? 0;
  await run([message(sent)]);
  expect(arrays()).toHaveLength(2);
});

test("while a suspected card is tried without a witness, it is written once a post, and its vendor's breaker never", async () => {
  const { cards, queue, pass, posts } = drivenDelivery(refusing(422, "bad"));
  cards.put(suspect("bad"));
  await queue.send([wakeUp("bad")]);
  await pass(2 * hour);
  expect(posts.length).toBeGreaterThan(20);
  expect(cards.changes.length).toBeLessThanOrEqual(posts.length + 1);
  expect(cards.breakerItem(green)).toBeUndefined();
});

test("suspected cards that nothing goes through beside take turns", async () => {
  const cards = ["bad", "worse", "good"].map((id) => suspect(id));
  const driven = drivenDelivery(refusing(500, "bad", "worse"));
  driven.cards.put(...cards);
  await driven.queue.send(cards.map((card) => wakeUp(card)));
  await driven.pass(5 * minute);
  expect(driven.states("good")).toEqual(["delivered"]);
});

test("an answer that is not understood is reported with its shape", async () => {
  const shape = "{Message: string}";
  const { events, run } = worldWith(["1"], () => ({ ...status(200), shape }));
  await run([about("1")]);
  expect(events).toContainEqual({ kind: "unknownAnswer", apiSet: green, shape });
});

test("a card that is missing from the echo is given up after two days in which no echo contained it", async () => {
  const { cards, queue, states, pass } = drivenDelivery(() => echo([]));
  cards.put(storedCard("1"));
  await queue.send([wakeUp("1")]);
  await pass(52 * hour);
  expect(states("1")).toEqual(["undelivered"]);
});

/** The sizes of a vendor's posts in runs over as many messages of fifty cards. */
async function sizes(runs: number, exchange: Exchange, messages = 1) {
  const all = names(50 * messages * runs);
  const { clock, arrays, run } = worldWith(all, exchange);
  for (let n = 0; n < runs; n++) {
    clock.now += hour;
    const ids = all.splice(0, 50 * messages);
    await run(
      Array.from({ length: messages }, (_, m) =>
        message(ids.slice(50 * m, 50 * m + 50), { messageId: `${m}` }),
      ),
    );
  }
  return arrays().map(({ length }) => length);
}

test("the size of arrays is halved for an exchange that is too slow for it, and grows by one card when posts go through", async () => {
  let most = 20;
  const exchange: Exchange = (ids) => (ids.length <= most ? echo(ids) : timedOut);
  // Whole arrays, single cards that are tried for a witness, and halves.
  expect(await sizes(2, exchange)).toEqual([50, 1, 25, 13, 12, 24, 12, 12, 25, 1, 12, 12, 12, 13]);
  most = 50;
  expect((await sizes(1, exchange, 2)).slice(0, 3)).toEqual([50, 50]);
});

test("the size of arrays stays as it is in an outage", async () => {
  expect(await sizes(3, () => status(503, 0))).toEqual([50, 1, 1, 1, 1, 1, 1, 1]);
  const answers = [...Array(4).fill(status(500))];
  expect(await sizes(2, (ids) => answers.shift() ?? echo(ids))).toEqual([50, 1, 1, 1, 1, 49]);
});
