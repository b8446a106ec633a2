import fc from "fast-check";
import { expect, test } from "vitest";
import type { CardState, StoredCard } from "../../../core/cards/card.ts";
import { isFinal, isOpen, isWithdrawal } from "../../../core/cards/card.ts";
import {
  added,
  type CardUpdate,
  type Counts,
  deliveryPercentile,
  deliveryTimeOf,
  hourSteps,
  isSuspected,
  isUnfinished,
  suspectedIn,
  unfinishedIn,
} from "../../../core/views/activity-counts.ts";
import { start, storedCard } from "../memory/stored-card.ts";

const hour = 3_600_000;
const hourOf = (instant: number) => instant - (instant % hour);
const sumOf = (updates: readonly CardUpdate[]): Counts =>
  hourSteps(updates, hourOf)
    .flatMap(({ steps }) => steps)
    .reduce<Counts>((sum, { counts }) => added(sum, counts), {});
const nonZero = (counts: Counts) =>
  Object.fromEntries(
    Object.entries(counts).filter(([name, count]) => count !== 0 && !name.startsWith("within")),
  );

/** What may happen to a card, and when, in milliseconds after what happened before. */
type Step = readonly [happens: string, after: number];

/** The changes of a card to which these steps happen, each if it is possible. */
function historyOf(externalId: string, steps: readonly Step[]): StoredCard[] {
  let card = storedCard(externalId);
  const versions = [card];
  let at = start;
  const become = (change: Partial<StoredCard>) => {
    card = { ...card, since: at, ...change };
    versions.push(card);
  };
  for (const [happens, after] of steps) {
    at += after;
    const open = isOpen(card.state);
    const isWithdrawing = card.state === "withdrawing";
    const next = {
      version: card.version + 1,
      state: "queued",
      acceptedAt: at,
      suspicion: undefined,
      arrival: undefined,
      playerUnknown: undefined,
      record: undefined,
    } as const;
    const arrival = after % 2 === 0 ? "onDayOfPlay" : "late";
    if (["rejected", "undelivered"].includes(happens) && open) become({ state: happens as CardState });
    if (happens === "delivered" && open) become({ state: "delivered", arrival });
    if (happens === "retrying" && open) become({ state: "retrying" });
    if (happens === "suspected" && open) become({ state: "retrying", suspicion: 0 });
    if (happens === "late" && card.state === "rejected") become({ state: "delivered", arrival });
    if (happens === "unknown" && card.state === "delivered")
      become({ since: card.since, playerUnknown: true });
    if (happens === "recorded" && card.state === "delivered" && card.record === undefined)
      become({ since: card.since, record: { at, isRecorded: after % 2 === 0 } });
    if (happens === "withdrawing" && (open || card.state === "undelivered")) {
      become({ version: card.version + 1, state: "withdrawing" });
    }
    if (happens === "withdrawn" && isWithdrawing) become({ state: "withdrawn" });
    if (happens === "tooLate" && isWithdrawing)
      become(after % 2 === 0 ? { state: "delivered", arrival } : next);
    if (happens === "corrected") become({ ...next, contentHash: `${card.contentHash}+` });
    if (happens === "resent" && ["undelivered", "rejected", "withdrawn"].includes(card.state)) become(next);
  }
  return versions;
}

const happenings = [
  "delivered",
  "rejected",
  "undelivered",
  "retrying",
  "suspected",
  "late",
  "unknown",
  "recorded",
  "withdrawing",
  "withdrawn",
  "tooLate",
  "corrected",
  "resent",
];
const steps = fc.array(fc.tuple(fc.constantFrom(...happenings), fc.integer({ min: 1, max: 2 * hour })), {
  maxLength: 12,
});

