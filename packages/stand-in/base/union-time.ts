import { TZDate, tzOffset } from "@date-fns/tz";

const minute = 60_000;

/** A time in the union's format, `yyyymmddThhnnss`, in UTC. */
export function timestamp(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

/**
 * Parses a timestamp in the union's format as UTC.
 *
 * @returns undefined if the text is not a timestamp
 */
export function readTimestamp(text: string): Date | undefined {
  const [, year, month, day, hour, minutes, seconds] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minutes}:${seconds}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** A time as a timestamp in the clubs' time zone, an IANA name: apps write the start of a round like this. */
export function localTimestamp(time: Date, timeZone: string): string {
  return timestamp(new Date(time.getTime() + tzOffset(timeZone, time) * minute));
}

/**
 * Midnight in the clubs' time zone, when course versions are activated: 22:00 UTC of the day before in summer.
 *
 * @param month 1 to 12
 * @param day of the month; may exceed its last day
 */
export function localMidnight(year: number, month: number, day: number, timeZone: string): Date {
  return new Date(new TZDate(year, month - 1, day, timeZone).getTime());
}

/** The year in the clubs' time zone. */
export function unionYear(time: Date, timeZone: string): number {
  return new TZDate(time.getTime(), timeZone).getFullYear();
}

/** Midnight in the clubs' time zone, some days after the day of a time. */
export function midnightAfter(time: Date, days: number, timeZone: string): Date {
  const local = new TZDate(time.getTime(), timeZone);
  return localMidnight(local.getFullYear(), local.getMonth() + 1, local.getDate() + days, timeZone);
}

const dayMilliseconds = 86_400_000;

/** The day of a timestamp, in days since 1970; NaN if the text is not a timestamp. */
export function dayOf(text: string): number {
  return Math.floor((readTimestamp(text)?.getTime() ?? Number.NaN) / dayMilliseconds);
}
