import { expect, test, vi } from "vitest";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { minute, second } from "../../durations.ts";
import { green, red, start, storedCard } from "../memory/stored-card.ts";
import { about, echo, message, names, refusing, status, wakeUp, world, worldWith } from "./delivery-world.ts";

// Nobody waits here until a card that is not stored is read again.
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined }));

test("a card that was accepted is posted as its vendor's account, and recorded as delivered", async () => {
  const { cards, posts, sent, run } = worldWith(["1"]);
  expect(await run([about("1")])).toEqual([]);
  expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  expect(cards.of("1")).toMatchObject({ state: "delivered", attempts: 1, atExchange: 1, since: start });
  expect(sent).toEqual([]);
});

test("a card that was accepted is posted as it is stored, with the request that brought it", async () => {
  const outbound: unknown[] = [];
  const content = contentOf({ ExternalID: "1", Comment: "windy" });
  const { run } = worldWith([storedCard("1", { content, requestId: "request-7" })], (ids, _, array) => {
    outbound.push(...array);
    return echo(ids);
  });
  await run([about("1")]);
  expect(outbound).toEqual([{ externalId: "1", card: content.text(), requestId: "request-7" }]);
});

test("a card that was accepted is posted once in its latest content, whichever versions a batch names", async () => {
  const { cards, posts, run } = worldWith([storedCard("1", { version: 3 })]);
  await run([about("1"), message([wakeUp("1", { version: 3 })], { messageId: "latest" })]);
  expect(posts).toHaveLength(1);
  expect(cards.of("1")).toMatchObject({ state: "delivered", version: 3, atExchange: 3 });
});

test("a card that is not stored yet is read once more in the same run, since its submission may be storing it", async () => {
  const { cards, posts, sent, run } = worldWith(["here"]);
  cards.hooks.beforeRead = async () => {
    if (cards.requests.reads === 2) cards.put(storedCard("soon"));
  };
  expect(await run([about("here", "soon")])).toEqual([]);
  expect(posts.map(({ ids }) => ids)).toEqual([["here"], ["soon"]]);
  expect(sent).toEqual([]);
});

test("a suspected card is not posted any more in a run that finds its correction stored before its turn", async () => {
  const { cards, posts, sent, run } = worldWith([storedCard("1", { suspicion: 1 })]);
  cards.hooks.beforeRead = async () => {
    if (cards.requests.reads === 2) cards.put(storedCard("1", { version: 2, mustWait: true }));
  };
  expect(await run([about("1"), message([wakeUp("1", { version: 2 })], { messageId: "2" })])).toEqual([]);
  expect([posts, sent.map(({ version, mark }) => [version, mark])]).toEqual([[], [[2, "stored"]]]);
});

test("the wake-up of a card that is not stored yet keeps the time it was made", async () => {
  const { sent, clock, run } = world();
  clock.now += minute;
  await run([message([wakeUp("1", { version: 2, mark: "stored" })])]);
  expect(sent).toMatchObject([{ apiSet: green, externalId: "1", version: 2, madeAt: start, mark: "stored" }]);
});

test("a message that cannot be read returns to the queue, and the cards of the others are delivered", async () => {
  const { events, states, run } = worldWith(["1"]);
  const broken = { messageId: "broken", body: "{", receives: 1 };
  expect(await run([broken, about("1")])).toEqual(["broken"]);
  expect(states("1")).toEqual(["delivered"]);
  expect(events).toContainEqual({ kind: "unreadable", messages: 1 });
});

test("if a run fails for one vendor, another's cards are delivered all the same", async () => {
  const others = storedCard("1", { apiSet: red });
  const { cards, run } = worldWith(["1", others]);
  cards.hooks.beforeRead = async ([first]) => {
    if (first?.apiSet === green) throw new Error("throttled");
  };
  const messages = [about("1"), message([wakeUp(others)], { messageId: "red" })];
  expect(await run(messages)).toEqual(["message"]);
  expect(cards.of(others)?.state).toBe("delivered");
});

test("if a run fails while it searches for a bad card, the results of its earlier posts are recorded", async () => {
  const { cards, clock, states, run } = worldWith(["1", "2", "3", "bad"], (ids, ...rest) => {
    // So long that the next half is read again before it is posted.
    clock.now += 3 * second;
    return refusing(422, "bad")(ids, ...rest);
  });
  cards.hooks.beforeRead = async (keys) => {
    if (keys.length === 1) throw new Error("throttled");
  };
  expect(await run([about("1", "2", "3", "bad")])).toEqual(["message"]);
  expect(states("1", "2")).toEqual(["delivered", "delivered"]);
});

test.each([
  [13_000, 0],
  [13_001, 1],
])(
  "a run that has %i ms left begins %i posts, since one may take ten seconds and its record three",
  async (left, begun) => {
    const { posts, sent, deliver } = worldWith(["1"]);
    expect(await deliver([about("1")], () => left)).toEqual([]);
    expect(posts).toHaveLength(begun);
    expect(sent).toHaveLength(1 - begun);
  },
);

test("cards that do not fit into a run's time are woken up again at once, and their message is done", async () => {
  const all = names(120);
  const { arrays, sent, clock, run } = worldWith(all, (ids) => {
    clock.now += 9 * second;
    return echo(ids);
  });
  const messages = [0, 50, 100].map((first) =>
    message(all.slice(first, first + 50), { messageId: `${first}` }),
  );
  expect(await run(messages)).toEqual([]);
  expect(arrays().flat()).toEqual(all.slice(0, 100));
  expect(sent.map(({ externalId }) => externalId)).toEqual(all.slice(100));
  expect(sent.every(({ delaySeconds }) => delaySeconds <= 1)).toBe(true);
});

