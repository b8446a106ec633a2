import { mulberry32 } from "@scorecard-pipeline/stand-in/seeded-random";
import { describe, expect, test } from "vitest";
import { createDelivery } from "../../../core/cards/delivery/deliver.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { readStatuses } from "../../../core/cards/status.ts";
import { CredentialsUnavailableError } from "../../../core/union/account-secrets.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { hour, minute, second } from "../../durations.ts";
import { green, red, start, storedCard } from "../memory/stored-card.ts";
import {
  about,
  echo,
  message,
  names,
  status,
  timedOut,
  unconnected,
  wakeUp,
  world,
  worldWith,
} from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

const hundred = names(100);
const ofHundred = [about(...hundred.slice(0, 50)), message(hundred.slice(50), { messageId: "second" })];

describe.each<[string, PostResult, number]>([
  ["answers 503 with Retry-After", status(503, 0), 4],
  ["answers 429", status(429), 4],
  ["cannot be reached", unconnected, 1],
  ["answers 503", status(503), 4],
  ["answers 408", status(408), 4],
  ["redirects", status(302), 4],
  ["answers 404 to everything", status(404), 4],
  ["answers 500 to everything", status(500), 4],
  ["answers with a page", status(200), 4],
  ["does not answer", timedOut, 4],
])("an exchange that %s", (_, answer, posts) => {
  test("gets at most four posts of a run, and no card is lost", async () => {
    const { arrays, sent, run } = worldWith(hundred, () => answer);
    expect(await run(ofHundred)).toEqual([]);
    expect(arrays()).toHaveLength(posts);
    expect(sent.map(({ externalId }) => externalId).toSorted()).toEqual(hundred.toSorted());
    // Those that failed alone wait by themselves.
    expect(new Set(sent.map(({ delaySeconds }) => delaySeconds)).size).toBeLessThanOrEqual(2);
  });

  test("is noted on the cards that it was posted, and on no other", async () => {
    const { cards, run } = worldWith(hundred, () => answer);
    await run(ofHundred);
    expect(cards.of("card-0")).toMatchObject({
      state: "retrying",
      attempts: 1,
      failure: { phase: answer.phase },
    });
    expect(cards.of("card-0")?.nextAttemptAt).toBeUndefined();
    expect(cards.of("card-99")).toMatchObject({ state: "queued", attempts: 0 });
    expect([cards.changes.length, cards.requests.writes]).toEqual([50, 1]);
  });

  test("opens the vendor's breaker, which its waiting cards tell", async () => {
    const { cards, events, run } = worldWith(hundred, () => answer);
    await run(ofHundred);
    expect(events.filter(({ kind }) => kind === "paused")).toEqual([{ kind: "paused", apiSet: green }]);
    const [told] = await readStatuses(cards.table, green, ["card-99"]);
    expect(told).toMatchObject({
      state: "queued",
      paused: { since: "2026-06-01T12:00:00.000Z", nextAttemptAt: "2026-06-01T12:00:02.000Z" },
    });
  });
});

/** A delivery whose breaker was opened at the start; the exchange answers as it is told. */
async function opened(given: Parameters<typeof world>[1] = {}) {
  const exchange = { answer: (_: readonly string[]): PostResult => status(503) };
  const made = worldWith(hundred, (ids) => exchange.answer(ids), given);
  await made.run(ofHundred);
  made.posts.length = 0;
  made.sent.length = 0;
  made.events.length = 0;
  return { ...made, exchange };
}

test("while the breaker is open nothing is posted or even read, and the cards come back when the next probe is due", async () => {
  const { cards, posts, sent, run } = await opened();
  const reads = cards.requests.reads;
  expect(await run(ofHundred)).toEqual([]);
  expect([posts, cards.requests.reads]).toEqual([[], reads]);
  expect(sent).toHaveLength(100);
  expect(new Set(sent.map(({ delaySeconds }) => delaySeconds))).toEqual(new Set([3]));
});

test("while the breaker is open one run posts a probe, and another run that starts meanwhile comes back two seconds later", async () => {
  const { cards, clock, dependencies, exchange, sent, arrays, run } = await opened();
  clock.now += 2 * second;
  const other = createDelivery(dependencies);
  const posting = Promise.withResolvers<PostResult>();
  const isPosted = Promise.withResolvers<void>();
  exchange.answer = () => {
    isPosted.resolve();
    return posting.promise as never;
  };
  const probing = run([ofHundred[0] as never]);
  await isPosted.promise;
  expect(await other([ofHundred[1] as never], () => 30_000)).toEqual([]);
  expect(arrays()).toHaveLength(1);
  expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual(Array(50).fill(3));
  exchange.answer = (ids) => echo(ids);
  posting.resolve(echo(hundred.slice(0, 50)));
  await probing;
  expect(cards.breaker(green)).toBeUndefined();
});

