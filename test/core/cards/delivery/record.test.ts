import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMaybeThere, postsOf, withPost } from "../../../../core/cards/delivery/posts.ts";
import { type RecordContext, recordOutcome } from "../../../../core/cards/delivery/record.ts";
import type { CardResult, Due, Judged } from "../../../../core/cards/delivery/run.ts";
import type { DeliveryFailure, PostAnswer, StoredCard } from "../../../../core/cards/life/card.ts";
import { cardStates, statesThat } from "../../../../core/cards/life/states.ts";
import { hour, minute } from "../../../durations.ts";
import { start, storedCard } from "../../memory/stored-card.ts";

const failure = (status: number): DeliveryFailure => ({ phase: "after", status, message: "" });
const during: DeliveryFailure = { phase: "during", message: "late" };
const before: DeliveryFailure = { phase: "before", message: "refused" };

const delivered: CardResult = { kind: "delivered" };
const noted: CardResult = { kind: "noted" };
const failed = (status: number): CardResult => ({
  kind: "failed",
  failure: failure(status),
  verdict: { kind: "suspected", suspicion: 2 },
  wait: 4000,
});
const rejected = (status: number): CardResult => {
  return { kind: "failed", failure: failure(status), verdict: { kind: "rejected" }, wait: 0 };
};
const outage = (given: DeliveryFailure = failure(503), isAlone = false): CardResult => {
  return { kind: "outage", failure: given, ...(isAlone && { wait: 0 }) };
};

const now = start + minute;
const context: RecordContext = {
  now,
  giveUpMilliseconds: 48 * hour,
  lateFinish: 5 * minute,
  openSince: undefined,
  random: 0.5,
};
const card = (given: Partial<StoredCard> = {}) => storedCard("417", { version: 3, ...given });
interface Outcome extends Partial<Pick<Due, "isRepost" | "unrecorded">> {
  readonly posted?: number;
  readonly result: CardResult;
}
const judge = (stored: StoredCard, { posted = 3, result, ...given }: Outcome): Judged => {
  const wakeUp = { externalId: "417", version: posted, madeAt: start };
  const due = { phase: "due", wakeUp, card: stored, readAt: start, isRepost: false, ...given } as const;
  return { phase: "judged", due, result };
};
const record = (
  result: CardResult,
  stored: Partial<StoredCard> = {},
  { wasOpen, ...outcome }: Partial<Outcome & { readonly wasOpen: boolean }> = {},
) => {
  const openSince = wasOpen ? start : undefined;
  return recordOutcome(judge(card(stored), { result, ...outcome }), { ...context, openSince });
};
/** The card as it is stored after a record. */
const recorded = (stored: StoredCard, outcome: Outcome, given: Partial<RecordContext> = {}): StoredCard => ({
  ...stored,
  ...recordOutcome(judge(stored, outcome), { ...context, ...given })?.set,
});

const fact = (version: number, answer: string, given: object = {}) =>
  expect.objectContaining({ version, answer, from: now, to: now, posts: 1, ...given });

test.each<[string, CardResult, Partial<StoredCard>, object]>([
  [
    "that was delivered",
    delivered,
    { attempts: 2, failure: during, nextAttemptAt: now, wokenAt: start },
    {
      state: "delivered",
      attempts: 3,
      atExchange: 3,
      failure: undefined,
      nextAttemptAt: undefined,
      // A second post has a wake-up that is as old.
      wokenAt: undefined,
      posts: [fact(3, "yes")],
    },
  ],
  [
    "that was rejected",
    rejected(422),
    {},
    {
      state: "rejected",
      attempts: 1,
      failure: failure(422),
      posts: [fact(3, "unknown", { failure: failure(422) })],
    },
  ],
  [
    "that is suspected",
    failed(422),
    { attempts: 1 },
    { state: "retrying", attempts: 2, suspicion: 2, failure: failure(422), nextAttemptAt: now + 3000 },
  ],
  [
    "that is suspected, and that the exchange may have",
    failed(502),
    {},
    { maybeAtExchange: 3, suspicion: 2 },
  ],
  ["that was missing from the echo", failed(200), {}, { maybeAtExchange: 3, posts: [fact(3, "unknown")] }],
  ["that nothing was sent of", outage(before), {}, { state: "retrying", posts: [fact(3, "neverSent")] }],
  ["that failed in an outage", outage(failure(503)), {}, { state: "retrying", posts: [fact(3, "unknown")] }],
])("of a card %s is recorded what was said and what became of it", (_, result, stored, set) => {
  const expects = { version: 3, states: ["queued"], atExchange: 0, maybeAtExchange: 0 };
  expect(record(result, stored)).toEqual({ expects, set: expect.objectContaining({ since: now, ...set }) });
});

