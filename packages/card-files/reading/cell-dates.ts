import tableWords from "../words/table-words.json" with { type: "json" };

/** In which order a date's numbers stand. */
export type DateOrder = "day-first" | "month-first";

/** How months begin, the longest first: `mar` is March, and `marras` is November. */
const months = tableWords.months
  .flatMap((list, place) => list.split(", ").map((start) => ({ start, number: place + 1 })))
  .toSorted((one, other) => other.start.length - one.start.length);
const monthNumber = (word: string) =>
  months.find(({ start }) => word.toLowerCase().startsWith(start))?.number;

/** A day, with the two numbers that may be day and month if the text does not say which. */
interface DayText {
  readonly year: number;
  readonly numbers: readonly [number, number];
  /** What the text itself says about its order. */
  readonly order: DateOrder | undefined;
  /** What follows the day. */
  readonly rest: string;
}

const toYear = (text: string) => (text.length === 2 ? 2000 + Number(text) : Number(text));

/** Days that Excel counts from 30 December 1899, of this century, as a program writes them that does not know of dates. */
const excelDay = /^([34]\d{4}|5[0-4]\d{3})(?:[.,](\d+))?$/;
const dayMilliseconds = 86_400_000;

function readExcelDay(text: string): DayText | undefined {
  const [, day, fraction] = excelDay.exec(text) ?? [];
  if (day === undefined || Number(day) < 36_526) return undefined;
  const minutes = Math.round(Number(`0.${fraction ?? 0}`) * 1_440);
  const at = new Date(Date.UTC(1899, 11, 30) + Number(day) * dayMilliseconds + minutes * 60_000);
  const numbers = [at.getUTCDate(), at.getUTCMonth() + 1] as const;
  return { year: at.getUTCFullYear(), numbers, order: "day-first", rest: at.toISOString().slice(11, 16) };
}

function readDay(text: string): DayText | undefined {
  const ofExcel = readExcelDay(text);
  if (ofExcel !== undefined) return ofExcel;
  const trimmed = text.replace(/^\p{L}{2,9}\.?,? +(?:den +)?(?=\d)/u, "").replaceAll(/ de(?= )/g, "");
  const iso = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[T ]+(.*))?$/.exec(trimmed);
  if (iso !== null)
    return {
      year: Number(iso[1]),
      numbers: [Number(iso[3]), Number(iso[2])],
      order: "day-first",
      rest: iso[4] ?? "",
    };
  const digits = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:[T, ]+(.*))?$/.exec(trimmed);
  if (digits !== null) {
    const numbers = [Number(digits[1]), Number(digits[3])] as const;
    const order =
      digits[2] === "." || numbers[0] > 12 ? "day-first" : numbers[1] > 12 ? "month-first" : undefined;
    return { year: toYear(digits[4] ?? ""), numbers, order, rest: digits[5] ?? "" };
  }
  const words =
    /^(\d{1,2})[. -]+(\p{L}{3,11})[. -]+(\d{4}|\d\d)(?:[T, ]+(.*))?$/u.exec(trimmed) ??
    /^(?<month>\p{L}{3,9})\.? (\d{1,2}),? (\d{4})(?:[T, ]+(.*))?$/u.exec(text);
  if (words === null) return undefined;
  const isMonthFirst = words.groups?.month !== undefined;
  const month = monthNumber(words[isMonthFirst ? 1 : 2] ?? "");
  if (month === undefined) return undefined;
  const day = Number(words[isMonthFirst ? 2 : 1]);
  return { year: toYear(words[3] ?? ""), numbers: [day, month], order: "day-first", rest: words[4] ?? "" };
}

/** `08:10`, `8.10`, `0810`, `8:10 PM` and `1899-12-30T08:10:00`, Excel's time without a day, as `08:10` or `08:10:30`. */
export function readTime(text: string): string | undefined {
  const bare = text
    .replace(/^18\d\d-\d\d-\d\dT/, "")
    .replace(/^(?:klo?\.?|um|à|ore) */i, "")
    .trim();
  const [, hour = "", minute = "", second, half] =
    /^(\d{1,2})[:.h]?(\d\d)(?:[:.]?(\d\d)(?:\.\d+)?)?(?: *([ap])\.?m\.?)?$/i.exec(bare) ?? [];
  if (minute === "") return undefined;
  const afternoon = half?.toLowerCase() === "p" && hour !== "12" ? 12 : 0;
  const ofDay = half?.toLowerCase() === "a" && hour === "12" ? 0 : Number(hour) + afternoon;
  if (ofDay > 23 || Number(minute) > 59) return undefined;
  const written = `${String(ofDay).padStart(2, "0")}:${minute}`;
  return second === undefined || second === "00" ? written : `${written}:${second}`;
}

/** What dates of one column say about their order; both if they contradict each other, none if they do not say. */
export function ordersIn(texts: readonly string[]): ReadonlySet<DateOrder> {
  return new Set(texts.flatMap((text) => readDay(text)?.order ?? []));
}

/** Whether a text is a date whose order it does not say. */
export const isUndecided = (text: string): boolean => {
  const day = readDay(text);
  return day !== undefined && day.order === undefined && day.numbers[0] !== day.numbers[1];
};

/** A date as `2026-11-27` or `2026-11-27 08:10`; undefined if the text is none that exists. */
export function readDate(text: string, order: DateOrder): string | undefined {
  const day = readDay(text);
  if (day === undefined) return undefined;
  const [first, second] = day.numbers;
  const isTurned = day.order === undefined ? order === "month-first" : day.order === "month-first";
  const [ofMonth, month] = isTurned ? [second, first] : [first, second];
  const date = new Date(Date.UTC(day.year, month - 1, ofMonth));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== ofMonth) return undefined;
  const written = date.toISOString().slice(0, 10);
  const time = readTime(day.rest.replace(/Z$/, ""));
  return time === undefined || day.rest === "" || /^00:00/.test(time) ? written : `${written} ${time}`;
}

const monthWords = `(?:${months.map(({ start }) => start).join("|")})`;
const damaged = new RegExp(
  `^(?:\\d{1,2}[-. ]+${monthWords}\\p{L}*\\.?|${monthWords}\\p{L}*\\.?[- ]+\\d{2,4})$`,
  "iu",
);

/** The number that Excel has probably turned into a date, such as 2-11 for `02-nov` and 12.4 for `12-apr`. @param sign between its parts */
export function numberBeforeExcel(text: string, sign: string): string {
  const year = /^(\d{4})-(\d\d)-(\d\d)/.exec(text);
  if (year !== null) {
    // Excel takes 11-32 for November 1932, and 2-11 for 2 November of the year in which it is typed.
    const isMonthOfYear = Number(year[3]) === 1 && (Number(year[1]) < 2000 || Number(year[1]) >= 2030);
    if (isMonthOfYear) return `${Number(year[2])}${sign}${year[1]?.slice(2)}`;
    return `${Number(year[3])}${sign}${Number(year[2])}`;
  }
  const [first = "", second = ""] = text.split(/[-. /]+/);
  const part = (one: string) => monthNumber(one) ?? Number(one);
  return `${part(first)}${sign}${part(second)}`;
}

/** Whether Excel, or a program like it, has turned a number such as 2-11 or 12.4 into a date. */
export const isDamagedByExcel = (text: string): boolean =>
  damaged.test(text) || /^\d{4}-\d\d-\d\d(?:T|$)/.test(text) || /^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}$/.test(text);