test("while the breaker is open only one of two runs that claim the probe at the same time posts", async () => {
  const { clock, cards, dependencies, arrays, run } = await opened();
  clock.now += 2 * second;
  const other = createDelivery(dependencies);
  await Promise.all([run([ofHundred[0] as never]), other([ofHundred[1] as never], () => 30_000)]);
  // A run makes two posts, of different cards.
  expect(arrays()).toEqual([["card-50"], ["card-51"]]);
  expect(cards.breaker(green)).toMatchObject({ since: start });
  expect(cards.breaker(green)?.probing).toBeUndefined();
});

test("while the breaker is open a run that loses its second probe to another run notes what the exchange may have by its first", async () => {
  const { cards, clock, dependencies, exchange, arrays, run } = await opened();
  clock.now += 2 * second;
  exchange.answer = (ids) => {
    const { table } = dependencies;
    void table.tryRead(green, []).then(({ breaker }) => table.writeBreaker(green, breaker, breaker.open));
    return ids.length === 1 ? timedOut : echo(ids);
  };
  expect(await run([ofHundred[1] as never])).toEqual([]);
  expect(arrays()).toEqual([["card-50"]]);
  expect(cards.of("card-50")).toMatchObject({ state: "queued", maybeAtExchange: 1 });
});

test("while the breaker is open a failed probe of a card that a run which died may have posted is noted on the card, once", async () => {
  const { cards, clock, sent, arrays, run } = await opened();
  let next = wakeUp("card-60");
  for (const changes of [1, 0]) {
    const { nextAttemptAt = 0 } = cards.of("card-60") ?? {};
    clock.now = Math.max(nextAttemptAt, cards.breaker(green)?.nextProbeAt ?? Number.NaN);
    const before = cards.changes.length;
    await run([message([next], { receives: 2 })]);
    expect(cards.changes).toHaveLength(before + changes);
    expect(cards.of("card-60")).toMatchObject({ state: "queued", maybeAtExchange: 1 });
    next = sent.at(-1) ?? next;
  }
  expect(arrays()).toEqual([["card-60"], ["card-60"]]);
});

test("while the breaker is open a run whose claimed card is withdrawn before its post leaves the probe to others", async () => {
  const { cards, clock, posts, run } = await opened();
  clock.now += 2 * second;
  cards.hooks.beforeRead = async () => {
    // The first read takes so long that the card is read once more before its post.
    clock.now += 6 * second;
    cards.hooks.beforeRead = async () => cards.put(storedCard("card-0", { version: 2, state: "withdrawn" }));
  };
  await run([about("card-0")]);
  expect(posts).toEqual([]);
  expect(cards.breaker(green)?.probing).toBeUndefined();
  expect(cards.breaker(green)?.nextProbeAt).toBe(clock.now);
});

test("while the breaker is open a failed probe costs no write on the cards, and the wait for the next one grows", async () => {
  const { cards, clock, run } = await opened();
  const before = cards.changes.length;
  const waits: number[] = [];
  for (const age of [2, 20, 80, 800, 3600]) {
    clock.now = start + age * second;
    await run(ofHundred);
    waits.push((cards.breaker(green)?.nextProbeAt ?? 0) - clock.now);
  }
  expect(cards.changes).toHaveLength(before);
  expect(waits).toEqual([2, 2.5, 10, 100, 300].map((seconds) => seconds * second));
});

test.each([5, 30, 33, 36, 42, 48, 54, 60, 120, 300, 420, 3600])(
  "of cards that come in an outage of %i seconds, none waits after it for longer than five seconds or a third of that",
  async (length) => {
    const end = start + length * second;
    const { clock, submit, later, pass, taken } = drivenDelivery(
      (ids) => (clock.now < end ? status(500) : echo(ids)),
      { random: mulberry32(length) },
    );
    for (let n = 0; n < 60; n++) later((n * length * second) / 60, () => submit(`card-${n}`, "one"));
    await pass(end + Math.max(5, length / 3) * second - clock.now);
    expect(taken.size).toBe(60);
  },
);

