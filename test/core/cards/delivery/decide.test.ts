import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../../../core/cards/delivery/decide.ts";
import type { WakeUpCard } from "../../../../core/cards/delivery/queue.ts";
import { postTiming } from "../../../../core/cards/delivery/timing.ts";
import type { StoredCard } from "../../../../core/cards/life/card.ts";
import { cardStates, isOpen } from "../../../../core/cards/life/states.ts";
import { hour, minute, second } from "../../../durations.ts";
import { start, storedCard } from "../../memory/stored-card.ts";

const timing = postTiming(10);
const received = (given: Partial<WakeUpCard> = {}): WakeUpCard => ({
  externalId: "417",
  version: 1,
  madeAt: start,
  ...given,
});
const card = (given: Partial<StoredCard> = {}) => storedCard("417", given);
const conflict = { phase: "after", status: 409, message: "known" } as const;

test.each([
  ["made just now", undefined, 0, { action: "reread", inMilliseconds: 2 * second }],
  ["of a correction that is not stored", card(), 0, { action: "reread", inMilliseconds: 2 * second }],
  ["made a minute ago", undefined, minute, { action: "reread", inMilliseconds: 62 * second }],
  ["made ten minutes ago", undefined, 10 * minute, { action: "reread", inMilliseconds: 5 * minute }],
  ["made 15 minutes ago", undefined, 15 * minute, { action: "reread", inMilliseconds: 5 * minute }],
  ["made more than 15 minutes ago", undefined, 15 * minute + 1, { action: "drop" }],
  ["made by a clock that is ahead", undefined, -5 * second, { action: "reread", inMilliseconds: 2 * second }],
])(
  "a wake-up for a version that is not stored %s leads to %s at the age of %i ms",
  (_, stored, age, decision) => {
    const wakeUp = received({ version: stored === undefined ? 1 : 2 });
    expect(decide(stored, wakeUp, start + age, timing)).toMatchObject(decision);
  },
);