test("a post of the same run without a known answer is recorded with the one that failed after it", () => {
  const set = record(failed(422), {}, { unrecorded: { failure: during } })?.set;
  expect(set).toMatchObject({ maybeAtExchange: 3, posts: [{ answer: "unknown" }, { answer: "unknown" }] });
});

test("a card that failed alone as an outage began is posted alone from then on", () => {
  expect(record(outage(failure(503), true))?.set).toMatchObject({ state: "retrying", suspicion: 0 });
});

test.each<[string, Partial<StoredCard>, boolean]>([
  ["a suspected card that fails without a witness", { suspicion: 4, state: "retrying" }, false],
  ["an outage while the breaker is open", {}, true],
])("%s costs no write, unless it is new that the exchange may have the card", (_, stored, wasOpen) => {
  expect(record(outage(before), stored, { wasOpen })).toBeUndefined();
  const noticed = record(outage(during), stored, { wasOpen })?.set;
  expect(noticed).toMatchObject({ maybeAtExchange: 3 });
  expect(noticed).not.toHaveProperty("state");
  expect(record(outage(during), { ...stored, ...noticed }, { wasOpen })).toBeUndefined();
});

test.each([
  ["an outage", outage(), false],
  ["an outage while the breaker is open", outage(), true],
  ["500 by itself", failed(500), false],
])(
  "a card that fails once more by %s is given up two days after its first post, and not before",
  (_, result, wasOpen) => {
    const postedAt = (from: number) => ({
      acceptedAt: start,
      posts: [{ version: 3, from, to: from, posts: 1, answer: "unknown", failure: during }] as const,
    });
    expect(record(result, postedAt(now - 48 * hour), { wasOpen })?.set).toMatchObject({
      state: "undelivered",
      attempts: 1,
    });
    expect(record(result, postedAt(now - 48 * hour + 1), { wasOpen })?.set.state).not.toBe("undelivered");
  },
);

test("a card that is delivered or refused after two days is so, and not given up", () => {
  const acceptedAt = now - 50 * hour;
  expect(record(delivered, { acceptedAt })?.set.state).toBe("delivered");
  expect(record(rejected(422), { acceptedAt })?.set.state).toBe("rejected");
});

