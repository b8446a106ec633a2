import type { Activity, ActivityCounts } from "../../api/activity.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { pausedBy } from "../cards/status.ts";
import { type Days, daysBefore } from "../formats/days.ts";
import { beginningOfDay, dayOf } from "../formats/union-time.ts";
import {
  added,
  type CountName,
  type Counts,
  countNames,
  deliveryPercentile,
  sumOfRefusals,
  warningsIn,
} from "./activity-counts.ts";
import type { ActivityReader, HourCounts } from "./activity-table.ts";
import { maxWait, waitingCards } from "./waiting-cards.ts";

function toCounts(counts: Counts): ActivityCounts {
  const half = deliveryPercentile(counts, 0.5);
  const most = deliveryPercentile(counts, 0.95);
  const named = Object.fromEntries(countNames.map((name) => [name, counts[name] ?? 0]));
  return {
    ...(named as Record<CountName, number>),
    ...(half !== undefined &&
      most !== undefined && { deliverySeconds: { half: half / 1000, most: most / 1000 } }),
  };
}

const sumHours = (hours: readonly HourCounts[]): Counts =>
  hours.reduce<Counts>((sum, { counts }) => added(sum, counts), {});

/** The first instant of some days, and the first one after them; milliseconds since 1970, UTC. */
export function instantsOf(
  { from, to }: Days,
  timeZone: string,
): { readonly from: number; readonly before: number } {
  return { from: beginningOfDay(from, timeZone), before: beginningOfDay(daysBefore(to, -1), timeZone) };
}

/**
 * Reads a vendor's activity of some days.
 *
 * @param now milliseconds since 1970, UTC
 */
export async function readActivity(
  {
    activity,
    table,
  }: { readonly activity: ActivityReader; readonly table: Pick<ScorecardTable, "readWithBreaker"> },
  apiSet: ApiSet,
  days: Days,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): Promise<Activity> {
  const { from, before } = instantsOf(days, timeZone);
  const [counted, refused, { breaker }] = await Promise.all([
    activity.hours(apiSet, Math.min(from, now - maxWait), Math.max(before, now + 1)),
    activity.refusals(apiSet, from, before),
    table.readWithBreaker(apiSet, []),
  ]);
  const refusedCards = refused.map(({ hour, cards }) => ({ hour, counts: { refused: cards } }));
  const all = [...Map.groupBy([...counted, ...refusedCards], ({ hour }) => hour)]
    .map(([hour, of]) => ({ hour, counts: sumHours(of) }))
    .sort((one, other) => one.hour - other.hour);
  const hours = all.filter(({ hour }) => hour >= from && hour < before);
  const isCounted = ({ counts }: HourCounts) => countNames.some((name) => (counts[name] ?? 0) > 0);
  const active = hours.filter(isCounted);
  return {
    ...days,
    timeZone,
    waiting: {
      ...waitingCards(all),
      ...(breaker.open !== undefined && { paused: pausedBy(breaker.open) }),
    },
    totals: toCounts(sumHours(hours)),
    days: [...Map.groupBy(active, ({ hour }) => dayOf(hour, timeZone))].map(([day, of]) => ({
      day,
      ...toCounts(sumHours(of)),
    })),
    hours: active.map(({ hour, counts }) => ({ start: new Date(hour).toISOString(), ...toCounts(counts) })),
    warnings: warningsIn(sumHours(hours)),
    refusals: sumOfRefusals(refused.flatMap(({ byFault }) => byFault)),
  };
}
