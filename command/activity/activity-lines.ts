import type { Activity, ActivityCounts } from "../../api/activity.ts";
import { countDays } from "../../core/formats/days.ts";
import { wallClockAt } from "../../core/formats/union-time.ts";
import { counted, printableJson } from "../base/terminal.ts";

/** More days are drawn as a bar a day, fewer as a bar an hour. */
const daysByHour = 2;
const minBarLength = 10;
const maxBarLength = 60;

/** A row of the drawing: an hour or a day. */
interface Row extends ActivityCounts {
  readonly label: string;
}

/** A vendor's activity as lines for a terminal. @param width characters in a line; bars and tables are no wider */
export function activityLines(activity: Activity, width: number): string[] {
  const { from, to, timeZone, totals, waiting, refusals } = activity;
  const days = countDays(activity);
  const rows =
    days > daysByHour
      ? activity.days.map(({ day, ...counts }) => ({ label: day, ...counts }))
      : activity.hours.map(({ start, ...counts }) => ({
          // The heading has the year, and of a single day the day.
          label: clock(start, timeZone).slice(days === 1 ? 11 : 5),
          ...counts,
        }));
  return [
    `${from === to ? from : `${from} to ${to}`}, times of ${timeZone}`,
    "",
    `Accepted   ${totals.accepted}, corrected ${totals.corrected}, resent ${totals.resent}`,
    `Delivered  ${totals.delivered}${deliveryTimes(totals)}`,
    ...(totals.late === 0 ? [] : [`Late       ${totals.late} after midnight of their day of play`]),
    `Failed     ${totals.rejected} rejected, ${totals.undelivered} undelivered; ${totals.withdrawn} withdrawn`,
    ...(totals.playersUnknown === 0
      ? []
      : [`Players    ${counted(totals.playersUnknown, "delivered card")} of players unknown to the union`]),
    ...(totals.recorded + totals.notRecorded === 0
      ? []
      : [`Records    ${totals.recorded} in the players' records, ${totals.notRecorded} not`]),
    ...waitingLines(waiting, timeZone),
    "",
    ...(rows.length === 0 ? ["Nothing was counted on these days."] : drawing(rows, width)),
    ...refusalLines(refusals, timeZone),
  ];
}

/** What clocks of a time zone show, e.g. `2026-07-04 13:00`. */
function clock(time: string, timeZone: string): string {
  const shown = new Date(wallClockAt(Date.parse(time), timeZone)).toISOString();
  return `${shown.slice(0, 10)} ${shown.slice(11, 16)}`;
}

const seconds = (figure: number) => `${figure < 10 ? Number(figure.toFixed(1)) : Math.round(figure)} s`;

function deliveryTimes({ deliverySeconds }: ActivityCounts): string {
  if (deliverySeconds === undefined) return "";
  const { half, most } = deliverySeconds;
  return `, half of them within ${seconds(half)}, 95 % within ${seconds(most)}`;
}

function waitingLines({ cards, since, paused }: Activity["waiting"], timeZone: string): string[] {
  const oldest = since === undefined ? "" : `, the oldest since the hour of ${clock(since, timeZone)}`;
  if (paused === undefined) return [`Waiting    ${counted(cards, "card")}${oldest}`];
  const { status, message } = paused.lastError;
  const why = status === undefined ? message : `HTTP ${status}: ${message}`;
  return [
    `Waiting    ${counted(cards, "card")}${oldest}`,
    `Paused     since ${clock(paused.since, timeZone)}, next attempt at ${clock(paused.nextAttemptAt, timeZone)}`,
    `Because    ${why}`,
  ];
}

/** A table of counts with a bar a row. In a narrow terminal the delivery times are left out, then the bars. */
function drawing(rows: readonly Row[], width: number): string[] {
  const counts = [
    ["Accepted", ({ accepted }: Row) => String(accepted)],
    ["Delivered", ({ delivered }: Row) => String(delivered)],
    ["Rejected", ({ rejected }: Row) => String(rejected)],
  ] as const;
  const times = [
    ["Half", ({ deliverySeconds: of }: Row) => (of === undefined ? "" : seconds(of.half))],
    ["95 %", ({ deliverySeconds: of }: Row) => (of === undefined ? "" : seconds(of.most))],
  ] as const;
  const whole = columnsOf(rows, [...counts, ...times]);
  const brief = columnsOf(rows, counts);
  const table = fits(whole, width) ? whole : brief;
  const room = Math.min(maxBarLength, width - widthOf(table) - 2);
  if (room < minBarLength) return table;
  const scale = Math.max(
    ...rows.map(({ accepted, delivered, rejected }) => Math.max(accepted, delivered + rejected)),
  );
  return [
    ...table.map((line, place) => {
      const row = rows[place - 1];
      return row === undefined ? line : `${line}  ${bar(row, scale, room)}`.trimEnd();
    }),
    "█ delivered, ▒ rejected, ░ accepted and neither",
  ];
}

const widthOf = ([heading = ""]: readonly string[]) => heading.length;
const fits = (table: readonly string[], width: number) => widthOf(table) + 2 + minBarLength <= width;

/** Lines of a table, all of the same width; the labels on the left, figures to the right. */
function columnsOf(
  rows: readonly Row[],
  columns: readonly (readonly [heading: string, figure: (row: Row) => string])[],
): string[] {
  const labelled = [["", ...columns.map(([heading]) => heading)]];
  for (const row of rows) labelled.push([row.label, ...columns.map(([, figure]) => figure(row))]);
  const widths = (labelled[0] ?? []).map((_, place) =>
    Math.max(...labelled.map((cells) => cells[place]?.length ?? 0)),
  );
  return labelled.map(([label = "", ...figures]) =>
    [
      label.padEnd(widths[0] ?? 0),
      ...figures.map((figure, place) => figure.padStart(widths[place + 1] ?? 0)),
    ].join("  "),
  );
}

/** A bar of three shades. Whatever was counted is at least one character, so that no refusal is overlooked. */
function bar({ accepted, delivered, rejected }: Row, scale: number, room: number): string {
  const lengthOf = (cards: number) => (cards <= 0 ? 0 : Math.max(1, Math.round((cards / scale) * room)));
  const rejectedLength = lengthOf(rejected);
  const restLength = lengthOf(accepted - delivered - rejected);
  const deliveredLength = Math.max(0, Math.min(lengthOf(delivered), room - rejectedLength - restLength));
  return "█".repeat(deliveredLength) + "▒".repeat(rejectedLength) + "░".repeat(restLength);
}

function refusalLines(refusals: Activity["refusals"], timeZone: string): string[] {
  if (refusals.length === 0) return [];
  return [
    "",
    "Refused, with the newest examples",
    ...refusals.flatMap(({ code, cards, examples }) => [
      `  ${code}: ${counted(cards, "card")}`,
      ...examples.map(({ externalId, pointer, at }) => {
        const name = externalId === undefined ? "without an ExternalID" : printableJson(externalId);
        return `    ${clock(at, timeZone)}  ${name} at ${pointer || "the whole card"}`;
      }),
    ]),
  ];
}
