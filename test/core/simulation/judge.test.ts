import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import type { CardHistory, CardPost, CardRequest } from "./history.ts";
import { judge } from "./judge.ts";

const text = (content: string) => JSON.stringify({ ID: "1", Comment: content });
const stored = (changes: Partial<StoredCard> = {}, content = "content 1"): StoredCard => ({
  apiSet: "acme" as ApiSet,
  externalId: "417",
  version: 1,
  state: "queued",
  since: 0,
  acceptedAt: 0,
  requestId: "",
  contentHash: content,
  content: contentOf({ ID: "1", Comment: content }),
  mustWait: false,
  attempts: 0,
  atExchange: 0,
  maybeAtExchange: 0,
  earlier: [],
  ...changes,
});
const write = (at: number, changes: Partial<StoredCard> = {}, content?: string, by = "run 1") => {
  return { at, by, card: stored(changes, content) };
};
const post = (at: number, card: StoredCard, changes: Partial<CardPost> = {}): CardPost => ({
  by: "run 1",
  at,
  until: at + 1000,
  read: { at: at - 10, card },
  content: card.content.text(),
  isSentLate: false,
  ...changes,
});
const submitted = (from: number, content: string, changes: Partial<CardRequest> = {}): CardRequest => {
  return { kind: "submit", content, from, until: from + 100, status: 201, answer: text(content), ...changes };
};

/** A card that was sent at 0 and delivered at 2 seconds, with changes. */
function delivered(changes: Partial<CardHistory> = {}): CardHistory {
  const first = post(1000, stored());
  return {
    externalId: "417",
    writes: [write(50), write(2000, { state: "delivered", atExchange: 1 })],
    lastReads: new Map(),
    posts: [first],
    taken: [{ at: 1500, post: first }],
    requests: [submitted(0, "content 1")],
    sightings: [],
    told: [{ at: 2000, version: 1, state: "delivered", maybeDelivered: false }],
    published: [{ at: 2000, version: 1, state: "delivered" }],
    trace: [],
    ...changes,
  };
}
const violations = (changes: Partial<CardHistory>, exchangeHolds = text("content 1")) =>
  judge(delivered(changes), exchangeHolds, { isCalm: false });

test("a card that was sent and delivered violates nothing", () => {
  expect(violations({})).toEqual([]);
  expect(judge(delivered(), text("content 1"), { isCalm: true, outageEndedAt: 0 })).toEqual([]);
});

test("a delivered card that the exchange has in another content is a violation", () => {
  expect(violations({}, text("content 0"))).toEqual([
    "it is delivered as content 1, and the exchange has content 0",
  ]);
});

test("an accepted card that nothing is stored of, or that waits for ever, is a violation", () => {
  expect(violations({ writes: [] })).toEqual(["it was accepted, and nothing is stored"]);
  expect(violations({ writes: [write(50)] })).toEqual(["it is queued, not delivered"]);
});

test("a content that is stored though another was accepted after it is a violation", () => {
  const requests = [submitted(0, "content 1"), submitted(5000, "content 2")];
  expect(violations({ requests })).toEqual(["content 1 is stored, and was not the last request"]);
  const atOnce = [submitted(0, "content 1"), submitted(50, "content 2")];
  expect(violations({ requests: atOnce })).toEqual([]);
});

test("an older content that is posted or taken after a newer one is a violation", () => {
  const newer = post(3000, stored({ version: 2 }, "content 2"), { by: "run 2" });
  const older = post(5000, stored());
  const changes = {
    posts: [newer, older],
    taken: [
      { at: 3500, post: newer },
      { at: 5500, post: older },
    ],
  };
  expect(violations(changes)).toEqual([
    "version 1 was posted after version 2",
    "the exchange took version 1 after a later one",
  ]);
});

test("a correction that is posted during a post of what it corrects is a violation", () => {
  const posts = [post(1000, stored()), post(1500, stored({ version: 2 }, "content 2"))];
  expect(violations({ posts })).toEqual(["version 2 was posted during a post of version 1"]);
});

