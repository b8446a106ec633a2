import type { Activity } from "@scorecard-pipeline/scorecards-client";
import { dayIn, daysBefore } from "../../base/format.ts";
import type { Range } from "../../base/route.ts";

/** The counts of one hour or day. */
export interface ChartRow {
  /** Its beginning, milliseconds since 1970. */
  readonly at: number;
  readonly accepted: number;
  readonly delivered: number;
  readonly refused: number;
}

/** Counts over time. */
export interface ChartData {
  readonly rows: readonly ChartRow[];
  readonly isByDay: boolean;
  /** Of the days; IANA name. */
  readonly timeZone: string;
}

const hourMilliseconds = 3_600_000;
const hoursByRange = { "24h": 24, "7d": 7 * 24 };
const daysShown = 30;
const nothing = { accepted: 0, delivered: 0, refused: 0 };

/** The first and the last day to ask for, in the union's time zone. @param now milliseconds since 1970 */
export function daysToAskFor(
  range: Range,
  timeZone: string,
  now: number,
): { readonly from: string; readonly to: string } {
  const to = dayIn(timeZone, now);
  return { from: daysBefore(to, { "24h": 1, "7d": 7, "30d": daysShown - 1 }[range]), to };
}

type Counted = Omit<ChartRow, "at">;

/** The hours of a range, or its days if there are many, also those in which nothing happened. */
export function createChartData({ days, hours, timeZone }: Activity, range: Range, now: number): ChartData {
  const isByDay = range === "30d";
  const row = (at: number, { accepted, delivered, refused }: Counted = nothing): ChartRow => ({
    at,
    accepted,
    delivered,
    refused,
  });
  const rows: ChartRow[] = [];
  if (range === "30d") {
    const byDay = new Map(days.map((one) => [one.day, one]));
    const today = dayIn(timeZone, now);
    for (let before = daysShown - 1; before >= 0; before -= 1) {
      const day = daysBefore(today, before);
      // Noon is on the same day in every time zone that the axis may use.
      rows.push(row(Date.parse(`${day}T12:00:00Z`), byDay.get(day)));
    }
  } else {
    const byHour = new Map(hours.map((one) => [Date.parse(one.start), one]));
    // Hours begin with the hour in UTC, except in time zones a part of an hour away; theirs are the API's own.
    const offset = (Date.parse(hours[0]?.start ?? "1970-01-01T00:00:00Z") % hourMilliseconds) as number;
    const last = Math.floor((now - offset) / hourMilliseconds) * hourMilliseconds + offset;
    for (let before = hoursByRange[range] - 1; before >= 0; before -= 1) {
      const at = last - before * hourMilliseconds;
      rows.push(row(at, byHour.get(at)));
    }
  }
  return { rows, isByDay, timeZone };
}
