import fc from "fast-check";
import { expect, test } from "vitest";
import { enqueue, nextVersion, planCard } from "../../../../core/cards/delivery/plan.ts";
import { isMaybeThere } from "../../../../core/cards/delivery/posts.ts";
import { postTiming } from "../../../../core/cards/delivery/timing.ts";
import type { StoredCard } from "../../../../core/cards/life/card.ts";
import { contentOf } from "../../../../core/cards/life/card-content.ts";
import { cardStates, isFinal } from "../../../../core/cards/life/states.ts";
import { hour, minute, second } from "../../../durations.ts";
import { key, start, storedCard } from "../../memory/stored-card.ts";

const timing = postTiming(10);
const content = contentOf({ ExternalID: "417", Comment: "sent now" });
const now = start + hour;
const acceptance = { now, requestId: "this request", timing };
const stored = (given: Partial<StoredCard> = {}) => storedCard("417", given);
const plan = (contentHash: string, card: StoredCard | undefined) =>
  planCard(key("417"), { index: 0, externalId: "417", contentHash, content }, card, acceptance);
/** What is changed of a card that is stored as this, by another content unless said. */
function changeOf(given: Partial<StoredCard>, contentHash = "four strokes") {
  const planned = plan(contentHash, stored(given));
  if (planned.kind !== "change") throw new Error("Nothing is changed.");
  return planned.change;
}

test("a card never seen is stored as its first version, if nobody else stores it first", () => {
  expect(plan("five strokes", undefined)).toEqual({
    kind: "change",
    wakeUps: [{ ...key("417"), version: 1, madeAt: now, mark: "inserted", delaySeconds: 0 }],
    change: {
      ...key("417"),
      set: {
        version: 1,
        state: "queued",
        since: now,
        acceptedAt: now,
        requestId: "this request",
        contentHash: "five strokes",
        content,
        mustWait: false,
        attempts: 0,
        atExchange: 0,
        maybeAtExchange: 0,
      },
    },
  });
});

test.each(["rejected", "undelivered", "withdrawing", "withdrawn"] as const)(
  "the same content again is posted once more if the card is %s",
  (state) => {
    const planned = plan("five strokes", stored({ state, version: 2, suspicion: 12 }));
    if (planned.kind !== "change") throw new Error("Nothing is changed.");
    expect(planned.change.set).toMatchObject({ version: 3, state: "queued", suspicion: undefined });
  },
);

test.each(["queued", "retrying", "delivered"] as const)(
  "the same content again changes nothing while the card is %s",
  (state) => {
    expect(plan("five strokes", stored({ state })).kind).toBe("repeat");
  },
);

test.each([
  ["queued for longer than a message can be delayed", { state: "queued", since: now - 901 * second }, true],
  ["queued for as long as a message can be delayed", { state: "queued", since: now - 900 * second }, false],
  ["retrying for an hour", { state: "retrying", since: now - hour }, true],
  ["woken up again just now", { state: "queued", since: now - hour, wokenAt: now - minute }, false],
  ["delivered long ago", { state: "delivered", since: now - hour }, false],
] as const)(
  "the same content again wakes a card up only if it is overdue, here one that is %s",
  (_, given, isOverdue) => {
    const planned = plan("five strokes", stored(given));
    expect("again" in planned).toBe(isOverdue);
    if (!("again" in planned)) return;
    expect(planned.again).toMatchObject({
      wakeUps: [{ version: 1, madeAt: now, mark: "inserted", delaySeconds: 16 }],
      change: { expects: { version: 1, states: [given.state] }, set: { wokenAt: now } },
    });
  },
);

test("a new version is woken up by its own wake-up, whenever the one before was", () => {
  expect(changeOf({ wokenAt: now - minute }).set).toMatchObject({ wokenAt: undefined });
});

