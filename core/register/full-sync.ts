import { dayMilliseconds } from "../formats/days.ts";
import { earliestInstantOf, wallClockAt } from "../formats/union-time.ts";

/** A time of day in the union's time zone. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/**
 * When the last nightly full sync was due. A club whose last full sync is older still needs one, whatever happened to the runs
 * since: nothing has to be remembered.
 *
 * @param now in milliseconds since 1970, UTC, as the result
 */
export function fullSyncDueAt(now: number, { hour, minute }: TimeOfDay, timeZone: string): number {
  const midnight = Math.floor(wallClockAt(now, timeZone) / dayMilliseconds) * dayMilliseconds;
  const dueOn = (date: number) => earliestInstantOf(date + (60 * hour + minute) * 60_000, timeZone);
  return dueOn(midnight) <= now ? dueOn(midnight) : dueOn(midnight - dayMilliseconds);
}