test.each<[string, Partial<StoredCard>, Partial<WakeUpCard>, object]>([
  ["is posted when it is queued", {}, {}, { action: "post" }],
  ["is posted when it was inserted with this wake-up", {}, { mark: "inserted" }, { action: "post" }],
  ["is posted when a later wake-up finds it due", {}, { madeAt: start + 1 }, { action: "post" }],
  [
    "is left to its own wake-up if another submission sent this one before and could not insert it",
    {},
    { mark: "inserted", madeAt: start - 1 },
    { action: "drop" },
  ],
  [
    "is left to its own wake-up if several others could not insert it",
    {},
    { mark: "inserted", madeAt: start - 1, alsoMadeAt: [start - 2] },
    { action: "drop" },
  ],
  [
    "is posted when one of several submissions inserted it",
    {},
    { mark: "inserted", madeAt: start + 1, alsoMadeAt: [start] },
    { action: "post" },
  ],
  [
    "is left to the wake-up by which it was woken up again",
    { wokenAt: start + hour },
    { mark: "inserted" },
    { action: "drop" },
  ],
  [
    "is posted by the wake-up of a claim that was refused",
    { wokenAt: start + hour },
    { mark: "inserted", madeAt: start + hour + 1, alsoMadeAt: [start + hour] },
    { action: "post" },
  ],
  [
    "is left to the run that claimed it before another one",
    { wokenAt: start + hour },
    { mark: "inserted", madeAt: start + hour + 1, alsoMadeAt: [start] },
    { action: "reread", inMilliseconds: 2 * second },
  ],
  [
    "may have been posted by a run that died before it was woken up again",
    { wokenAt: start + hour },
    { mark: "inserted", maybePosted: true },
    { action: "noteMissedPost" },
  ],
  [
    "is posted by the wake-up by which it was woken up again",
    { wokenAt: start + hour },
    { mark: "inserted", madeAt: start + hour },
    { action: "post" },
  ],
  [
    "is read again if the change by which this wake-up counts is not stored yet",
    {},
    { mark: "inserted", madeAt: start + 1 },
    { action: "reread", inMilliseconds: 2 * second },
  ],
  [
    "is posted by whoever wakes it up after it was woken up again",
    { wokenAt: start + hour },
    { madeAt: start + hour + 1 },
    { action: "post" },
  ],
  [
    "is posted when its next attempt is due",
    { state: "retrying", nextAttemptAt: start },
    {},
    { action: "post" },
  ],
  ["is posted when an outage held it up", { state: "retrying", attempts: 1 }, {}, { action: "post" }],
  [
    "is left to its own wake-up if this one is of an earlier version",
    { version: 3 },
    { mark: "stored" },
    { action: "drop" },
  ],
  [
    "waits for its next attempt",
    { state: "retrying", nextAttemptAt: start + 7000 },
    {},
    { action: "wakeAgain", inMilliseconds: 7000, mark: undefined },
  ],
  [
    "waits 20 seconds from when it was seen stored, if it has to wait",
    { version: 2, mustWait: true },
    { version: 2 },
    { action: "wakeAgain", inMilliseconds: 20_000, mark: "stored" },
  ],
  [
    "is posted by the wake-up of those 20 seconds",
    { version: 2, mustWait: true },
    { version: 2, mark: "stored" },
    { action: "post" },
  ],
  [
    "keeps that mark while it waits for its next attempt",
    { version: 2, mustWait: true, state: "retrying", nextAttemptAt: start + 7000 },
    { version: 2, mark: "stored" },
    { action: "wakeAgain", inMilliseconds: 7000, mark: "stored" },
  ],
  ["is left alone once it is delivered", { state: "delivered" }, {}, { action: "drop" }],
  ["is left alone once it is rejected", { state: "rejected" }, {}, { action: "drop" }],
  ["is left alone once it is withdrawn", { state: "withdrawn", version: 2 }, {}, { action: "drop" }],
  ["is left alone once it is given up", { state: "undelivered" }, {}, { action: "drop" }],
  [
    "is posted once more if it had to wait and was delivered",
    { version: 2, state: "delivered", mustWait: true, since: start - 5 * minute },
    { version: 2, mark: "repost" },
    { action: "repost" },
  ],
  [
    "is left to another run that has claimed it to post it once more",
    { version: 2, state: "delivered", mustWait: true, since: start - 5 * minute, wokenAt: start + 1000 },
    { version: 2, mark: "repost" },
    { action: "drop" },
  ],
  [
    "is not posted once more if it has been",
    { version: 2, state: "delivered", reposted: 2 },
    { version: 2, mark: "repost" },
    { action: "drop" },
  ],
  [
    "is posted once more if only an earlier version has been",
    { version: 3, state: "delivered", mustWait: true, since: start - hour, reposted: 2 },
    { version: 3, mark: "repost" },
    { action: "repost" },
  ],
  [
    "is not posted once more if it was corrected since",
    { version: 3, state: "delivered" },
    { version: 2, mark: "repost" },
    { action: "drop" },
  ],
  [
    "is not posted once more if it was withdrawn since",
    { version: 2, state: "withdrawn" },
    { version: 2, mark: "repost" },
    { action: "drop" },
  ],
  [
    "is noted if it was rejected as known, and a run died with this wake-up",
    { state: "rejected", failure: conflict },
    { maybePosted: true },
    { action: "noteMissedPost" },
  ],
  [
    "is not noted if a run died with a version that the exchange has replaced",
    { version: 2, state: "delivered", atExchange: 2 },
    { maybePosted: true },
    { action: "drop" },
  ],
  [
    "is left to another run that has claimed it",
    { wokenAt: start + 1000, nextAttemptAt: start + minute },
    {},
    { action: "drop" },
  ],
  [
    "stays rejected if nobody died with this wake-up",
    { state: "rejected", failure: conflict },
    {},
    { action: "drop" },
  ],
  [
    "stays rejected if it was an earlier version with which a run died",
    { version: 2, state: "rejected", failure: conflict },
    { maybePosted: true },
    { action: "noteMissedPost" },
  ],
  [
    "stays given up, whatever failed last, and a run that died with this wake-up is noted",
    { state: "undelivered", failure: conflict },
    { maybePosted: true },
    { action: "noteMissedPost" },
  ],
  [
    "that was given up says already that the exchange may have it",
    { state: "undelivered", failure: conflict, maybeAtExchange: 1 },
    { maybePosted: true },
    { action: "drop" },
  ],
  [
    "stays rejected if it was refused for another reason",
    { state: "rejected", failure: { ...conflict, status: 422 } },
    { maybePosted: true },
    { action: "noteMissedPost" },
  ],
])("a stored card %s", (_, stored, wakeUp, decision) => {
  expect(decide(card(stored), received(wakeUp), start, timing)).toEqual(decision);
});

