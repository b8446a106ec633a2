import fc from "fast-check";
import { expect, test } from "vitest";
import {
  erasedHash,
  isMissedByWithdrawal,
  isSuspected,
  type StoredCard,
} from "../../../../core/cards/life/card.ts";
import { type CardEvent, type EventKind, happened } from "../../../../core/cards/life/happened.ts";
import { isOpen, State } from "../../../../core/cards/life/states.ts";
import { happeningsOf, lifeOf, randomSteps } from "./random-life.ts";

/** What all views together know of a card. */
const known = (card: StoredCard) => ({
  version: card.version,
  state: card.state,
  isSuspected: isSuspected(card),
  mayBeAtExchange: isMissedByWithdrawal(card),
  isErased: card.contentHash === erasedHash,
  codes: [
    ...(card.playerUnknown ? ["player_unknown"] : []),
    ...(card.laterWarnings ?? []).map(({ code }) => code),
    ...(card.record?.isTwice ? ["recorded_twice"] : []),
  ].sort(),
  isRecorded: card.record?.isRecorded,
});

type Known = ReturnType<typeof known>;

const nothingKnown: Known = {
  version: 0,
  state: State.queued,
  isSuspected: false,
  mayBeAtExchange: false,
  isErased: false,
  codes: [],
  isRecorded: undefined,
};

const nextVersion = (_: CardEvent, { version, isErased }: Known): Known => ({
  ...nothingKnown,
  version: version + 1,
  isErased,
});
const become =
  (state: StoredCard["state"]) =>
  (_: CardEvent, before: Known): Known => ({
    ...before,
    state,
    isSuspected: before.isSuspected && isOpen(state),
  });

/** What is known of a card after an event, from what was known before. */
const replay: { readonly [K in EventKind]: (event: CardEvent<K>, before: Known) => Known } = {
  accepted: nextVersion,
  corrected: (event, before) => ({ ...nextVersion(event, before), isErased: false }),
  resent: nextVersion,
  withdrawalBegun: (event, before) => ({
    ...become(State.withdrawing)(event, before),
    version: before.version + 1,
  }),
  withdrawalFailed: nextVersion,
  failed: become(State.retrying),
  suspected: (_, before) => ({ ...before, isSuspected: true }),
  cleared: (_, before) => ({ ...before, isSuspected: false }),
  delivered: become(State.delivered),
  rejected: become(State.rejected),
  undelivered: become(State.undelivered),
  withdrawn: become(State.withdrawn),
  maybeDelivered: (_, before) => ({ ...before, mayBeAtExchange: true }),
  warned: ({ codes }, before) => ({ ...before, codes: [...before.codes, ...codes].sort() }),
  recorded: (_, before) => ({ ...before, isRecorded: true }),
  notRecorded: (_, before) => ({ ...before, isRecorded: false }),
  rerated: (_, before) => before,
  // The union's answers about the person go with the person; that the player is unknown names nobody.
  erased: (_, before) => ({
    ...before,
    isErased: true,
    isRecorded: undefined,
    codes: before.codes.filter((code) => code === "player_unknown"),
  }),
};

const after = (before: Known, event: CardEvent) =>
  (replay[event.kind] as (event: CardEvent, before: Known) => Known)(event, before);

const eventsIn = (life: readonly StoredCard[]) => happeningsOf(life).flatMap(({ events }) => events);

test("the events of any life of a card, replayed, give what is known of the card", () => {
  fc.assert(
    fc.property(randomSteps, (steps) => {
      const life = lifeOf("1", steps);
      const replayed = eventsIn(life).reduce(after, nothingKnown);
      expect(replayed).toEqual(known(life.at(-1) as StoredCard));
    }),
    { numRuns: 1_000 },
  );
});

test("random lives have every kind of event", () => {
  const seen = new Set<EventKind>();
  for (const steps of fc.sample(randomSteps, 2_000)) {
    for (const { kind } of eventsIn(lifeOf("1", steps))) seen.add(kind);
  }
  const all = Object.keys(replay).filter((kind) => kind !== "cleared");
  expect([...seen].sort()).toEqual(all.sort());
});

test("a change of nothing that anybody follows is no event", () => {
  const [card] = lifeOf("1", []);
  const woken = { ...(card as StoredCard), wokenAt: 1 };
  expect(happeningsOf([card as StoredCard, woken]).at(-1)?.events).toEqual([]);
});

const recordOf = { at: 1, isRecorded: true, differential: 124 };

test.each<[string, Partial<StoredCard>, Partial<StoredCard>, object[]]>([
  [
    "a late answer replaces the outcome before it",
    { state: "rejected", since: 5 },
    { state: "delivered", since: 9 },
    [{ kind: "delivered", at: 9, replaces: { state: "rejected", at: 5 } }],
  ],
  [
    "a first outcome replaces none",
    { state: "retrying", attempts: 1 },
    { state: "delivered", since: 9 },
    [{ kind: "delivered", at: 9, replaces: undefined }],
  ],
  [
    "each attempt that fails is told",
    { state: "retrying", attempts: 1 },
    { state: "retrying", attempts: 2, since: 9 },
    [{ kind: "failed", at: 9 }],
  ],
  [
    "a note on a retrying card is no attempt",
    { state: "retrying", attempts: 1 },
    { state: "retrying", attempts: 1, maybeAtExchange: 1 },
    [],
  ],
  [
    "that the exchange may have a withdrawn card is told once",
    { state: "withdrawn", maybeAtExchange: 1 },
    { state: "withdrawn", maybeAtExchange: 1, atExchange: 1 },
    [],
  ],
  [
    "a round that was taken off the record of the player before is rated again",
    { record: { ...recordOf, isTwice: true } },
    { record: { ...recordOf, at: 7 } },
    [{ kind: "rerated", at: 7 }],
  ],
  [
    "a record that was read again and is the same is none",
    { record: recordOf },
    { record: { ...recordOf, at: 7 } },
    [],
  ],
])("%s", (_, before, after, events) => {
  const [card] = lifeOf("1", []) as [StoredCard];
  expect(happened({ ...card, ...before }, { ...card, ...after })).toEqual(events);
});

test("two warnings of one code are one event with that code once", () => {
  const [card] = lifeOf("1", []) as [StoredCard];
  const seen = { code: "round_seen" } as const;
  const warned = { ...card, laterWarnings: [seen, { ...seen, other: "2" }] };
  expect(happeningsOf([card, warned]).at(-1)?.events).toMatchObject([
    { kind: "warned", codes: ["round_seen"] },
  ]);
});
