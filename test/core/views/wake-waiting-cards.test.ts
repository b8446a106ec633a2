import { expect, test } from "vitest";
import type { Breaker } from "../../../core/cards/delivery/breaker.ts";
import type { WakeUp } from "../../../core/cards/delivery/queue.ts";
import { postTiming } from "../../../core/cards/delivery/timing.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { type CardUpdate, happenings } from "../../../core/cards/life/happened.ts";
import { dayOf, hourOf } from "../../../core/formats/union-time.ts";
import { added } from "../../../core/views/activity-counts.ts";
import { hourSteps } from "../../../core/views/hours.ts";
import { listedCards } from "../../../core/views/listed-cards.ts";
import { type QueuedMessages, wakeWaitingCards } from "../../../core/views/wake-waiting-cards.ts";
import { day, hour, minute } from "../../durations.ts";
import { isFollowed } from "../cards/life/is-followed.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";

/** A vendor whose cards changed as given, each from one version to the next, and what the stream's follower made of it. */
function vendorWith(
  changes: readonly StoredCard[],
  {
    timeZone = "UTC",
    breaker = { version: 0 } as Breaker,
    queued: waiting = { messages: 0, oldestAge: 0 } as QueuedMessages,
  } = {},
) {
  const scorecards = scorecardsInMemory();
  const changed = changes.flatMap((card, index): CardUpdate[] => {
    const before = changes.slice(0, index).findLast(({ externalId }) => externalId === card.externalId);
    scorecards.put(card);
    return isFollowed(before, card) ? [{ card, before, sequenceNumber: String(index) }] : [];
  });
  const updates = happenings(changed);
  const hours = hourSteps(updates, (instant) => hourOf(instant, timeZone)).map(({ hour, steps }) => ({
    hour,
    counts: steps.map(({ counts }) => counts).reduce(added, {}),
  }));
  const lists = listedCards(updates, timeZone);
  const sent: WakeUp[] = [];
  /** Cards whose wake-ups SQS refuses. */
  const unsendable = new Set<string>();
  const listReads: string[] = [];
  const dependencies = {
    activity: {
      hours: async (_: unknown, from: number, before: number) =>
        hours.filter(({ hour: at }) => at >= from && at < before),
      versionsOf: async function* (_: unknown, wanted: string) {
        listReads.push(wanted);
        for (const { day, externalIds } of lists) if (day === wanted) yield externalIds;
      },
    },
    table: {
      ...scorecards.table,
      tryRead: async (...asked: Parameters<typeof scorecards.table.tryRead>) => {
        const read = await scorecards.table.tryRead(...asked);
        return { ...read, breaker };
      },
    },
    async send(wakeUps: readonly WakeUp[]) {
      sent.push(...wakeUps.filter(({ externalId }) => !unsendable.has(externalId)));
      return wakeUps.filter(({ externalId }) => unsendable.has(externalId));
    },
    queue: async () => waiting,
    timing: postTiming(10),
    timeZone,
  };
  return {
    /** @returns the names of the cards that are woken up */
    async wake(now: number, deliveringSince = 0): Promise<string[]> {
      sent.length = 0;
      const { woken } = await wakeWaitingCards(green, { now, deliveringSince }, dependencies);
      expect(woken).toBe(sent.length);
      return sent.map(({ externalId }) => externalId);
    },
    sent,
    unsendable,
    refused: scorecards.refused,
    found: (now: number) => wakeWaitingCards(green, { now, deliveringSince: 0 }, dependencies),
    requests: scorecards.requests,
    listReads,
    hours,
    lists,
  };
}

const queued = (name: string, acceptedAt: number, more: Partial<StoredCard> = {}) =>
  storedCard(name, { acceptedAt, since: acceptedAt, ...more });
const delivered = (card: StoredCard, at: number): StoredCard => ({ ...card, state: "delivered", since: at });

test("the wake-up of a forgotten card names the version that is stored, and says that it may have been posted", async () => {
  const { wake, sent } = vendorWith([queued("lost", start), queued("lost", start + minute, { version: 2 })]);
  const now = start + hour;
  await wake(now);
  const expected = {
    apiSet: green,
    externalId: "lost",
    version: 2,
    madeAt: now,
    maybePosted: true,
    mark: "inserted",
    delaySeconds: 16,
  };
  expect(sent).toEqual([expected]);
});

