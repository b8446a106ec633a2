import { locale } from "../texts/texts.ts";

const numbers = new Intl.NumberFormat(locale);
/** Rounded down, so that a card that was late is not rounded away. */
const shares = new Intl.NumberFormat(locale, {
  style: "percent",
  maximumFractionDigits: 3,
  roundingMode: "floor",
});
const dateAndTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
const timeOnly = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
const minutes = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const dateAndMinutes = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const minuteSeconds = 60;
const hourSeconds = 3_600;
const daySeconds = 86_400;

export const formatCount = (count: number): string => numbers.format(count);

/** @param share 0 to 1 */
export const formatShare = (share: number): string => shares.format(share);

/** An instant in the reader's own time zone. @param at ISO 8601 or milliseconds since 1970 */
export const formatTime = (at: string | number): string => dateAndTime.format(new Date(at));

/** The time of day of an instant, with the date only if it is another day than today. */
export function formatShortTime(at: string | number): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString() ? timeOnly.format(date) : dateAndTime.format(date);
}

/** An hour of the day, with the date only if it is another day than today. @param at milliseconds since 1970 */
export function formatHour(at: number): string {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString()
    ? minutes.format(date)
    : dateAndMinutes.format(date);
}

/** An instant from now, such as `in 5 minutes` or `2 hours ago`. */
function formatFromNow(at: string | number, now = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000);
  const [unit, size] = chooseUnit(Math.abs(seconds));
  return relative.format(Math.round(seconds / size), unit);
}

/** When something is due, such as `in 5 minutes`; `now` if it is overdue. */
export const formatUpcoming = (at: string, now = Date.now()): string =>
  formatFromNow(Math.max(Date.parse(at), now), now);

/** A duration such as `12 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 10)
    return new Intl.NumberFormat(locale, { ...shortUnit("second"), maximumFractionDigits: 1 }).format(
      seconds,
    );
  const [unit, size] = chooseUnit(seconds);
  return new Intl.NumberFormat(locale, shortUnit(unit)).format(Math.round(seconds / size));
}

const shortUnit = (unit: string): Intl.NumberFormatOptions => ({ style: "unit", unit, unitDisplay: "short" });

function chooseUnit(seconds: number): ["second" | "minute" | "hour" | "day", number] {
  if (seconds < 2 * minuteSeconds) return ["second", 1];
  if (seconds < 2 * hourSeconds) return ["minute", minuteSeconds];
  if (seconds < 2 * daySeconds) return ["hour", hourSeconds];
  return ["day", daySeconds];
}

/** The day of an instant in a time zone, e.g. `2026-07-04`. @param timeZone IANA name */
export function dayIn(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return parts.format(at);
}

/** A day, e.g. `2026-07-04`, as the reader writes it. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(day));

/** The day that is a number of days before another. @param day e.g. `2026-07-04` */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * daySeconds * 1000).toISOString().slice(0, 10);

/** A handicap or rating of the wire, times 10,000, with its decimals. */
export function formatTenThousandths(value: number | string | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 4 }).format(
    Number(value) / 10_000,
  );
}

/** A handicap as golfers write it: a plus handicap is negative on the wire. */
export const formatHandicap = (strokes: number): string =>
  `${strokes < 0 ? "+" : ""}${numbers.format(Math.abs(strokes))}`;

/** A union's local timestamp, `yyyymmddThhmmss`, as the wall clock shows it. Nobody starts at midnight: that is a day without a time. */
export function formatWallClock(timestamp: string): string {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(timestamp) ?? [];
  if (year === undefined) return timestamp;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    ...(`${hour}${minute}` !== "0000" && { timeStyle: "short" }),
    timeZone: "UTC",
  }).format(at);
}