test.each<[string, Partial<StoredCard>, Partial<WakeUpCard>, number, object]>([
  [
    "waits for the posts that may be under way",
    {},
    {},
    20 * second,
    { action: "wakeAgain", inMilliseconds: 6 * second },
  ],
  ["is decided when no post can be under way", {}, {}, 26 * second, { action: "concludeWithdrawal" }],
  ["is left to its own wake-up", {}, { version: 1 }, minute, { action: "drop" }],
  [
    "may have been posted by a run that died",
    {},
    { version: 1, maybePosted: true },
    0,
    { action: "noteMissedPost" },
  ],
  [
    "may have been posted before it was withdrawn",
    { state: "withdrawn" },
    { version: 1, maybePosted: true },
    minute,
    { action: "noteMissedPost" },
  ],
  [
    "was corrected meanwhile, and an earlier content may have been posted",
    { version: 4, state: "queued" },
    { version: 1, maybePosted: true },
    minute,
    { action: "noteMissedPost" },
  ],
  [
    "says already that the exchange may have it",
    { state: "withdrawn", maybeAtExchange: 1 },
    { version: 1, maybePosted: true },
    minute,
    { action: "drop" },
  ],
  [
    "was corrected twice, and may be at the exchange by a later post: an earlier content may be, too",
    {
      version: 4,
      state: "queued",
      maybeAtExchange: 2,
      earlierContents: [
        { since: 1, hash: "five" },
        { since: 2, hash: "four" },
      ],
    },
    { version: 1, maybePosted: true },
    minute,
    { action: "noteMissedPost" },
  ],
  [
    "says already that the exchange may have that content, too",
    {
      version: 4,
      state: "queued",
      maybeAtExchange: 2,
      posts: [{ version: 1, from: 1, to: 1, posts: 1, answer: "unknown" }],
      earlierContents: [
        { since: 1, hash: "five" },
        { since: 2, hash: "four" },
      ],
    },
    { version: 1, maybePosted: true },
    minute,
    { action: "drop" },
  ],
  ["is not posted once it is withdrawn", { state: "withdrawn" }, {}, minute, { action: "drop" }],
  [
    "was not posted by a run that died as it decided that",
    { state: "withdrawn" },
    { maybePosted: true },
    minute,
    { action: "drop" },
  ],
])("a card that is being withdrawn %s", (_, stored, wakeUp, age, decision) => {
  const withdrawing = card({ version: 2, state: "withdrawing", ...stored });
  expect(decide(withdrawing, received({ version: 2, ...wakeUp }), start + age, timing)).toMatchObject(
    decision,
  );
});

test("a card is posted by the run that has claimed it, though it waits for all others", () => {
  const claimed = card({ wokenAt: start, nextAttemptAt: start + minute });
  const claim = { at: start, backAt: start + minute };
  expect(decide(claimed, received({ claim }), start, timing)).toEqual({ action: "post" });
  expect(decide(claimed, received(), start, timing)).toMatchObject({ action: "wakeAgain" });
});

test("whatever is stored and received, a card that has to wait is posted only by a wake-up that has seen its version stored", () => {
  const stored = fc.record({
    version: fc.integer({ min: 1, max: 3 }),
    state: fc.constantFrom(...cardStates),
    mustWait: fc.boolean(),
    nextAttemptAt: fc.option(fc.integer({ min: start - minute, max: start + minute }), { nil: undefined }),
  });
  const wakeUp = fc.record({
    version: fc.integer({ min: 1, max: 3 }),
    mark: fc.constantFrom(undefined, "inserted" as const, "stored" as const, "repost" as const),
    maybePosted: fc.boolean(),
  });
  fc.assert(
    fc.property(stored, wakeUp, (given, drawn) => {
      const { action } = decide(card(given), received(drawn), start, timing);
      if (action === "post") {
        expect(isOpen(given.state)).toBe(true);
        expect(given.nextAttemptAt ?? 0).toBeLessThanOrEqual(start);
        expect(given.mustWait && !(drawn.mark === "stored" && drawn.version === given.version)).toBe(false);
      }
      if (drawn.version > given.version) expect(action).toBe("reread");
      if (drawn.version < given.version) expect(action).toBe(drawn.maybePosted ? "noteMissedPost" : "drop");
      // Who is not done with a version is always woken up again.
      if (drawn.version === given.version && isOpen(given.state)) expect(action).not.toBe("drop");
    }),
  );
});