test("a post by a run that read an outcome is a violation, but not the second one of a correction that waited", () => {
  const again = (changes: Partial<StoredCard>) =>
    violations({ posts: [post(9000, stored({ state: "delivered", ...changes }))] });
  expect(again({})).toEqual(["it was posted by a run that read delivered"]);
  expect(again({ mustWait: true })).toEqual([]);
  expect(again({ mustWait: true, reposted: 1 })).toEqual(["it was posted by a run that read delivered"]);
});

test("a post that relies on an old read, or comes before the next attempt, is a violation", () => {
  const late = post(9000, stored(), { read: { at: 3000, card: stored() } });
  expect(violations({ posts: [late] })).toEqual(["it was posted 6000 ms after it was read"]);
  const early = post(9000, stored({ nextAttemptAt: 60_000 }));
  expect(violations({ posts: [early] })).toEqual(["it was posted before its next attempt"]);
});

test("204 is a violation if the exchange has the card and its run recorded that in time", () => {
  const first = post(1000, stored());
  const withdrawal: CardRequest = {
    kind: "withdraw",
    from: 3000,
    until: 20_000,
    status: 204,
    lastReadAt: 19_900,
  };
  const changes = (recordedAt: number) => ({
    requests: [submitted(0, "content 1"), withdrawal],
    taken: [{ at: 1500, post: first }],
    told: [{ at: recordedAt, version: 2, state: "withdrawn", maybeDelivered: true } as const],
    published: [],
    writes: [
      write(50),
      write(3100, { version: 2, state: "withdrawn" }, undefined, "withdraw 1"),
      write(recordedAt, { version: 2, state: "withdrawn", atExchange: 1 }),
    ],
  });
  expect(violations(changes(4000))).toEqual(["204 was said, and the exchange has it"]);
  expect(violations(changes(50_000))).toEqual([]);
});

test("a state that contradicts an earlier one is a violation, unless something was asked for between", () => {
  const sightings = [
    { state: "delivered", from: 3000, until: 3010 },
    { state: "queued", from: 9000, until: 9010 },
  ] as const;
  expect(violations({ sightings: [...sightings] })).toEqual(["it was delivered, then queued"]);
  const requests = [submitted(0, "content 1"), submitted(5000, "content 1")];
  expect(violations({ sightings: [...sightings], requests })).toEqual([]);
});

test("another answer to the same content is a violation", () => {
  const requests = [submitted(0, "content 1"), submitted(5000, "content 1", { answer: text("content 9") })];
  expect(violations({ requests })).toEqual(["content 1 was answered differently when it was sent again"]);
});

test("a fourth write is a violation in an outage, and so is a long wait after it", () => {
  const writes = [write(50), write(60), write(70), write(600_000, { state: "delivered" })];
  const found = judge(delivered({ writes }), text("content 1"), { isCalm: false, outageEndedAt: 1000 });
  expect(found).toEqual(["4 writes", "it waited 599000 ms after the outage"]);
});

test("a second post is a violation if nothing failed", () => {
  const posts = [post(1000, stored()), post(1010, stored())];
  const found = judge(delivered({ posts }), text("content 1"), { isCalm: true });
  expect(found).toEqual(["version 1 was posted 2 times, not 1"]);
});

test("a correction that a withdrawal finds delivered is posted once more, by its new version", () => {
  const corrected = stored({ version: 2, mustWait: true }, "content 1");
  const concluded = stored({ version: 3, state: "delivered", mustWait: true, atExchange: 2 });
  const writes = [
    write(50, { version: 2, mustWait: true }),
    write(3000, { version: 3, state: "withdrawing" }),
  ];
  writes.push({ at: 19_000, by: "withdraw 1", card: concluded });
  const calm = (posts: CardPost[]) =>
    judge(
      delivered({
        posts,
        writes: [...writes, write(400_000, { ...concluded, reposted: 3 })],
        told: [{ at: 19_000, version: 3, state: "delivered", maybeDelivered: false }],
        published: [{ at: 19_000, version: 3, state: "delivered" }],
      }),
      text("content 1"),
      { isCalm: true },
    );
  const [first, second] = [post(1000, corrected), post(399_000, concluded)];
  expect(calm([first, second])).toEqual([]);
  expect(calm([first])).toEqual(["version 2 was posted 1 times, not 2"]);
});

