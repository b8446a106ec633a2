import fc from "fast-check";
import { expect, test } from "vitest";
import { isUnfinished } from "../../../core/cards/delivery/posts.ts";
import { isSuspected, type StoredCard } from "../../../core/cards/life/card.ts";
import { type CardHappening, happenings } from "../../../core/cards/life/happened.ts";
import { isFinal, isWithdrawal } from "../../../core/cards/life/states.ts";
import {
  added,
  type Counts,
  deliveryPercentile,
  deliveryTimeOf,
  suspectedIn,
  unfinishedIn,
  warningCount,
} from "../../../core/views/activity-counts.ts";
import { hourSteps, mergedHours } from "../../../core/views/hours.ts";
import { hour } from "../../durations.ts";
import { happeningsOf, lifeOf, randomSteps } from "../cards/life/random-life.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";

const hourOf = (instant: number) => instant - (instant % hour);
const sumOf = (updates: readonly CardHappening[]): Counts =>
  hourSteps(updates, hourOf)
    .flatMap(({ steps }) => steps)
    .reduce<Counts>((sum, { counts }) => added(sum, counts), {});
const nonZero = (counts: Counts) =>
  Object.fromEntries(
    Object.entries(counts).filter(([name, count]) => count !== 0 && !name.startsWith("within")),
  );

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
    // What was counted stays counted if a person is erased.
    const found = versions[index] ?? [];
    const codes = [
      ...(card.playerUnknown ? ["player_unknown"] : []),
      ...(found.findLast(({ laterWarnings }) => laterWarnings)?.laterWarnings ?? []).map(({ code }) => code),
      ...(found.some((one) => one.record?.isTwice) ? ["recorded_twice"] : []),
    ];
    for (const code of codes) count(warningCount(code));
    if (codes.length > 0) count("warned");
    if (card.playerUnknown) count("playersUnknown");
    const { record } = found.findLast(({ record }) => record) ?? {};
    if (record !== undefined) count(record.isRecorded ? "recorded" : "notRecorded");
    if (before === undefined || isWithdrawal(versions[index]?.[0]?.state ?? "queued")) continue;
    // A withdrawal that came too late leaves the card as it was.
    if (before.state === "withdrawing" && card.contentHash === before.contentHash) continue;
    count(card.contentHash === before.contentHash ? "resent" : "corrected");
  }
  return counts;
}

test("the sum of a card's changes is what its versions came to, whatever happened to it", () => {
  fc.assert(
    fc.property(randomSteps, (happened) => {
      const history = lifeOf("1", happened);
      // A version that was withdrawn and then corrected or sent again is a new one.
      expect(nonZero(sumOf(happeningsOf(history)))).toEqual(nonZero(endsOf(history)));
    }),
  );
});

test("a card waits in the hour in which it was accepted until it has an outcome, whenever that is", () => {
  const [, delivered] = lifeOf("1", [["delivered", 3 * hour]]);
  const before = storedCard("1");
  const waiting = hourSteps(happenings([{ card: before, before: undefined, sequenceNumber: "1" }]), hourOf);
  expect(waiting).toEqual([
    {
      apiSet: "green",
      hour: start,
      steps: [{ sequenceNumber: "1", counts: { accepted: 1, waiting: 1, unfinished0: 1 } }],
    },
  ]);
  const ended = hourSteps(happenings([{ card: delivered ?? before, before, sequenceNumber: "2" }]), hourOf);
  expect(ended.map(({ hour: counted, steps: [step] }) => [counted - start, step?.counts])).toEqual([
    [3 * hour, { delivered: 1, onDayOfPlay: 1, [deliveryTimeOf(3 * hour)]: 1 }],
    [0, { waiting: -1, unfinished0: -1 }],
  ]);
});

test("a refusal that a late answer turned into a delivery is taken back in the hour that counted it", () => {
  const history = lifeOf("1", [
    ["rejected", 1],
    ["answeredLate", 2 * hour],
  ]);
  const [update] = happeningsOf(history).slice(-1);
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

test("steps of one hour from several batches become one, in order", () => {
  const step = (sequenceNumber: string) => ({ sequenceNumber, counts: { accepted: 1 } });
  const of = (at: number, ...numbers: string[]) => ({ apiSet: green, hour: at, steps: numbers.map(step) });
  expect(mergedHours([of(hour, "1"), of(0, "2"), of(hour, "3", "4")])).toEqual([
    of(hour, "1", "3", "4"),
    of(0, "2"),
  ]);
});
