import fc from "fast-check";
import { expect, test } from "vitest";
import type { DeliveryFailure, StoredCard } from "../../../core/cards/card.ts";
import { cardStates, openStates } from "../../../core/cards/life/states.ts";
import { type CardResult, type RecordContext, recordLate, recordOf } from "../../../core/cards/record.ts";
import { start, storedCard } from "../memory/stored-card.ts";
import { hour, minute, second } from "./delivery-world.ts";

const failure = (status: number): DeliveryFailure => ({ phase: "after", status, message: "" });
const during: DeliveryFailure = { phase: "during", message: "late" };
const before: DeliveryFailure = { phase: "before", message: "refused" };

const delivered: CardResult = { kind: "delivered" };
const failed = (status: number, given: object = {}): CardResult => ({
  kind: "failed",
  failure: failure(status),
  verdict: { kind: "suspected", suspicion: 2 },
  maybePosted: false,
  wait: 4000,
  ...given,
});
const rejected = (status: number): CardResult => failed(status, { verdict: { kind: "rejected" } });
const outage = (given: DeliveryFailure = failure(503)): CardResult => ({
  kind: "outage",
  failure: given,
  maybePosted: false,
  isAlone: false,
});

const now = start + minute;
const context: RecordContext = { now, giveUpMilliseconds: 48 * hour, wasOpen: false, random: 0.5 };
const card = (given: Partial<StoredCard> = {}) => storedCard("417", { version: 3, ...given });
const record = (result: CardResult, stored: Partial<StoredCard> = {}, given: Partial<RecordContext> = {}) =>
  recordOf(card(stored), result, { ...context, ...given });

test.each<[string, CardResult, Partial<StoredCard>, object]>([
  [
    "that was delivered",
    delivered,
    { attempts: 2, failure: during, nextAttemptAt: now },
    { state: "delivered", attempts: 3, atExchange: 3, failure: undefined, nextAttemptAt: undefined },
  ],
  ["that was rejected", rejected(422), {}, { state: "rejected", attempts: 1, failure: failure(422) }],
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
  ["that was missing from the echo", failed(200), {}, { maybeAtExchange: 3, suspicion: 2 }],
  [
    "that is suspected, and was in an array that the exchange may have taken",
    failed(422, { maybePosted: true }),
    {},
    { maybeAtExchange: 3 },
  ],
])("of a card %s is recorded what became of it", (_, result, stored, set) => {
  expect(record(result, stored)).toEqual({
    expects: { version: 3, states: openStates },
    set: expect.objectContaining({ since: now, ...set }),
  });
});

test.each([
  ["before the exchange saw anything", before, {}],
  ["that the exchange answered", failure(503), {}],
  ["during the post", during, { maybeAtExchange: 3 }],
  ["answered with 500", failure(500), { maybeAtExchange: 3 }],
])("an outage %s is recorded on a card once, without a time for its next attempt", (_, why, taken) => {
  expect(record(outage(why))?.set).toEqual({
    state: "retrying",
    since: now,
    attempts: 1,
    failure: why,
    failed: [{ version: 3, from: now, to: now, posts: 1, failure: why }],
    nextAttemptAt: undefined,
    ...taken,
  });
});

test("a card is rejected by a 409 only if no other run has recorded since that the exchange may have it, and by another status in any case", () => {
  expect(record(rejected(409), { maybeAtExchange: 2 })?.expects).toEqual({
    version: 3,
    states: openStates,
    maybeAtExchange: 2,
  });
  expect(record(rejected(422), { maybeAtExchange: 2 })?.expects).toEqual({ version: 3, states: openStates });
});

test("a card that failed alone as an outage began is posted alone from then on", () => {
  const alone: CardResult = { kind: "outage", failure: failure(503), maybePosted: false, isAlone: true };
  expect(record(alone)?.set).toMatchObject({ state: "retrying", suspicion: 0, nextAttemptAt: undefined });
  expect(record(alone, {}, { wasOpen: true })).toBeUndefined();
});

test("a suspected card that fails without a witness costs no write", () => {
  expect(record(outage(), { suspicion: 4, state: "retrying" })).toBeUndefined();
});

