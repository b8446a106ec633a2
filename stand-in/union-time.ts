import { TZDate, tzOffset } from "@date-fns/tz";

/** The zone in which the union's clubs keep their days. */
const unionTimeZone = "Europe/Copenhagen";

const minute = 60_000;

/** A time as the union's wire has it, `yyyymmddThhnnss`, in UTC. */
export function timestamp(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

/**
 * Reads a timestamp of the wire as UTC.
 *
 * @returns undefined where the text is none
 */
export function readTimestamp(text: string): Date | undefined {
  const [, year, month, day, hour, minutes, seconds] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minutes}:${seconds}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The timestamp that clocks at the union's clubs show: how apps write the start of a round. */
export function localTimestamp(time: Date): string {
  return timestamp(new Date(time.getTime() + tzOffset(unionTimeZone, time) * minute));
}

/**
 * Midnight at the union's clubs, from which course versions are activated: 22:00 UTC the day before in summer.
 *
 * @param month 1 to 12
 * @param day of the month; beyond its end it counts on
 */
export function localMidnight(year: number, month: number, day: number): Date {
  return new Date(new TZDate(year, month - 1, day, unionTimeZone).getTime());
}

/** The year that calendars at the union's clubs show. */
export function unionYear(time: Date): number {
  return new TZDate(time.getTime(), unionTimeZone).getFullYear();
}

/** Midnight at the union's clubs some days after the one that a time is in. */
export function midnightAfter(time: Date, days: number): Date {
  const local = new TZDate(time.getTime(), unionTimeZone);
  return localMidnight(local.getFullYear(), local.getMonth() + 1, local.getDate() + days);
}

const dayMilliseconds = 86_400_000;

/** The day that a timestamp names, in days since 1970; not a number where it is no timestamp. */
export function dayOf(text: string): number {
  return Math.floor((readTimestamp(text)?.getTime() ?? Number.NaN) / dayMilliseconds);
}
