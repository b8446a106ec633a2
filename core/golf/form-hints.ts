import { roundHalfUp } from "@scorecard-pipeline/whs";
import { isTenThousandths, oneStroke } from "../formats/ten-thousandths.ts";
import { isTimestamp, timestampOf, wallClock, wallClockAt } from "../formats/union-time.ts";
import type { FaultCode } from "./findings.ts";

/** What to send for a value that is of another form, as far as its own form shows it. */
export function formHint(code: FaultCode, received: unknown, timeZone: string): string {
  const text = String(typeof received === "object" ? "" : received).trim();
  if (code === "guid_invalid") {
    const digits = text.replaceAll(/[{}()-]/g, "");
    const guid =
      /^[0-9a-f]{32}$/i.test(digits) && digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    return ` Send it without braces, in upper or lower case${guid ? `: ${guid}` : ""}.`;
  }
  if (code === "slope_invalid") {
    const slope = Number(text) / oneStroke;
    return ` Send it as number or text, not times 10,000${Number.isInteger(slope) && slope > 0 ? `: ${slope}` : ""}.`;
  }
  if (code !== "timestamp_invalid") return "";
  const local = localTime(text, timeZone);
  return ` Send the union's local time, without a time zone${local === undefined ? "" : `: send ${local}, the clock at the course`}.`;
}

/** The clock of the union's time zone at a time that is written with hyphens and colons, as others do; undefined of any other text. */
function localTime(text: string, timeZone: string): string | undefined {
  const [, date = "", time = "", zone] =
    /^([\d-]{8,10})[T ]([\d:]{4,8})(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? [];
  const written = `${date.replaceAll("-", "")}T${time.replaceAll(":", "").padEnd(6, "0")}`;
  if (!isTimestamp(written) || zone === undefined) return isTimestamp(written) ? written : undefined;
  const [hours, minutes] =
    zone.toUpperCase() === "Z" ? [0, 0] : [zone.slice(0, 3), zone.slice(-2)].map(Number);
  const offset = 60 * Number(hours) + (zone.startsWith("-") ? -1 : 1) * Number(minutes);
  return timestampOf(wallClockAt(wallClock(written) - 60_000 * offset, timeZone));
}

/** What to send for a handicap that was not rounded to whole strokes. @see Rules of Handicapping, 5.1c and 6.1 */
export function rounded(field: string, received: unknown): string {
  const isHandicap = field === "CourseHandicap" || field === "PHCP";
  if (!isHandicap || typeof received !== "number" || Math.abs(received) > maxStrokes) return "";
  return ` It is rounded to whole strokes, a half upwards: send ${roundHalfUp(Math.round(received * oneStroke), oneStroke)}.`;
}

/** How much one stroke is in each field that senders multiply by 10,000 although it is not, or the other way round. */
const strokeIn: Readonly<Record<string, number>> = {
  HCP: oneStroke,
  "Course/TeeRating": oneStroke,
  CourseHandicap: 1,
  PHCP: 1,
};
/** No Handicap Index or Course Handicap is higher, and no Course Rating. */
const maxStrokes = 200;

/** A sentence on a number that was not multiplied by 10,000, or once too often; empty for any other. */
export function wrongFactor(field: string, received: unknown): string {
  const stroke = strokeIn[field];
  if (stroke === undefined) return "";
  if (stroke === oneStroke) {
    const notMultiplied = forgottenFactorHint(field, received);
    if (notMultiplied !== undefined) return notMultiplied;
  }
  if (!isTenThousandths(received)) return "";
  const value = Number(received);
  const divided = value / oneStroke;
  if (divided % Math.ceil(stroke / 10) !== 0 || Math.abs(divided) > maxStrokes * stroke) return "";
  return stroke === 1
    ? `${field} was multiplied by 10,000, but is in whole strokes: send ${divided}. `
    : `${field} was multiplied by 10,000 twice: send ${divided} for ${divided / stroke}. `;
}

/** Least and greatest real figure, as senders write it. */
const realFigures: Readonly<Record<string, readonly [least: number, most: number]>> = {
  HCP: [-10, 72],
  "Course/TeeRating": [20, 90],
};

/**
 * A sentence on a number that was not multiplied by 10,000. Some senders write 15.8, others 158; of a whole number it names
 * both figures that may be meant, unless one is beyond all real ones. A plus handicap is written with its sign and is negative.
 *
 * @returns undefined for any other value
 */
function forgottenFactorHint(field: string, received: unknown): string | undefined {
  // An object may have no text at all, and that of a list takes long.
  if (typeof received !== "number" && typeof received !== "string") return undefined;
  const [, sign, whole, decimals] = /^([+-]?)(\d{1,3})(?:[.,](\d+))?$/.exec(String(received).trim()) ?? [];
  if (whole === undefined) return undefined;
  const value = Number(`${whole}.${decimals ?? 0}`) * (sign ? -1 : 1);
  const [least, most] = realFigures[field] ?? [0, 0];
  const meant = decimals === undefined ? [value, value / 10] : [value];
  const remedies = meant
    .filter((figure) => figure >= least && figure <= most)
    .map((figure) => {
      const tenths = Math.round(figure * 10);
      return `${(tenths * oneStroke) / 10} for ${figure < 0 ? "+" : ""}${(Math.abs(tenths) / 10).toFixed(1)}`;
    });
  return `${field} was not multiplied by 10,000${remedies.length > 0 ? `: send ${remedies.join(", or ")}` : ""}. `;
}