test("a card that was woken up is left alone until that wake-up is overdue, too", async () => {
  const { wake } = vendorWith([queued("lost", start)]);
  const now = start + hour;
  expect(await wake(now)).toEqual(["lost"]);
  expect(await wake(now + 39 * minute)).toEqual([]);
  expect(await wake(now + 40 * minute)).toEqual(["lost"]);
});

test("a card that can neither be read nor woken holds up no other, and the next run finds it", async () => {
  const { found, refused, unsendable, sent } = vendorWith(
    ["good", "bad", "mute"].map((name) => queued(name, start)),
  );
  refused.reads.add("bad");
  unsendable.add("mute");
  const now = start + hour;
  expect(await found(now)).toEqual({ woken: 1, held: 0, failed: 2, cause: "queueEmpty" });
  refused.reads.clear();
  unsendable.clear();
  expect(await found(now + 5 * minute)).toMatchObject({ woken: 2, failed: 0 });
  expect(sent.map(({ externalId }) => externalId).sort()).toEqual(["bad", "good", "mute"]);
});

const names = (count: number) => Array.from({ length: count }, (_, n) => queued(`card-${n}`, start));
test.each<[string, number, QueuedMessages, string | undefined]>([
  ["nobody takes its messages", 300, { messages: 6, oldestAge: 12 * hour }, undefined],
  ["one message a minute is taken", 300, { messages: 60, oldestAge: 21 * minute }, undefined],
  ["it holds messages whose age is not known", 300, { messages: 6, oldestAge: undefined }, undefined],
  ["it has been purged", 300, { messages: 0, oldestAge: 0 }, "queueEmpty"],
  [
    "it has been purged, and other cards are sent",
    300,
    { messages: 60, oldestAge: 900_000 },
    "messagesYounger",
  ],
  ["it has one message that crashes its runs", 600, { messages: 1, oldestAge: 12 * hour }, "queueEmpty"],
])(
  "if cards wait and of their queue %s, of %i all or none are woken up (%o), because of %s",
  async (_, cards, waiting, cause) => {
    const found = await vendorWith(names(cards), { queued: waiting }).found(start + 12 * hour);
    const some = cause === undefined ? { woken: 0, held: cards } : { woken: cards, held: 0, cause };
    expect(found).toEqual({ failed: 0, ...some });
  },
);

test("while no card waits for long, only the counts are read", async () => {
  const now = start + 10 * hour;
  const old = queued("old", start);
  const { wake, requests } = vendorWith([
    old,
    delivered(old, start + minute),
    queued("new", now - 10 * minute),
    queued("newer", now - 1),
  ]);
  expect(await wake(now)).toEqual([]);
  expect(requests.reads).toBe(0);
});

test("nobody is woken while the circuit breaker is probed, or shortly after it closed", async () => {
  const changes = [queued("waiting", start)];
  const now = start + 3 * hour;
  const failure = { phase: "before", message: "no connection" } as const;
  const open = (nextProbeAt: number) => ({ version: 3, open: { since: start, failure, nextProbeAt } });
  const breakers: readonly (readonly [Breaker, readonly string[]])[] = [
    [open(now + 4 * minute), []],
    [open(now - 14 * minute), []],
    [open(now - 15 * minute), ["waiting"]],
    [{ version: 4, closedAt: now - 14 * minute }, []],
    [{ version: 4, closedAt: now - 15 * minute }, ["waiting"]],
    // After a long wait it is known when all must have come back.
    [{ version: 5, open: { since: start, failure, nextProbeAt: now - minute, allBackAt: now + 1 } }, []],
    [{ version: 5, open: { since: start, failure, nextProbeAt: now - minute, allBackAt: now } }, ["waiting"]],
    [{ version: 6, closedAt: now - minute, allBackAt: now + 1 }, []],
    [{ version: 6, closedAt: now - minute, allBackAt: now }, ["waiting"]],
  ];
  for (const [breaker, woken] of breakers)
    expect(await vendorWith(changes, { breaker }).wake(now)).toEqual(woken);
});

test("nobody is woken shortly after a hold of delivery has ended", async () => {
  const { wake } = vendorWith([queued("held", start)]);
  const now = start + 3 * hour;
  expect(await wake(now, now - 14 * minute)).toEqual([]);
  expect(await wake(now, now - 15 * minute)).toEqual(["held"]);
});