test("a withdrawn card that the exchange has is a violation, unless that is stored and told", () => {
  const withdrawal: CardRequest = { kind: "withdraw", from: 3000, until: 20_000, status: 204 };
  const end = (atExchange: number, maybeDelivered: boolean) =>
    violations({
      requests: [submitted(0, "content 1"), withdrawal],
      writes: [write(50), write(19_000, { version: 2, state: "withdrawn", atExchange })],
      told: [{ at: 19_000, version: 2, state: "withdrawn", maybeDelivered }],
      published: [],
    });
  expect(end(0, false)).toEqual(["it is withdrawn, the exchange has it, and the item does not say so"]);
  expect(end(1, false)).toEqual([
    "the exchange may have it though it is withdrawn, and its vendor was not told",
  ]);
  expect(end(1, true)).toEqual([]);
});

test("an outcome that the vendor is not told is a violation, and so is one that contradicts another", () => {
  expect(violations({ told: [], published: [] })).toEqual([
    "version 1 is delivered, and version undefined was told as undefined",
  ]);
  const twice = (["withdrawn", "delivered"] as const).map((state, n) => {
    return { at: 9000 + n, version: 1, state, maybeDelivered: false };
  });
  expect(violations({ told: twice })).toEqual(["it was withdrawn, then delivered"]);
});

test("an event bus that was told other outcomes than the webhooks is a violation", () => {
  expect(violations({ published: [] })).toEqual([
    "webhooks told version 1 as delivered, and the event bus nothing",
  ]);
  expect(violations({ published: [{ at: 2000, version: 1, state: "rejected" }] })).toEqual([
    "webhooks told version 1 as delivered, and the event bus version 1 as rejected",
  ]);
});

test("a withdrawal that was told and then refused is a violation", () => {
  const refused: CardRequest = { kind: "withdraw", from: 3000, until: 20_000, status: 409 };
  const told = (["withdrawn", "delivered"] as const).map((state, n) => {
    return { at: 4000 + n * 15_000, version: 1, state, maybeDelivered: false };
  });
  expect(violations({ requests: [submitted(0, "content 1"), refused], told })).toEqual([
    "it was told as withdrawn, and the withdrawal was refused",
  ]);
});

test("a withdrawal may be refused after it was told only if the post was over when the card was withdrawn", () => {
  const first = post(1000, stored());
  const refused: CardRequest = { kind: "withdraw", from: 3000, until: 20_000, status: 409 };
  const withdrawnAt = (at: number) => {
    const told = [at, 19_000].map((toldAt, n) => {
      return { at: toldAt, version: 2, state: "withdrawn" as const, maybeDelivered: n === 1 };
    });
    return violations({
      requests: [submitted(0, "content 1"), refused],
      taken: [{ at: 1500, post: first }],
      told,
      published: [],
      writes: [
        write(50),
        write(at, { version: 2, state: "withdrawn" }, undefined, "withdraw 1"),
        write(19_000, { version: 2, state: "withdrawn", atExchange: 1 }),
      ],
    });
  };
  expect(withdrawnAt(first.until + 2000)).toEqual([]);
  expect(withdrawnAt(first.until - 1)).toEqual([
    "it is withdrawn, and that was not the last request",
    "it was told as withdrawn, and the withdrawal was refused",
  ]);
});

test("a second post that is never answered is a violation, and so is an outcome long after a purge", () => {
  const writes = [write(50), write(6_000_000, { state: "delivered", mustWait: true, atExchange: 1 })];
  const found = judge(delivered({ writes }), text("content 1"), { isCalm: false, purgedAt: 1000 });
  expect(found).toEqual(["its second post was not answered", "it waited 5999000 ms after the purge"]);
});
