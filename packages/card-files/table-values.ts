import { cardFields } from "./base/card-fields.ts";
import { isUndecided, readDate, readTime } from "./reading/cell-dates.ts";

const trueTexts = new Set(["true", "yes", "y", "1", "x", "ja", "j", "sand"]);
const falseTexts = new Set(["false", "no", "n", "0", "nej", "falsk"]);

/**
 * The value of a field. A text that has no value of the field's kind stays as it is, so that the API says what is wrong with it.
 *
 * @returns undefined for an empty cell, which leaves the field out; -1 if it is of a hole
 */
export function valueOfCell(text: string, field: string): unknown {
  const kind = cardFields.get(field);
  if (kind === "list") return strokesOf(text);
  if (text === "") return undefined;
  if (kind === "number" && /^[−-]?\d+$/.test(text)) return Number(text.replace("−", "-"));
  // A plus handicap gives strokes back.
  if ((field === "CourseHandicap" || field === "PHCP") && /^\+\d+$/.test(text)) return -Number(text);
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

/** `2026-06-01 08:10`, `1.6.2026 8:10` and `20260601T081000`. A day without a time is its midnight. */
function timestampOf(text: string): string {
  const [, day, time] = /^(\S+?)(?:[ T,]+(.*))?$/.exec(text) ?? [];
  const [date, start] = [readDate(day ?? "", "day-first"), readTime(time ?? "00:00")];
  if (date === undefined || start === undefined || isUndecided(day ?? "")) return text;
  return `${date}T${start.padEnd(8, ":00")}`.replaceAll(/[-:]/g, "");
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
  if (kind === "time") {
    const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(String(value)) ?? [];
    if (year !== undefined)
      return `${day}.${month}.${year}${hour === "00" && minute === "00" ? "" : ` ${hour}:${minute}`}`;
  }
  if (kind === "tenThousandths" && /^-?\d{1,15}$/.test(String(value))) {
    const number = Number(value) / 10_000;
    return number < 0 ? `+${-number}` : number.toFixed(1);
  }
  return String(value);
}