test.each<[string, CardResult, Partial<StoredCard>, object | undefined]>([
  ["of a delivered card", delivered, { state: "delivered", atExchange: 3 }, undefined],
  ["of a failure, of a delivered card", outage(during), { state: "delivered", atExchange: 3 }, undefined],
  ["of a failure, of a rejected card", failed(500), { state: "rejected" }, { maybeAtExchange: 3 }],
  ["of a refusal, of a card that was corrected", rejected(422), { version: 4 }, { maybeAtExchange: 3 }],
  ["of a post that was never sent", outage(before), { version: 4 }, undefined],
  ["of a delivery, of a card that was corrected", delivered, { version: 4 }, { atExchange: 3 }],
  [
    "of a delivery, of a card that was withdrawn",
    delivered,
    { version: 4, state: "withdrawn" },
    { state: "withdrawn", since: now, atExchange: 3 },
  ],
  ["of a timeout, of a card that was corrected", outage(during), { version: 4 }, { maybeAtExchange: 3 }],
  [
    "of an echo without the card, of a card that was withdrawn",
    failed(200),
    { version: 4, state: "withdrawn" },
    { state: "withdrawn", since: now, maybeAtExchange: 3 },
  ],
])("a late result, %s, is recorded as far as it says something new", (_, result, current, set) => {
  const found = record(result, current)?.set;
  if (set === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(set);
  if (set !== undefined && !("state" in set)) expect(found).not.toHaveProperty("state");
});

test.each(["rejected", "undelivered", "queued", "retrying"] as const)(
  "a late delivery makes a card delivered that is recorded as %s",
  (state) => {
    expect(record(delivered, { state, failure: failure(409), nextAttemptAt: now })?.set).toMatchObject({
      state: "delivered",
      since: now,
      atExchange: 3,
      failure: undefined,
      nextAttemptAt: undefined,
    });
  },
);

describe("a 409 says that the exchange has the card", () => {
  const conflict: Partial<StoredCard> = { version: 4, state: "rejected", failure: failure(409) };
  const [first, second] = [
    { since: 1, hash: "first" },
    { since: 2, hash: "second" },
  ];
  const contents = { earlierContents: [first, second], contentHash: "third", contentSince: 4 };

  test.each<[string, Partial<StoredCard>, number, string]>([
    ["this version", contents, 4, "delivered"],
    ["an earlier version of this content", { ...contents, contentSince: 3 }, 3, "delivered"],
    [
      "a content from before two corrections that the card has again",
      { ...contents, contentHash: "first" },
      1,
      "delivered",
    ],
    ["another content", contents, 2, "rejected"],
    ["another content from before two corrections", contents, 1, "rejected"],
    [
      "the content before, which the card has not again",
      { ...contents, contentHash: "first" },
      2,
      "rejected",
    ],
    [
      "a content that the exchange has replaced since",
      { ...contents, contentHash: "first", atExchange: 2 },
      1,
      "rejected",
    ],
  ])("if a post of %s may have reached it, whichever is known first", (_, given, posted, state) => {
    const open = card({ ...conflict, ...given, state: "retrying", failure: undefined });
    const [refusal, unknown] = [
      { posted: 4, result: rejected(409) },
      { posted, result: noted, unrecorded: {} },
    ];
    expect(recorded(recorded(open, refusal), unknown).state).toBe(state);
    expect(recorded(recorded(open, unknown), refusal).state).toBe(state);
  });

  test("but not if another status refused it", () => {
    expect(recorded(card({ maybeAtExchange: 3 }), { result: rejected(422) }).state).toBe("rejected");
  });
});

test("the second post of a correction is recorded when it is answered, and a late duplicate of the first is not taken for it", () => {
  const corrected = { state: "delivered", mustWait: true, atExchange: 3 } as const;
  const since = now - hour;
  expect(record(delivered, { ...corrected, since }, { isRepost: true })?.set).toMatchObject({ reposted: 3 });
  expect(record(delivered, corrected)).toBeUndefined();
  const postponed = record(
    { kind: "postponed", failure: during },
    { ...corrected, since },
    { isRepost: true },
  );
  expect(postponed?.set).toMatchObject({ posts: [{ answer: "yes" }, { answer: "unknown" }] });
  expect(postponed?.set).not.toHaveProperty("reposted");
});

test("a record is lost if anything changes that it follows from", () => {
  const posts = postsOf(card({ atExchange: 1, maybeAtExchange: 2 }));
  const stored = { version: 4, state: "withdrawn", atExchange: 1, maybeAtExchange: 2, posts } as const;
  expect(record(delivered, stored)?.expects).toEqual({
    version: 4,
    states: ["withdrawn"],
    atExchange: 1,
    maybeAtExchange: 2,
    posts,
  });
});

const anyResult = fc.constantFrom(
  delivered,
  failed(200),
  failed(500),
  failed(422),
  outage(),
  outage(during),
  rejected(409),
  rejected(422),
);

test("whatever is stored, a result never takes an outcome back but for a delivery", () => {
  fc.assert(
    fc.property(
      anyResult,
      fc.constantFrom(...statesThat("isFinal", true)),
      fc.integer({ min: 3, max: 5 }),
      (result, state, version) => {
        const states = result === delivered || result === rejected(409) ? ["delivered"] : [];
        const found = record(result, { state, version, failure: failure(422) })?.set.state;
        expect([undefined, state, ...states]).toContain(found);
      },
    ),
  );
});

test("in whatever order results come, the same is known of the exchange, and told in every state", () => {
  const anyOutcome = fc.record({ posted: fc.integer({ min: 1, max: 3 }), result: anyResult });
  fc.assert(
    fc.property(
      fc.array(anyOutcome, { maxLength: 6 }),
      fc.constantFrom(...cardStates),
      fc.nat(100),
      (outcomes, state, turn) => {
        const stored = card({ state, earlierContents: [{ since: 1, hash: "one" }], contentSince: 2 });
        const others = outcomes.length === 0 ? [] : outcomes.slice(turn % outcomes.length);
        const turned = [...others, ...outcomes.slice(0, outcomes.length - others.length)].reverse();
        const [one, other] = [outcomes, turned].map((all) =>
          all.reduce((known, each) => recorded(known, each), stored),
        );
        if (one === undefined || other === undefined) return;
        expect([one.atExchange, isMaybeThere(one)]).toEqual([other.atExchange, isMaybeThere(other)]);
        const isTaken = outcomes.some(({ posted, result }) => posted === 3 && result === delivered);
        if (isTaken && state !== "withdrawing" && state !== "withdrawn")
          expect([one.state, other.state]).toEqual(["delivered", "delivered"]);
      },
    ),
  );
});

test("posts that end alike one after the other are one fact, others a fact each", () => {
  const later = { now: now + minute };
  const first = recorded(card(), { result: failed(500) });
  const second = recorded(first, { result: failed(500) }, later);
  const third = recorded(second, { result: failed(422) }, later);
  expect(third.posts).toEqual([
    { version: 3, from: now, to: later.now, posts: 2, answer: "unknown", failure: failure(500) },
    { version: 3, from: later.now, to: later.now, posts: 1, answer: "unknown", failure: failure(422) },
  ]);
});

test("a card keeps twelve facts at most, and forgets none that nothing else says", () => {
  let stored = card({ version: 1, contentSince: 1 });
  stored = recorded(stored, { posted: 1, result: outage(during) });
  for (let status = 400; status < 440; status++)
    stored = recorded(stored, { posted: 1, result: failed(status) });
  for (let status = 500; status < 540; status++)
    stored = recorded(stored, { posted: 1, result: failed(status) });
  expect(stored.posts).toHaveLength(12);
  expect(stored).toMatchObject({ maybeAtExchange: 1, atExchange: 0 });
  const corrected = {
    ...stored,
    version: 2,
    contentSince: undefined,
    earlierContents: [{ since: 1, hash: stored.contentHash }],
  };
  for (let status = 400; status < 440; status++)
    stored = recorded(corrected, { posted: 2, result: failed(status) });
  expect(postsOf(stored).some(({ version, answer }) => version === 1 && answer === "unknown")).toBe(true);
});

test.each<[string, string[], number]>([
  ["a refusal", ["2 no"], 1],
  ["what a later answer makes clear", ["2 unknown", "2 yes"], 1],
  ["what is said once more", ["2 unknown", "3 no", "2 unknown"], 1],
  ["the first", [], 0],
])("of too many facts goes %s, before others that nothing else says", (_, some, gone) => {
  const others = Array.from({ length: 11 - some.length }, (_, n) => `${n + 4} yes`);
  const posts = ["1 yes", ...some, ...others].map((post) => {
    const [version, answer] = post.split(" ");
    return { version: Number(version), answer: answer as PostAnswer, from: now, to: now, posts: 1 };
  });
  const all = withPost(posts, { version: 20, answer: "yes" }, now);
  expect(all.slice(0, -1)).toEqual(posts.toSpliced(gone, 1));
  expect(all.at(-1)).toMatchObject({ version: 20 });
});

test("a post without a known answer is one fact though it is noted twice, and a note is no attempt", () => {
  const unrecorded = { failure: during };
  const stored = recorded(card({ state: "rejected", failure: failure(409), attempts: 1 }), {
    ...{ result: noted, unrecorded },
  });
  expect(stored).toMatchObject({ state: "delivered", attempts: 1 });
  const once = recorded(card(), { result: noted, unrecorded });
  expect(recordOutcome(judge(once, { result: noted, unrecorded }), context)).toBeUndefined();
  const set = recordOutcome(judge(once, { result: failed(422), unrecorded }), context)?.set;
  expect(set?.posts).toMatchObject([{ answer: "unknown", posts: 1 }, { answer: "unknown" }]);
});

test("what an item of an older form concludes is read as facts, and stored as facts with the next record", () => {
  const old = card({
    atExchange: 1,
    maybeAtExchange: 2,
    failed: [{ version: 3, from: 5, to: 6, posts: 2, failure: failure(422) }],
  });
  const facts = [
    { version: 1, answer: "yes", from: 0 },
    { version: 3, answer: "unknown", from: 5, to: 6, posts: 2 },
  ];
  expect(postsOf(old)).toMatchObject(facts);
  const recorded = recordOutcome(judge(old, { result: rejected(400) }), context);
  expect(recorded?.set).toMatchObject({ failed: undefined, atExchange: 1, maybeAtExchange: 3 });
  expect(recorded?.set.posts).toHaveLength(3);
  // An older function has changed it during a deployment.
  expect(
    postsOf({ ...old, ...recorded?.set, atExchange: 3 }).filter(({ answer }) => answer === "yes"),
  ).toHaveLength(2);
});
