import { tzOffset } from "@date-fns/tz/tzOffset";
import * as z from "zod/mini";

/**
 * A real date and time of the union's API, `yyyymmddThhmmss`. Rounds are in the union's time zone, the register's dates in UTC.
 *
 * @see union-api, Resources and their fields
 */
export type Timestamp = string & z.core.$brand<"Timestamp">;

/**
 * A timestamp as nearly as a pattern tells: a month has 31 days, and there is a year 0. It has no `\d`, which means other digits,
 * too, in some languages.
 */
export const timestampPattern =
  "^[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]$";

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The number that the digits from `start` to `end` write; NaN if one is not a digit. */
function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (monthDays[month - 1] ?? 0) + (leap ? 1 : 0);
}

/** Whether a text is a timestamp of a real date and time (no 30 February, no 24:00). */
export function isTimestamp(text: string): text is Timestamp {
  if (text.length !== 15 || text.charCodeAt(8) !== 84) return false;
  const year = digits(text, 0, 4);
  const month = digits(text, 4, 6);
  const day = digits(text, 6, 8);
  return (
    year >= 1 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    digits(text, 9, 11) <= 23 &&
    digits(text, 11, 13) <= 59 &&
    digits(text, 13, 15) <= 59
  );
}

const millisecondsOf400Years = 146_097 * 86_400_000;

/** A timestamp's wall clock in milliseconds since 1970, as if it were UTC; for one in another zone, see `instantOf`. */
export function wallClock(timestamp: Timestamp): number {
  const year = digits(timestamp, 0, 4);
  // Date.UTC adds 1900 to the years 1 to 99. The calendar repeats itself every 400 years.
  const time = Date.UTC(
    year + 400,
    digits(timestamp, 4, 6) - 1,
    digits(timestamp, 6, 8),
    digits(timestamp, 9, 11),
    digits(timestamp, 11, 13),
    digits(timestamp, 13, 15),
  );
  return time - millisecondsOf400Years;
}

/** The timestamp of a wall clock in milliseconds since 1970 as if it were UTC; fractions of a second are dropped. */
export function timestampOf(wallClock: number): Timestamp {
  return new Date(wallClock).toISOString().slice(0, 19).replaceAll(/[-:]/g, "") as Timestamp;
}

/** Parses a timestamp. */
export const timestampSchema = z
  .string()
  .check(
    z.refine(isTimestamp, "timestamp_invalid"),
    z.meta({ pattern: timestampPattern, examples: ["20250622T145700"] }),
  )
  .brand<"Timestamp">();

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** No time zone was ever further from UTC. */
const furthest = 16 * hour;

/** Since 1973 all clocks have been changed at a full minute: in Newfoundland at one minute past midnight. */
const firstFullMinute = Date.UTC(1973, 0) / minute;
const maxOffsets = 1_000;
/**
 * Offsets that were looked up, by minute and time zone. A look-up formats a date, and the cards of one run are of a few minutes. It is
 * emptied when it is full: a cache that drops the oldest would be more code in each bundle.
 */
const offsets = new Map<string, number>();

const lookUpOffset = (timeZone: string, instant: number) => tzOffset(timeZone, new Date(instant)) * minute;

/** Milliseconds by which clocks of a time zone are ahead of UTC. */
function offsetAt(timeZone: string, instant: number): number {
  const inMinute = Math.floor(instant / minute);
  if (inMinute < firstFullMinute) return lookUpOffset(timeZone, instant);
  const key = `${inMinute} ${timeZone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const offset = lookUpOffset(timeZone, instant);
  if (offsets.size >= maxOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/**
 * The instant at which clocks of a time zone show a wall clock.
 *
 * In the hour that the end of summer time repeats it is the later one, so a course activated within that hour counts for a round
 * in it. The hour that summer time skips is read with clocks already put forward.
 *
 * @param wallClock milliseconds since 1970 as if it were UTC
 * @param timeZone IANA name
 * @returns milliseconds since 1970, UTC
 */
export function instantOf(wallClock: number, timeZone: string): number {
  return Math.max(...instantsOf(wallClock, timeZone));
}

/** Like `instantOf`, but the earlier instant in an hour that comes twice. */
export function earliestInstantOf(wallClock: number, timeZone: string): number {
  return Math.min(...instantsOf(wallClock, timeZone));
}

function instantsOf(wallClock: number, timeZone: string): number[] {
  const before = wallClock - offsetAt(timeZone, wallClock - day);
  const after = wallClock - offsetAt(timeZone, wallClock + day);
  const shown = [before, after].filter((instant) => wallClockAt(instant, timeZone) === wallClock);
  return shown.length === 0 ? [before] : shown;
}

/** What clocks of a time zone show at an instant, in milliseconds since 1970 as if it were UTC. */
export const wallClockAt = (instant: number, timeZone: string): number =>
  instant + offsetAt(timeZone, instant);

/** The beginning of the hour that an instant is in, as clocks of a time zone show it. @param timeZone IANA name */
export function hourOf(instant: number, timeZone: string): number {
  return instant - (((wallClockAt(instant, timeZone) % hour) + hour) % hour);
}

/** The day that an instant is in, e.g. `2026-07-04`. @param timeZone IANA name */
export const dayOf = (instant: number, timeZone: string): string =>
  new Date(wallClockAt(instant, timeZone)).toISOString().slice(0, 10);

/** The first instant of a day, e.g. `2026-07-04`, in milliseconds since 1970, UTC. @param timeZone IANA name */
export const beginningOfDay = (day: string, timeZone: string): number =>
  earliestInstantOf(Date.parse(day), timeZone);

/** Whether a text is a day, e.g. `2026-07-04`. Of the year 0, days before would have no four digits. */
export function isDay(text: string): boolean {
  const at = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // 30 February is read as 1 or 2 March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/**
 * Whether an instant has come when clocks of a time zone show a wall clock. Looking up the zone's offset costs more than all the
 * rest of an assessment, so it is skipped if no offset could change the result.
 */
export function hasCome(instant: number, wallClock: number, timeZone: string): boolean {
  if (wallClock - instant >= furthest) return true;
  if (instant - wallClock > furthest) return false;
  return instant <= instantOf(wallClock, timeZone);
}

/** The last millisecond of the day that a wall clock shows. */
export function endOfDay(wallClock: number): number {
  return (Math.floor(wallClock / day) + 1) * day - 1;
}

/** Whether a wall clock shows a later day than clocks of the time zone do now. */
export function isAfterToday(wallClock: number, now: number, timeZone: string): boolean {
  return wallClock + furthest > now && wallClock > endOfDay(wallClockAt(now, timeZone));
}
