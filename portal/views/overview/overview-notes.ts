import type { ActivityCounts } from "@scorecard-pipeline/scorecards-client";
import { formatCount, formatHour } from "../../format.ts";
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