test.each([6 * second, 9 * second])(
  "a card that was read too long ago is read again before its post: a correction that arrives during another post of %i ms keeps the stale card from being posted",
  async (milliseconds) => {
    const all = names(51);
    const { cards, clock, posts, sent, run } = worldWith(all, (ids) => {
      clock.now += milliseconds;
      cards.put(storedCard("card-50", { version: 2, mustWait: true }));
      return echo(ids);
    });
    await run([about(...all.slice(0, 50)), message(["card-50"], { messageId: "last" })]);
    expect(posts.flatMap(({ ids }) => ids)).not.toContain("card-50");
    // The correction has a wake-up of its own.
    expect(sent).toEqual([]);
  },
);

test("a card is read again until a read is quick enough for the post that relies on it", async () => {
  const { cards, clock, posts, run } = worldWith(["1"]);
  cards.hooks.beforeRead = async () => {
    if (cards.requests.reads < 3) clock.now += 6 * second;
  };
  await run([about("1")]);
  expect([cards.requests.reads, posts.length]).toEqual([3, 1]);
});

test("a card that no read is quick enough for is woken up again when the run's time is over", async () => {
  const { cards, clock, posts, sent, run } = worldWith(["1"]);
  cards.hooks.beforeRead = async () => {
    if (cards.requests.reads > 9) throw new Error("read for ever");
    clock.now += 6 * second;
  };
  expect(await run([about("1")])).toEqual([]);
  expect([posts, sent.map(({ externalId }) => externalId)]).toEqual([[], ["1"]]);
});

test("a card that was read just now is not read again before its post", async () => {
  const all = names(99);
  const { cards, arrays, run } = worldWith(all);
  await run([about(...all.slice(0, 50)), message(all.slice(50), { messageId: "2" })]);
  expect(arrays().map(({ length }) => length)).toEqual([50, 49]);
  expect(cards.requests.reads).toBe(1);
});

test("cards are read shortly before they are posted", async () => {
  const readsAtPosts: number[] = [];
  const all = names(220);
  const { cards, run } = worldWith(all, (ids) => {
    readsAtPosts.push(cards.requests.reads);
    return echo(ids);
  });
  const messages = [0, 50, 100, 150, 200].map((first) =>
    message(all.slice(first, first + 50), { messageId: `${first}` }),
  );
  expect(await run(messages)).toEqual([]);
  expect(readsAtPosts).toEqual([1, 2, 2, 3, 3]);
});

test("large cards share a post up to half a megabyte, and a larger one goes by itself", async () => {
  const { cards, arrays, run } = world();
  const sized = (id: string, characters: number) =>
    storedCard(id, { content: contentOf({ ExternalID: id, Comment: "x".repeat(characters) }) });
  cards.put(
    ...["1", "2", "3", "4", "5"].map((id) => sized(id, 200_000)),
    sized("huge", 2_000_000),
    sized("small", 2_000),
  );
  await run([about("1", "2", "3", "4", "5", "huge", "small")]);
  expect(arrays()).toEqual([["1", "2"], ["3", "4"], ["5"], ["huge"], ["small"]]);
});

test("a vendor whose post takes long does not delay another's", async () => {
  const quickIsPosted = Promise.withResolvers<void>();
  const slow = storedCard("slow", { apiSet: red });
  const { cards, run } = worldWith([slow, "quick"], async (ids, apiSet) => {
    if (apiSet === "red") await quickIsPosted.promise;
    else quickIsPosted.resolve();
    return echo(ids);
  });
  expect(await run([message([wakeUp(slow)], { messageId: "slow" }), about("quick")])).toEqual([]);
  expect(cards.of(slow)?.state).toBe("delivered");
});

test("a run reports how many cards it recorded in which state, after they are recorded", async () => {
  const { events, run } = worldWith(["1", "2", "bad"], refusing(422, "bad"));
  await run([about("1", "2", "bad")]);
  const recorded = events.filter(({ kind }) => kind === "recorded");
  const total = (state: string) =>
    recorded.reduce(
      (sum, event) => sum + (event.kind === "recorded" && event.state === state ? event.cards : 0),
      0,
    );
  expect([total("delivered"), total("retrying")]).toEqual([2, 1]);
});

test("a run reports when the oldest card that it leaves in the queue was accepted", async () => {
  const { cards, events, clock, run } = world(() => status(503));
  clock.now += 5 * minute;
  cards.put(storedCard("1"), storedCard("2"));
  await run([message([wakeUp("1", { madeAt: start + minute }), wakeUp("2")])]);
  expect(events).toContainEqual({ kind: "waiting", oldestAt: start });
});

test("a run reports the oldest card of a vendor whose run failed, and not a second post, whose card is delivered", async () => {
  const { cards, events, clock, run } = world(() => status(503));
  clock.now += 5 * minute;
  cards.put(storedCard("1", { state: "delivered", mustWait: true }), storedCard("2", { apiSet: red }));
  cards.hooks.beforeRead = async ([first]) => {
    if (first?.apiSet === red) throw new Error("throttled");
  };
  const repost = message([wakeUp("1", { mark: "repost" })]);
  const failing = message([wakeUp("2", { apiSet: red, madeAt: start + minute })], { messageId: "red" });
  await run([repost, failing]);
  expect(events.filter(({ kind }) => kind === "waiting")).toEqual([
    { kind: "waiting", oldestAt: start + minute },
  ]);
});

test("a run reports no waiting cards if it leaves none in the queue", async () => {
  const { events, run } = worldWith(["1"]);
  await run([about("1")]);
  expect(events.map(({ kind }) => kind)).toEqual(["posted", "recorded"]);
});
