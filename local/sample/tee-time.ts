import { dayMilliseconds } from "../../core/formats/days.ts";
import { instantOf, timestampOf, wallClockAt } from "../../core/formats/union-time.ts";

/** A moment of a tournament day. */
interface TeeTime {
  /** Milliseconds since 1970, UTC. */
  readonly instant: number;
  /** Local time in the union's time zone, yyyymmddThhmmss. */
  readonly timestamp: string;
}

/**
 * A time on a past day.
 *
 * @param timeZone the union's, an IANA name
 * @param daysAgo 1 for yesterday
 * @param minutes since midnight, at most a day
 */
export function teeTime(now: Date, timeZone: string, daysAgo: number, minutes: number): TeeTime {
  const today = wallClockAt(now.getTime(), timeZone);
  const midnight = today - (today % dayMilliseconds) - daysAgo * dayMilliseconds;
  const at = midnight + minutes * 60_000;
  return { instant: instantOf(at, timeZone), timestamp: timestampOf(at) };
}