test("the same content again resends a given-up card, with two more days, and keeps what the exchange may have", () => {
  const change = changeOf({ state: "undelivered", maybeAtExchange: 1 }, "five strokes");
  expect(change.set).toMatchObject({ version: 2, state: "queued", acceptedAt: now, maybeAtExchange: 2 });
  expect(change.set).not.toHaveProperty("content");
});

test("the same content again says since which version the card has it, and a correction no longer", () => {
  const resent = (given: Partial<StoredCard>) => changeOf(given, "five strokes").set.contentSince;
  expect(resent({ state: "undelivered", version: 3 })).toBe(3);
  expect(resent({ state: "rejected", version: 4, contentSince: 3 })).toBe(3);
  const corrected = changeOf({ state: "rejected", version: 4, contentSince: 3, contentAt: 7 }).set;
  expect(corrected).toMatchObject({ contentSince: undefined, contentAt: undefined });
});

test("content that is sent on again keeps the time at which it was accepted first", () => {
  const resent = (given: Partial<StoredCard>) => changeOf(given, "five strokes").set.contentAt;
  expect(resent({ state: "undelivered", acceptedAt: 5 })).toBe(5);
  expect(resent({ state: "rejected", acceptedAt: 9, contentAt: 5 })).toBe(5);
});

test("the same content again of a withdrawn card is a new version", () => {
  expect(changeOf({ state: "withdrawn", version: 2 }, "five strokes")).toMatchObject({
    expects: { version: 2, states: ["withdrawn"] },
    set: { version: 3, state: "queued", content },
  });
});

test("other content is a new version of what is stored, if that has not changed", () => {
  expect(changeOf({ version: 4, state: "retrying" })).toMatchObject({
    ...key("417"),
    expects: { version: 4, states: ["retrying"] },
    set: { version: 5, state: "queued", contentHash: "four strokes", content, requestId: "this request" },
  });
});

test("other content starts without the attempts, failure and waiting time of the content it corrects", () => {
  const failure = { phase: "after", status: 500, message: "" } as const;
  const change = changeOf({
    state: "retrying",
    attempts: 7,
    suspicion: 3,
    nextAttemptAt: now + hour,
    failure,
    maybeAtExchange: 1,
  });
  expect(change.set).toMatchObject({
    attempts: 0,
    suspicion: undefined,
    nextAttemptAt: undefined,
    failure: undefined,
  });
  expect(change.set).not.toHaveProperty("atExchange");
  expect(change.set).not.toHaveProperty("maybeAtExchange");
});

test("other content keeps the hashes of the contents before, and the last ten at most", () => {
  expect(changeOf({ state: "delivered" }).set.earlierContents).toEqual([{ since: 1, hash: "five strokes" }]);
  const earlierContents = Array.from({ length: 10 }, (_, n) => ({ since: n + 1, hash: `content ${n + 1}` }));
  expect(changeOf({ version: 12, contentSince: 11, earlierContents }).set.earlierContents).toEqual([
    ...earlierContents.slice(1),
    { since: 11, hash: "five strokes" },
  ]);
});

test.each<[string, Partial<StoredCard>]>([
  ["has it", { atExchange: 2 }],
  ["may have it", { maybeAtExchange: 2 }],
  ["has an earlier one", { atExchange: 1, maybeAtExchange: 1 }],
])("other content is lost if it becomes known meanwhile that the exchange %s", (_, known) => {
  const { expects } = changeOf({ version: 2, ...known });
  expect(expects).toMatchObject({ atExchange: 0, maybeAtExchange: 0, ...known });
});