test("while the breaker is open a probe that goes through closes it, and all cards are delivered in the same run", async () => {
  const { cards, clock, events, exchange, states, run } = await opened();
  clock.now += 2 * second;
  exchange.answer = (ids) => echo(ids);
  expect(await run(ofHundred)).toEqual([]);
  expect(new Set(states(...hundred))).toEqual(new Set(["delivered"]));
  expect(cards.breaker(green)).toBeUndefined();
  expect(events.filter(({ kind }) => kind === "resumed")).toHaveLength(1);
});

test("while the breaker is open a probe that is refused keeps it open: the exchange may refuse everything", async () => {
  const { cards, clock, exchange, run } = await opened();
  clock.now += 2 * second;
  exchange.answer = () => status(422);
  await run(ofHundred);
  expect(cards.breaker(green)).toMatchObject({ since: start, failure: { status: 422 } });
  expect(cards.of("card-1")?.state).toBe("retrying");
});

test("while the breaker is open each probe is another card, and a failed one comes last", async () => {
  const { cards, clock, posts, sent, run } = await opened();
  const probed: string[] = [];
  let messages: Parameters<typeof run>[0] = ofHundred;
  for (let n = 0; n < 10; n++) {
    clock.now = Math.ceil(cards.breaker(green)?.nextProbeAt ?? Number.NaN);
    await run(messages);
    const [first, second, ...others] = posts.splice(0).flatMap(({ ids }) => ids);
    probed.push(first ?? "");
    expect(second).not.toBe(first);
    expect(others).toEqual([]);
    const wakeUps = sent.splice(0);
    messages = [message(wakeUps.slice(0, 50)), message(wakeUps.slice(50), { messageId: "second" })];
  }
  expect(new Set(probed).size).toBe(10);
});

test("while the breaker is open a suspected card is probed as well, since it may be the only good one", async () => {
  const { cards, clock, exchange, arrays, run } = await opened();
  cards.put(storedCard("suspect", { state: "retrying", suspicion: 3 }));
  clock.now += 2 * second;
  exchange.answer = () => status(500);
  await run([about("suspect"), ...ofHundred.slice(0, 1)]);
  expect(arrays()).toEqual([["card-1"], ["suspect"]]);
});

test("what a run read while the breaker was open is read again once it closes, so a withdrawal needs to know of the probe only", async () => {
  const { cards, clock, exchange, arrays, run } = await opened();
  clock.now += 2 * second;
  cards.put(storedCard("card-60", { state: "retrying", suspicion: 0 }));
  exchange.answer = (ids) => {
    for (const id of ["card-60", "card-70"]) cards.put(storedCard(id, { version: 2, state: "withdrawing" }));
    return echo(ids);
  };
  await run(ofHundred.toReversed());
  expect(arrays().flat()).not.toContain("card-60");
  expect(arrays().flat()).not.toContain("card-70");
  expect(arrays().flat()).toContain("card-71");
});

test("of a probed card the item says that the exchange may have it before another is claimed, so a withdrawal needs to wait for the one alone", async () => {
  const known: string[] = [];
  const { cards, clock, exchange, run } = await opened();
  clock.now += 2 * second;
  exchange.answer = (ids) => (ids.includes("card-1") ? status(500) : echo(ids));
  const { writeBreaker } = cards.table;
  cards.table.writeBreaker = (...change) => {
    const [, , open] = change;
    if (open?.probing !== undefined) known.push(`${open.probing} ${cards.of("card-1")?.maybeAtExchange}`);
    return writeBreaker(...change);
  };
  await run([about("card-1", "card-2", "card-3")]);
  expect(known).toEqual(["card-1 1", "card-2 1"]);
});

test("a card that waits in a run is not posted once the run has read that another one gave it up", async () => {
  const { cards, posts, run } = worldWith([storedCard("417", { state: "retrying", suspicion: 1 })]);
  cards.hooks.beforeRead = async () => {
    cards.hooks.beforeRead = async () => cards.put(storedCard("417", { state: "undelivered" }));
  };
  // The wake-up of a version that is not stored has the run read the card again before it posts it.
  const both = [about("417"), message([wakeUp("417", { version: 2 })], { messageId: "2" })];
  await run(both);
  expect(posts).toEqual([]);
});

