import { isTenThousandths, oneStroke } from "../../core/formats/ten-thousandths.ts";
import { courseRating, type Fields, handicapIndex, timestamp } from "../../core/golf/field-forms.ts";
import { fields } from "../../core/golf/scorecard.ts";

/** How the text of a cell becomes the value of a field. */
type ValueKind = "text" | "number" | "boolean" | "time" | "tenThousandths" | "list";

/** Fields of a card that a table can have, by their path, such as `Course/TeeID`. */
export const cardFields: ReadonlyMap<string, ValueKind> = new Map(kindsOf(fields.card));

function kindsOf(of: Fields, before = ""): [string, ValueKind][] {
  return Object.entries(of).flatMap(([name, { form }]): [string, ValueKind][] => {
    if (form.fields !== undefined) return kindsOf(form.fields, `${before}${name}/`);
    // Holes of a course are left out: tables have none.
    if (form.entry?.fields !== undefined) return [];
    return [[`${before}${name}`, kindOf(form)]];
  });
}

function kindOf(form: Fields[string]["form"]): ValueKind {
  if (form.entry !== undefined) return "list";
  if (form === timestamp) return "time";
  if (form === handicapIndex || form === courseRating) return "tenThousandths";
  if (form.fits(true)) return "boolean";
  const isNumber = form.bounds !== undefined || (form.fits(1) && !form.fits("1"));
  return isNumber ? "number" : "text";
}

const trueTexts = new Set(["true", "yes", "y", "1", "x"]);
const falseTexts = new Set(["false", "no", "n", "0"]);

/**
 * The value of a field. A text that has no value of the field's kind stays as it is, so that the API says what is wrong with it.
 *
 * @returns undefined for an empty cell, which leaves the field out; -1 if it is of a hole
 */
export function valueOfCell(text: string, field: string): unknown {
  const kind = cardFields.get(field);
  if (kind === "list") return strokesOf(text);
  if (text === "") return undefined;
  if (kind === "number" && /^-?\d+$/.test(text)) return Number(text);
  if (kind === "time") return timestampOf(text);
  if (kind === "tenThousandths") return tenThousandthsOf(text);
  if (kind === "boolean" && trueTexts.has(text.toLowerCase())) return true;
  if (kind === "boolean" && falseTexts.has(text.toLowerCase())) return false;
  return text;
}

/** Strokes or points of a hole: empty or `-` was not played, `x` was picked up. */
function strokesOf(text: string): unknown {
  if (text === "" || text === "-") return -1;
  if (text.toLowerCase() === "x") return 0;
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

const yearFirst = /^(?<year>\d{4})-?(?<month>\d\d)-?(?<day>\d\d)(?:[ T]+(?<time>.*))?$/;
const dayFirst = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?:[ T,]+(?<time>.*))?$/;
const timeOfDay = /^(\d{1,2})[:.]?(\d\d)(?:[:.]?(\d\d))?$/;

/** `2026-06-01 08:10`, `1.6.2026 8:10` and `20260601T081000`. A day without a time is its midnight. */
function timestampOf(text: string): string {
  const {
    year = "",
    month = "",
    day = "",
    time,
  } = (yearFirst.exec(text) ?? dayFirst.exec(text))?.groups ?? {};
  const [, hour, minute, second = "00"] = timeOfDay.exec(time ?? "00:00") ?? [];
  if (year === "" || hour === undefined || minute === undefined) return text;
  return `${year}${month.padStart(2, "0")}${day.padStart(2, "0")}T${hour.padStart(2, "0")}${minute}${second}`;
}

/** The largest value that people write; any larger one has the factor of 10,000 already. */
const largestAsWritten = 200;

/** `15.8`, `15,8` and `158000` are 158000; `+1.2`, a plus handicap, is -12000. */
function tenThousandthsOf(text: string): string {
  const parts = /^([+-]?)(\d+)(?:[.,](\d{1,4}))?$/.exec(text);
  if (parts === null) return text;
  const [, sign = "", whole = "", fraction = ""] = parts;
  if (fraction === "" && Number(whole) > largestAsWritten) return `${sign === "-" ? "-" : ""}${whole}`;
  const digits = `${whole}${fraction.padEnd(4, "0")}`.replace(/^0+(?=\d)/, "");
  return sign === "" || digits === "0" ? digits : `-${digits}`;
}

/** A value of a field as a table has it: `71.8` for `"718000"`, `24.11.2026 08:10` for `"20261124T081000"`. */
export function textOfValue(value: unknown, field: string): string {
  const kind = cardFields.get(field);
  if (kind === "boolean") return value === true ? "yes" : "no";
  if (kind === "time") {
    const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(String(value)) ?? [];
    if (year !== undefined)
      return `${day}.${month}.${year}${hour === "00" && minute === "00" ? "" : ` ${hour}:${minute}`}`;
  }
  if (kind === "tenThousandths" && isTenThousandths(value)) {
    const number = Number(value) / oneStroke;
    return number < 0 ? `+${-number}` : number.toFixed(1);
  }
  return String(value);
}
