import { tzOffset } from "@date-fns/tz";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** No time zone was ever further from UTC. */
const furthest = 16 * hour;

const offsetAt = (timeZone: string, instant: number) => tzOffset(timeZone, new Date(instant)) * minute;

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

/** The same, but in an hour that comes twice the earlier one. */
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

/** Whether a text is a day, e.g. `2026-07-04`. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
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