test("an outage whose last card was recorded by a run that died ends when the card's wake-up comes back", async () => {
  const failure = { phase: "after", status: 503, message: "" } as const;
  const { cards, clock, events, run } = world();
  clock.now += minute;
  await cards.table.writeBreaker(green, { version: 0 }, { since: start, failure, nextProbeAt: start });
  cards.put(storedCard("417", { state: "delivered", since: start + second }));
  expect(await run([about("417")])).toEqual([]);
  expect(cards.breaker(green)).toBeUndefined();
  expect(events).toContainEqual({ kind: "resumed", apiSet: green });
});

test("a run posts nothing more as soon as it reads that another run has opened the breaker", async () => {
  const failure = { phase: "after", status: 503, message: "" } as const;
  const open = { since: start, failure, nextProbeAt: start + minute };
  const { cards, arrays, sent, run } = worldWith(hundred, async (ids) => {
    await cards.table.writeBreaker(green, { version: 0 }, open);
    return echo(ids);
  });
  expect(await run(ofHundred)).toEqual([]);
  expect(arrays()).toEqual([hundred.slice(0, 50)]);
  expect(cards.breaker(green)).toEqual(open);
  expect(new Set(sent.map(({ externalId }) => externalId))).toEqual(new Set(hundred.slice(50)));
});

test("a run whose post goes through closes the breaker that another run has opened for the same card meanwhile", async () => {
  const failure = { phase: "during", message: "" } as const;
  const { cards, run } = worldWith(["417"], async (ids) => {
    await cards.table.writeBreaker(
      green,
      { version: 0 },
      { since: start, failure, nextProbeAt: start + minute },
    );
    cards.put(storedCard("417", { state: "retrying", attempts: 1, failure }));
    return echo(ids);
  });
  expect(await run([about("417")])).toEqual([]);
  expect([cards.of("417")?.state, cards.breaker(green)]).toEqual(["delivered", undefined]);
});

test("while the breaker is open a run that has nothing to post leaves the probe to others", async () => {
  const { cards, clock, exchange, posts, run } = await opened();
  clock.now += 2 * second;
  exchange.answer = (ids) => echo(ids);
  cards.put(storedCard("done", { state: "delivered" }));
  await run([about("done")]);
  expect(cards.breaker(green)).toMatchObject({ nextProbeAt: clock.now });
  await run(ofHundred);
  expect(posts.length).toBeGreaterThan(1);
});

test("a run that has nothing to post leaves the probe of another run alone, which it reads of late", async () => {
  const failure = { phase: "after", status: 503, message: "" } as const;
  const open = { since: start, failure, nextProbeAt: start + minute, probing: "another" };
  const { cards, run } = worldWith(hundred.map((id) => storedCard(id, { state: "delivered" })));
  cards.hooks.beforeRead = async (keys) => {
    if (keys.length === 1) await cards.table.writeBreaker(green, { version: 0 }, open);
  };
  await run(ofHundred);
  expect(cards.breaker(green)).toEqual(open);
});

test("cards that an outage fails come back after those that were not posted, so that each has its turn", async () => {
  const { sent, run } = worldWith(hundred, () => status(429));
  await run(ofHundred);
  const names = sent.map(({ externalId }) => externalId);
  expect(names.slice(0, 50)).toEqual(hundred.slice(50));
  expect(names.toSorted()).toEqual(hundred.toSorted());
});

test("Retry-After is respected by all runs, for messages that come later too", async () => {
  const { cards, clock, posts, sent, run } = worldWith(["1", "2"], () => status(429, 120));
  cards.put(storedCard("3"));
  await run([about("1")]);
  expect(sent.pop()?.delaySeconds).toBeGreaterThanOrEqual(120);
  // One card may be at fault itself: another one is posted soon. If that fails as well, it is an outage.
  clock.now += 2 * second;
  await run([about("2")]);
  clock.now += minute;
  expect(await run([about("3")])).toEqual([]);
  expect(sent.pop()?.delaySeconds).toBeGreaterThanOrEqual(58);
  expect(posts).toHaveLength(2);
});

test("a breaker that closes after a long Retry-After keeps until when cards may still come back", async () => {
  const answers = [status(503, 3600)];
  const { cards, clock, run } = worldWith(["1"], (ids) => answers.shift() ?? echo(ids));
  await run([about("1")]);
  clock.now += hour;
  await run([about("1")]);
  expect(cards.breakerItem(green)).toMatchObject({
    open: undefined,
    closedAt: start + hour,
    allBackAt: start + hour + 5 * minute,
  });
});