test("a card whose message expired during a hold of six weeks is woken once that has ended", async () => {
  const { wake } = vendorWith([queued("held", start)]);
  const now = start + 42 * 24 * hour;
  expect(await wake(now, now - hour)).toEqual(["held"]);
});

test("a card that failed by itself is woken only if its next attempt is long overdue", async () => {
  const now = start + 3 * hour;
  const retrying = (name: string, nextAttemptAt: number) =>
    queued(name, start, { state: "retrying", nextAttemptAt, since: nextAttemptAt - minute });
  const { wake } = vendorWith([
    ...["soon", "due", "overdue"].map((name) => queued(name, start)),
    retrying("soon", now + 5 * minute),
    retrying("due", now - 39 * minute),
    retrying("overdue", now - 40 * minute),
  ]);
  expect(await wake(now)).toEqual(["overdue"]);
});

test("while only suspected cards wait, they alone are read, and only those are woken that are not tried any more", async () => {
  const good = Array.from({ length: 50 }, (_, index) => queued(`good-${index}`, start + index));
  const suspected = (nextAttemptAt: number) =>
    queued("bad", start, { state: "retrying", suspicion: 0, nextAttemptAt });
  const waking = (nextAttemptAt: number, ...others: readonly StoredCard[]) =>
    vendorWith([
      ...[...good, queued("bad", start)],
      ...good.map((card) => delivered(card, start + minute)),
      ...[suspected(nextAttemptAt), ...others],
    ]);
  const now = start + 8 * hour;
  const tried = waking(now - 39 * minute);
  expect([await tried.wake(now), tried.listReads]).toEqual([[], []]);
  const forgotten = waking(now - 40 * minute);
  expect([await forgotten.wake(now), forgotten.listReads]).toEqual([["bad"], []]);
  // Another card of the same minute was lost.
  expect(await waking(now, queued("lost", start)).wake(now)).toEqual(["lost"]);
  // It was found to be good.
  const after = waking(start, delivered(suspected(start), start + hour));
  expect([await after.wake(now), after.requests.reads]).toEqual([[], 0]);
});

test("a correction is found days after the card was accepted", async () => {
  const old = queued("old", start);
  const { wake, lists } = vendorWith([
    old,
    delivered(old, start + minute),
    queued("old", start + 3 * day, { version: 2 }),
    queued("old", start + 3 * day + minute, { version: 3 }),
  ]);
  expect(lists.map(({ list, day, externalIds }) => [list, day, externalIds])).toEqual([
    ["cards", dayOf(start, "UTC"), ["old"]],
    ["versions", dayOf(start + 3 * day, "UTC"), ["old"]],
  ]);
  expect(await wake(start + 3 * day + hour)).toEqual(["old"]);
});

test("a delivered correction whose second post was lost is posted once more", async () => {
  const correction = queued("corrected", start, { version: 2, mustWait: true });
  const at = start + 10 * minute;
  const { wake, sent } = vendorWith([correction, delivered(correction, at)]);
  expect(await wake(at + 44 * minute)).toEqual([]);
  expect(await wake(at + 45 * minute)).toEqual(["corrected"]);
  expect(sent).toMatchObject([{ version: 2, mark: "repost" }]);

  const answered = { ...delivered(correction, at), reposted: 2 };
  expect(await vendorWith([correction, delivered(correction, at), answered]).wake(at + hour)).toEqual([]);
});

test("cards of several days are found, in a time zone whose hours begin at half past", async () => {
  const times = [start, start + 20 * minute, start + 40 * minute, start + day, start + day + 55 * minute];
  const changes = times.map((at, index) => queued(String(index), at));
  const { wake } = vendorWith(changes, { timeZone: "Asia/Kolkata" });
  expect((await wake(start + 2 * day)).sort()).toEqual(["0", "1", "2", "3", "4"]);
});

test("the counts of unfinished cards are zero once all cards are finished", async () => {
  const cards = Array.from({ length: 20 }, (_, index) => queued(String(index), start + index * 7 * minute));
  const { hours } = vendorWith([...cards, ...cards.map((card) => delivered(card, card.since + 2 * hour))]);
  const unfinished = hours.flatMap(({ counts }) =>
    Object.entries(counts).filter(([name, count]) => name.startsWith("unfinished") && count !== 0),
  );
  expect(unfinished).toEqual([]);
});
