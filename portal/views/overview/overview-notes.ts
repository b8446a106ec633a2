import type { Activity, ActivityCounts } from "@scorecard-pipeline/scorecards-client";
import { formatCount, formatHour } from "../../base/format.ts";
import { explainCode } from "../../components/explain-code.ts";
import { texts } from "../../texts/texts.ts";

const hourMilliseconds = 3_600_000;

/**
 * When the oldest waiting card was accepted. The API knows the hour, not the minute.
 *
 * @param since the beginning of that hour, ISO 8601
 * @param now milliseconds since 1970
 */
export function formatWaiting(since: string | undefined, now: number): string {
  if (since === undefined) return texts.overview.nothingWaits;
  const start = Date.parse(since);
  if (now < start + hourMilliseconds) return texts.overview.waitingThisHour;
  return texts.overview.waitingSince(formatHour(start), formatHour(start + hourMilliseconds));
}

/** How many cards Activity counted. @param counted a count, or the code of a warning */
export const countIn = ({ totals, warnings }: Activity, counted: string): number =>
  warnings.find(({ code }) => code === counted)?.cards ??
  Number(new Map(Object.entries(totals)).get(counted) ?? 0);

/** Says how many cards were counted. @param counted a count, or the code of a warning */
export function formatCounted(counted: string, cards: number): string {
  const count = formatCount(cards);
  const { seeRejected, seeUndelivered, seeUnknown, seeNotRecorded, seeWarned } = texts.overview;
  const says: Readonly<Record<string, (count: string) => string>> = {
    rejected: seeRejected,
    undelivered: seeUndelivered,
    player_unknown: seeUnknown,
    notRecorded: seeNotRecorded,
  };
  return says[counted]?.(count) ?? seeWarned(count, explainCode(counted)[0]);
}

/**
 * What the number of deliveries needs to be understood: why there are more than accepted cards, or how many came late.
 *
 * @param shown the numbers beside it, of the same time
 */
export function formatDelivered(
  shown: { readonly accepted: number; readonly delivered: number },
  { late, onDayOfPlay }: Pick<ActivityCounts, "late" | "onDayOfPlay">,
): string | undefined {
  const arrival =
    late > 0
      ? texts.overview.late(formatCount(late))
      : onDayOfPlay > 0
        ? texts.overview.allOnDayOfPlay
        : undefined;
  if (shown.delivered <= shown.accepted) return arrival;
  return [texts.overview.deliveredMore, arrival].filter(Boolean).join("; ");
}