test.each([
  [401, 4, "The exchange refused the vendor's credentials."],
  [403, 4, ""],
])(
  "credentials that the exchange refuses with %i cost %i posts, are read again, and delay no other vendor",
  async (code, most, words) => {
    const reds = names(60).map((id) => storedCard(id, { apiSet: red }));
    const { cards, posts, events, forgotten, run } = worldWith([...reds, "1"], (ids, apiSet) =>
      apiSet === "red" ? status(code) : echo(ids),
    );
    const messages = [
      message(reds.slice(0, 50), { messageId: "red" }),
      message(reds.slice(50), { messageId: "red too" }),
      about("1"),
    ];
    expect(await run(messages)).toEqual([]);
    expect(posts.filter(({ apiSet }) => apiSet === "red")).toHaveLength(most);
    expect(events).toContainEqual({ kind: "credentialsRefused", apiSet: "red" });
    expect(new Set(forgotten)).toEqual(new Set(["red"]));
    expect(cards.of("1")?.state).toBe("delivered");
    expect(cards.of({ apiSet: red, externalId: "card-0" })?.failure).toMatchObject({
      status: code,
      message: words,
    });
  },
);

test("credentials that cannot be read open the breaker without a post", async () => {
  const { cards, posts, sent, events, run } = worldWith(["1"], echo, {
    account: async () => {
      throw new CredentialsUnavailableError();
    },
  });
  expect(await run([about("1")])).toEqual([]);
  expect(posts).toEqual([]);
  expect(sent).toHaveLength(1);
  expect(cards.of("1")).toMatchObject({ state: "retrying", failure: { phase: "before" } });
  expect(cards.breaker(green)?.failure.phase).toBe("before");
  expect(events).toContainEqual({ kind: "noCredentials", apiSet: green });
});

test("an unexpected error of reading the credentials leaves the messages in the queue", async () => {
  const { run } = worldWith(["1"], echo, { account: () => Promise.reject(new Error("unexpected")) });
  expect(await run([about("1")])).toEqual(["message"]);
});

test.each([
  ["since it did not answer", timedOut],
  ["since it answered 500", status(500)],
])("a card that the exchange may have %s is marked so until its outcome", async (_, answer) => {
  const answers: PostResult[] = [answer];
  const { cards, clock, run } = worldWith(["1"], () => answers.shift() ?? unconnected);
  for (let n = 0; n < 3; n++) {
    await run([about("1")]);
    expect(cards.of("1")).toMatchObject({ state: "retrying", maybeAtExchange: 1 });
    clock.now += hour;
  }
});

test("a card that the exchange may have is delivered when the exchange answers 409 to it", async () => {
  const answers: PostResult[] = [timedOut];
  const { cards, clock, run } = worldWith(["1"], () => answers.shift() ?? status(409));
  await run([about("1")]);
  clock.now += minute;
  await run([about("1")]);
  expect(cards.of("1")?.state).toBe("delivered");
});

test("cards of an array that the exchange took and answered 500 are delivered by the 409s to its parts", async () => {
  const taken = new Set<string>();
  const all = names(8);
  const { run, states } = worldWith(all, (ids) => {
    if (ids.length > 4) return status(422);
    if (ids.some((id) => taken.has(id))) return status(409);
    if (ids.length === 1) return echo(ids);
    for (const id of ids) taken.add(id);
    return status(500);
  });
  await run([message(all.map((id) => wakeUp(id)))]);
  expect(taken.size).toBeGreaterThan(3);
  expect(new Set(states(...all))).toEqual(new Set(["delivered"]));
});

test.each<[string, Partial<StoredCard>]>([
  ["had", { atExchange: 3 }],
  ["may have had", { maybeAtExchange: 3 }],
])(
  "a card that was sent on again is delivered by 409 if the exchange %s its content before",
  async (_, known) => {
    const { cards, run } = worldWith([storedCard("1", { version: 5, contentSince: 3, ...known })], () =>
      status(409),
    );
    cards.put(storedCard("2", { version: 5, ...known }));
    for (const id of ["1", "2"]) await run([message([wakeUp(id, { version: 5 })])]);
    expect(cards.of("1")?.state).toBe("delivered");
    expect(cards.of("2")?.state).not.toBe("delivered");
  },
);

test("a card is not given up while it is not posted, however old it is", async () => {
  const { cards, clock, run } = await opened();
  clock.now += 49 * hour;
  cards.put(storedCard("other", { acceptedAt: start - 49 * hour }));
  await run([about("card-0")]);
  await run([about("other")]);
  expect(cards.of("other")?.state).toBe("queued");
});