test.each<[string, Partial<StoredCard>, readonly number[], boolean]>([
  ["had it before, and another content never came", { atExchange: 1 }, [1], true],
  ["had it before, and another content may have come", { atExchange: 1, maybeAtExchange: 2 }, [1, 2], true],
  ["may have had it", { maybeAtExchange: 1 }, [1], true],
  ["may have had it, and another content", { maybeAtExchange: 2 }, [1, 2], true],
  ["had it before another content", { atExchange: 2, maybeAtExchange: 1 }, [1, 2], false],
  ["may have had another content only", { maybeAtExchange: 2 }, [2], false],
  ["never had it", {}, [], false],
  ["may have this version", { maybeAtExchange: 3 }, [], true],
])(
  "a card that went back to an earlier content may be at the exchange, if that %s",
  (_, known, there, isThere) => {
    const earlierContents = ["five strokes", "four strokes"].map((hash, n) => ({ since: n + 1, hash }));
    const untimed = { from: 0, to: 0, posts: 1, answer: "unknown" } as const;
    const posts = there.map((version) => ({ version, ...untimed }));
    expect(isMaybeThere(stored({ version: 3, earlierContents, posts, ...known }))).toBe(isThere);
  },
);

test.each<[string, Partial<StoredCard>, boolean]>([
  ["waits if the card has no outcome", {}, true],
  ["waits if the card is being tried again", { state: "retrying" }, true],
  ["waits if the card was delivered just now", { state: "delivered", since: now - 299_999 }, true],
  [
    "goes at once if the card was delivered five minutes ago",
    { state: "delivered", since: now - 300_000 },
    false,
  ],
  ["goes at once if the card was refused long ago", { state: "rejected" }, false],
  ["goes at once if the card was given up long ago", { state: "undelivered" }, false],
  ["waits if the card had to wait itself, however long ago", { state: "delivered", mustWait: true }, true],
])("other content %s", (_, given, mustWait) => {
  expect(changeOf(given).set.mustWait).toBe(mustWait);
});

test("other content keeps the outcome of what it corrects, and the last ten at most", () => {
  const earlier = Array.from(
    { length: 10 },
    (_, n) => ({ version: n + 1, state: "delivered", at: n }) as const,
  );
  expect(changeOf({ version: 11, state: "rejected", since: start, earlier }).set.earlier).toEqual([
    ...earlier.slice(1),
    { version: 11, state: "rejected", at: start },
  ]);
  expect(changeOf({ version: 11, state: "retrying", earlier }).set.earlier).toEqual(earlier);
});

test.each<[string, Partial<StoredCard>, number | undefined]>([
  ["may have this version", { version: 3, maybeAtExchange: 3 }, 4],
  ["may have the version that was withdrawn", { version: 3, state: "withdrawn", maybeAtExchange: 2 }, 4],
  ["may have an earlier content only", { version: 3, maybeAtExchange: 2 }, undefined],
  ["has nothing", { version: 3 }, undefined],
])(
  "the same content as a new version keeps what is known of the exchange, where that %s",
  (_, given, maybe) => {
    expect(
      nextVersion(stored({ state: "undelivered", ...given }), acceptance).change.set.maybeAtExchange,
    ).toBe(maybe);
  },
);

test("whatever is stored and sent, a change makes the next version of exactly what was read, and only a repeat makes none", () => {
  const anyCard = fc.record({
    version: fc.integer({ min: 1, max: 100 }),
    state: fc.constantFrom(...cardStates),
    since: fc.integer({ min: start, max: now }),
    mustWait: fc.boolean(),
  });
  fc.assert(
    fc.property(anyCard, fc.constantFrom("five strokes", "four strokes"), (given, contentHash) => {
      const planned = plan(contentHash, stored(given));
      if (planned.kind !== "change") {
        expect(contentHash).toBe("five strokes");
        expect(["withdrawn", "undelivered"]).not.toContain(given.state);
        return;
      }
      expect(planned.change.expects).toMatchObject({ version: given.version, states: [given.state] });
      expect(planned.change.set).toMatchObject({
        version: given.version + 1,
        state: "queued",
        acceptedAt: now,
      });
      if (!isFinal(given.state)) expect(planned.change.set.mustWait).toBe(true);
    }),
  );
});

test("where no card changes, nothing is sent and nothing is written", async () => {
  const refuse = () => Promise.reject(new Error("Nothing is to be done."));
  expect(await enqueue([], { send: refuse, table: { write: refuse } })).toEqual([]);
});
