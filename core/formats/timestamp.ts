import * as z from "zod/mini";

/**
 * A real date and time of the union's API, `yyyymmddThhmmss`. Rounds are in the union's time zone, the register's dates in UTC.
 *
 * @see union-api, Resources and their fields
 */
export type Timestamp = string & z.core.$brand<"Timestamp">;

/** Not every text of this form is a real date. */
const form = /^\d{8}T\d{6}$/;

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
    z.meta({ pattern: form.source, examples: ["20250622T145700"] }),
  )
  .brand<"Timestamp">();