test("an outage costs a card no write while the breaker is open", () => {
  expect(record(outage(), {}, { wasOpen: true })).toBeUndefined();
  expect(record(outage(before), {}, { wasOpen: true })).toBeUndefined();
});

test("while the breaker is open, it is recorded once that the exchange may have taken a card", () => {
  expect(record(outage(during), {}, { wasOpen: true })?.set).toEqual({ maybeAtExchange: 3 });
  expect(record(outage(during), { maybeAtExchange: 3 }, { wasOpen: true })).toBeUndefined();
  expect(record(outage(during), { maybeAtExchange: 2 }, { wasOpen: true })?.set).toEqual({
    maybeAtExchange: 3,
  });
});

test.each([
  ["an outage", outage(), false],
  ["an outage while the breaker is open", outage(), true],
  ["500 by itself", failed(500), false],
])(
  "a card that fails once more by %s is given up two days after it was accepted, and not before",
  (_, result, wasOpen) => {
    const acceptedAt = now - 48 * hour;
    expect(record(result, { acceptedAt }, { wasOpen })?.set).toMatchObject({
      state: "undelivered",
      attempts: 1,
    });
    expect(record(result, { acceptedAt: acceptedAt + 1 }, { wasOpen })?.set.state).not.toBe("undelivered");
  },
);

test("a card that is delivered or refused after two days is so, and not given up", () => {
  const acceptedAt = now - 50 * hour;
  expect(record(delivered, { acceptedAt })?.set.state).toBe("delivered");
  expect(record(rejected(422), { acceptedAt })?.set.state).toBe("rejected");
});

const late = (result: CardResult, current: Partial<StoredCard>, posted = 3) =>
  recordLate(posted, result, card(current), now);

test.each<[string, CardResult, Partial<StoredCard>, object | undefined]>([
  [
    "of a card that another run has recorded as delivered says nothing new",
    delivered,
    { state: "delivered", atExchange: 3 },
    undefined,
  ],
  [
    "of a failure says nothing new of a card that is delivered",
    outage(during),
    { state: "delivered" },
    undefined,
  ],
  [
    "of a failure is noted on a card that is rejected, since that may be sent on again",
    failed(500),
    { state: "rejected" },
    { maybeAtExchange: 3 },
  ],
  ["of a refusal says nothing new of a card that was corrected", rejected(422), { version: 4 }, undefined],
  ["of an outage that the exchange has not seen says nothing new", outage(before), { version: 4 }, undefined],
  [
    "is noted as what the exchange has, if the card was corrected",
    delivered,
    { version: 4 },
    { atExchange: 3 },
  ],
  [
    "is noted as what the exchange has, if the card was withdrawn",
    delivered,
    { version: 4, state: "withdrawn" },
    { state: "withdrawn", since: now, atExchange: 3 },
  ],
  ["is not noted if the exchange has a later version", delivered, { version: 5, atExchange: 4 }, undefined],
  ["is noted as what the exchange may have", outage(during), { version: 4 }, { maybeAtExchange: 3 }],
  [
    "is noted as what the exchange may have if its echo left the card out",
    failed(200),
    { version: 4, state: "withdrawn" },
    { state: "withdrawn", since: now, maybeAtExchange: 3 },
  ],
  [
    "is not noted if the exchange may have a later version",
    outage(during),
    { version: 5, maybeAtExchange: 4 },
    undefined,
  ],
  [
    "of the version that another run is still trying is noted as what the exchange may have",
    outage(during),
    { state: "retrying" },
    { maybeAtExchange: 3 },
  ],
])("a result that comes after the card has changed %s", (_, result, current, set) => {
  expect(late(result, current)?.set).toEqual(set);
});

const [earlier, other] = [
  { since: 1, hash: "an earlier content" },
  { since: 2, hash: "another content" },
];