/** Counts a card by looking at how each of its versions ended. */
function endsOf(history: readonly StoredCard[]): Counts {
  const versions = [...Map.groupBy(history, ({ version }) => version).values()];
  const last = versions.map((changes) => changes.at(-1));
  const counts: Record<string, number> = {
    accepted: 1,
    waiting: isFinal(history.at(-1)?.state ?? "queued") ? 0 : 1,
  };
  const latest = history.at(-1);
  if (latest !== undefined && isUnfinished(latest)) {
    counts[unfinishedIn(latest.acceptedAt)] = 1;
    if (isSuspected(latest)) counts[suspectedIn(latest.acceptedAt)] = 1;
  }
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const [index, card] of last.entries()) {
    const before = last[index - 1];
    if (card === undefined) continue;
    if (isFinal(card.state)) count(card.state);
    if (card.state === "delivered" && card.arrival !== undefined) count(card.arrival);
    if (card.playerUnknown) count("playersUnknown");
    if (card.record !== undefined) count(card.record.isRecorded ? "recorded" : "notRecorded");
    if (before === undefined || isWithdrawal(versions[index]?.[0]?.state ?? "queued")) continue;
    // A withdrawal that came too late leaves the card as it was.
    if (before.state === "withdrawing" && card.contentHash === before.contentHash) continue;
    count(card.contentHash === before.contentHash ? "resent" : "corrected");
  }
  return counts;
}

const updatesOf = (history: readonly StoredCard[]): CardUpdate[] =>
  history.map((card, index) => ({ card, before: history[index - 1], sequenceNumber: String(index) }));

test("the sum of a card's changes is what its versions came to, whatever happened to it", () => {
  fc.assert(
    fc.property(steps, (happened) => {
      const history = historyOf("1", happened);
      // A version that was withdrawn and then corrected or sent again is a new one.
      expect(nonZero(sumOf(updatesOf(history)))).toEqual(nonZero(endsOf(history)));
    }),
  );
});

test("a card waits in the hour in which it was accepted until it has an outcome, whenever that is", () => {
  const [, delivered] = historyOf("1", [["delivered", 3 * hour]]);
  const before = storedCard("1");
  const waiting = hourSteps([{ card: before, before: undefined, sequenceNumber: "1" }], hourOf);
  expect(waiting).toEqual([
    {
      apiSet: "green",
      hour: start,
      steps: [{ sequenceNumber: "1", counts: { accepted: 1, waiting: 1, unfinished0: 1 } }],
    },
  ]);
  const ended = hourSteps([{ card: delivered ?? before, before, sequenceNumber: "2" }], hourOf);
  expect(ended.map(({ hour: counted, steps: [step] }) => [counted - start, step?.counts])).toEqual([
    [3 * hour, { delivered: 1, onDayOfPlay: 1, [deliveryTimeOf(3 * hour)]: 1 }],
    [0, { waiting: -1, unfinished0: -1 }],
  ]);
});

test("that a card is in the player's record is counted in the hour in which it was found", () => {
  const delivered = storedCard("1", { state: "delivered" });
  const recorded = { ...delivered, record: { at: start + 5 * hour, isRecorded: true } };
  expect(hourSteps([{ card: recorded, before: delivered, sequenceNumber: "2" }], hourOf)).toMatchObject([
    { hour: start + 5 * hour, steps: [{ counts: { recorded: 1 } }] },
  ]);
});

test("a refusal that a late answer turned into a delivery is taken back in the hour that counted it", () => {
  const history = historyOf("1", [
    ["rejected", 1],
    ["late", 2 * hour],
  ]);
  const [update] = updatesOf(history).slice(-1);
  const counted = hourSteps(update === undefined ? [] : [update], hourOf);
  expect(counted.map(({ hour: at, steps: [step] }) => [at - start, nonZero(step?.counts ?? {})])).toEqual([
    [2 * hour, { delivered: 1, onDayOfPlay: 1 }],
    [0, { rejected: -1 }],
  ]);
});

test("delivery times are told within a quarter", () => {
  const times = fc.array(fc.integer({ min: 100, max: 86_400_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(times, (milliseconds) => {
      const counts = milliseconds.reduce<Counts>(
        (sum, time) => added(sum, { [deliveryTimeOf(time)]: 1 }),
        {},
      );
      const sorted = milliseconds.toSorted((one, other) => one - other);
      for (const share of [0.5, 0.95]) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        const told = deliveryPercentile(counts, share) ?? 0;
        expect(told).toBeGreaterThanOrEqual(exact);
        expect(told).toBeLessThanOrEqual(1.26 * exact);
      }
    }),
  );
  expect(deliveryPercentile({ delivered: 1 }, 0.5)).toBeUndefined();
});
