import { TZDate } from "@date-fns/tz";

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
 * @param now the current time
 * @param timeZone the union's, an IANA name
 * @param daysAgo 1 for yesterday
 * @param minutes since midnight, at most a day
 */
export function teeTime(now: Date, timeZone: string, daysAgo: number, minutes: number): TeeTime {
  const today = new TZDate(now.getTime(), timeZone);
  const date = new TZDate(
    today.getFullYear(),
    today.getMonth(),
    today.getDate() - daysAgo,
    0,
    minutes,
    timeZone,
  );
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return {
    instant: date.getTime(),
    timestamp: `${day}T${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`,
  };
}

/** Parses a timestamp in UTC to milliseconds since 1970; NaN if it is invalid. */
export function utcInstant(timestamp: string): number {
  const iso = timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6Z");
  return Date.parse(iso);
}
