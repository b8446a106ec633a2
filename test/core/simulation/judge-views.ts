import type { ApiSet } from "../../../core/accounts/account.ts";
import { isUnfinished } from "../../../core/cards/delivery/posts.ts";
import { isSuspected } from "../../../core/cards/life/card.ts";
import { happenings } from "../../../core/cards/life/happened.ts";
import { isFinal } from "../../../core/cards/life/states.ts";
import { added, type Counts } from "../../../core/views/activity-counts.ts";
import type { ActivityReader } from "../../../core/views/activity-table.ts";
import { hourSteps } from "../../../core/views/hours.ts";
import type { CardHistory } from "./history.ts";

/** Sums the quarters of an hour of a count. */
const inQuarters = (counts: Counts, name: string) =>
  [0, 1, 2, 3].reduce((sum, quarter) => sum + (counts[`${name}${quarter}`] ?? 0), 0);

const text = (counts: Counts) =>
  JSON.stringify(
    Object.entries(counts)
      .filter(([, count]) => count !== 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/**
 * Compares a vendor's counts, made from the changes that the stream's filter passes, with what happened to its cards: the sum of
 * all changes of each card, and how many of them wait, need a wake-up, or are suspected in the end.
 *
 * @returns what differs
 */
export async function judgeViews(
  apiSet: ApiSet,
  cards: Iterable<CardHistory>,
  activity: Pick<ActivityReader, "hours">,
): Promise<string[]> {
  const hours = await activity.hours(apiSet, 0, Number.POSITIVE_INFINITY);
  const counted = hours.reduce<Counts>((sum, { counts }) => added(sum, counts), {});
  let expected: Counts = {};
  const last = { waiting: 0, unfinished: 0, suspected: 0 };
  for (const { writes } of cards) {
    const life = writes.map(({ card }) => card).filter((card) => card.apiSet === apiSet);
    const changes = life.map((card, index) => ({
      card,
      before: life[index - 1],
      sequenceNumber: String(index),
    }));
    for (const { steps } of hourSteps(happenings(changes), () => 0))
      for (const { counts } of steps) expected = added(expected, counts);
    const card = life.at(-1);
    if (card === undefined) continue;
    last.waiting += isFinal(card.state) ? 0 : 1;
    last.unfinished += isUnfinished(card) ? 1 : 0;
    last.suspected += isSuspected(card) ? 1 : 0;
  }
  const seen = {
    waiting: counted.waiting ?? 0,
    unfinished: inQuarters(counted, "unfinished"),
    suspected: inQuarters(counted, "suspected"),
  };
  const differences: string[] = [];
  if (text(counted) !== text(expected))
    differences.push(`the counts of ${apiSet} are ${text(counted)}, and its cards came to ${text(expected)}`);
  if (text(seen) !== text(last))
    differences.push(`the counts of ${apiSet} say ${text(seen)}, and its cards are ${text(last)}`);
  return differences;
}
