import { type Activity, CardState } from "@scorecard-pipeline/scorecards-client";
import { daysBefore } from "../../base/format.ts";
import type { Range, RefusalDays } from "../../base/route.ts";

/** Counts of cards that a person should look at. */
const names = [
  CardState.rejected,
  CardState.undelivered,
  "refused",
  "playersUnknown",
  "notRecorded",
] as const;

/** Numbers of cards that need attention, in a range of whole days. */
export interface AttentionCounts extends Readonly<Record<(typeof names)[number], number>> {
  /** The first of the days, e.g. `2026-07-04`. */
  readonly since: string;
  readonly days: RefusalDays;
}

/** The lists behind the counts are of whole days, so the last 24 hours are yesterday and today. */
const wholeDays = { "24h": 2, "7d": 7, "30d": 30 } as const satisfies Record<Range, RefusalDays>;

/** Sums the whole days of a range. */
export function countAttention({ days, to }: Pick<Activity, "days" | "to">, range: Range): AttentionCounts {
  const since = daysBefore(to, wholeDays[range] - 1);
  const counted = days.filter(({ day }) => day >= since);
  const sums = names.map((name) => [name, counted.reduce((sum, day) => sum + day[name], 0)]);
  return {
    since,
    days: wholeDays[range],
    ...(Object.fromEntries(sums) as Record<(typeof names)[number], number>),
  };
}