test.each<[string, Partial<StoredCard>, object | undefined]>([
  [
    "is kept beside its content, though the exchange may have a later one",
    { version: 4, maybeAtExchange: 3, earlierContents: [earlier, other] },
    { earlierContents: [{ ...earlier, maybeThere: true }, other] },
  ],
  [
    "is kept, and raises what the exchange may have",
    { version: 4, earlierContents: [earlier, other] },
    { earlierContents: [{ ...earlier, maybeThere: true }, other], maybeAtExchange: 1 },
  ],
  [
    "is kept once",
    { version: 4, maybeAtExchange: 3, earlierContents: [{ ...earlier, maybeThere: true }, other] },
    undefined,
  ],
  [
    "counts for the version of today if the card has that content again",
    { version: 4, maybeAtExchange: 3, earlierContents: [earlier, other], contentHash: earlier.hash },
    { earlierContents: [{ ...earlier, maybeThere: true }, other], maybeAtExchange: 4 },
  ],
  [
    "makes the card delivered if it has that content again, and was refused because the exchange has it",
    {
      version: 4,
      state: "rejected",
      failure: failure(409),
      earlierContents: [earlier, other],
      contentHash: earlier.hash,
    },
    { state: "delivered", since: now, atExchange: 4, failure: undefined, nextAttemptAt: undefined },
  ],
])("that the exchange may have a content from before two corrections %s", (_, current, set) => {
  expect(late({ kind: "maybePosted" }, current, 1)?.set).toEqual(set);
});

test.each(["rejected", "undelivered", "queued", "retrying"] as const)(
  "a result that comes after the card has changed makes the card delivered though it is recorded as %s",
  (state) => {
    expect(late(delivered, { state, failure: failure(409), nextAttemptAt: now + second })).toEqual({
      expects: { version: 3, states: [state] },
      set: { state: "delivered", since: now, atExchange: 3, failure: undefined, nextAttemptAt: undefined },
    });
  },
);

test("a result that comes after the card has changed is recorded only if the card does not change once more", () => {
  expect(
    late(delivered, { version: 4, state: "withdrawn", atExchange: 1, maybeAtExchange: 2 })?.expects,
  ).toEqual({
    version: 4,
    states: ["withdrawn"],
    atExchange: 1,
    maybeAtExchange: 2,
  });
});

test("whatever a post came to, a record never changes a card that has an outcome or another version", () => {
  const anyResult = fc.constantFrom(
    delivered,
    failed(200),
    failed(500),
    outage(),
    outage(during),
    rejected(409),
    rejected(422),
  );
  fc.assert(
    fc.property(
      anyResult,
      fc.boolean(),
      fc.nat(10),
      fc.constantFrom(...openStates),
      (result, wasOpen, suspicion, state) => {
        const expects = record(result, { suspicion, state }, { wasOpen })?.expects;
        if (expects !== undefined) expect(expects).toMatchObject({ version: 3, states: openStates });
      },
    ),
  );
});

test("whatever is stored by then, a late result never takes an outcome back but for a delivery", () => {
  const anyResult = fc.constantFrom(failed(200), failed(500), outage(), outage(during), rejected(409));
  fc.assert(
    fc.property(
      anyResult,
      fc.constantFrom(...cardStates),
      fc.integer({ min: 1, max: 5 }),
      (result, state, version) => {
        const recorded = recordLate(3, result, card({ state, version }), now);
        expect([undefined, state]).toContain(recorded?.set.state);
      },
    ),
  );
});

test("posts that fail alike one after the other are remembered together, others by themselves, ten at most", () => {
  const later = { ...context, now: now + minute };
  const first = record(failed(500))?.set.failed ?? [];
  expect(first).toEqual([{ version: 3, from: now, to: now, posts: 1, failure: failure(500) }]);
  const again = record(failed(500), { failed: first }, later)?.set.failed ?? [];
  expect(again).toEqual([{ version: 3, from: now, to: later.now, posts: 2, failure: failure(500) }]);
  const other = record(rejected(422), { failed: again }, later)?.set.failed ?? [];
  expect(other.map(({ posts, failure: { status } }) => [posts, status])).toEqual([
    [2, 500],
    [1, 422],
  ]);
  const corrected = recordOf(card({ version: 4, failed: other }), rejected(422), context);
  expect(corrected?.set.failed?.map(({ version }) => version)).toEqual([3, 3, 4]);
  const many = Array.from({ length: 30 }, (_, n) => n).reduce<StoredCard["failed"]>(
    (failed, n) => record(outage(failure(n)), { failed })?.set.failed,
    undefined,
  );
  expect(many?.map(({ failure: { status } }) => status)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
});

test("a post that the exchange takes is no failed post", () => {
  expect(record(delivered)?.set).not.toHaveProperty("failed");
});
