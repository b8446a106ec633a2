import * as z from "zod/mini";

/** A handicap or rating of the union's API: an integer, the value times 10,000. @see union-api, Resources and their fields */
export type TenThousandths = number & z.core.$brand<"TenThousandths">;

/** One whole stroke. */
export const oneStroke = 10_000;
/** Handicap Indexes and ratings are given to it. */
export const tenth = oneStroke / 10;

/** The most characters of such a number as a text: a double holds fifteen digits exactly. */
export const maxTenThousandths = 15;
const form = /^(?:[0-9]{1,15}|-[0-9]{1,14})$/;
const [zero, minus] = [0x30, 0x2d];

/** Whether a value is a number times 10,000, as a number or as a string: vendors send both. */
export function isTenThousandths(value: unknown): value is number | string {
  return typeof value === "string" ? isWhole(value) : Number.isSafeInteger(value);
}

/** Whether a text has the form above. A loop is twice as fast as the pattern, and a card has several such texts. */
function isWhole(text: string): boolean {
  const { length } = text;
  const first = text.charCodeAt(0) === minus ? 1 : 0;
  if (length > maxTenThousandths || length === first) return false;
  for (let place = first; place < length; place++) {
    const digit = text.charCodeAt(place) - zero;
    if (!(digit >= 0 && digit <= 9)) return false;
  }
  return true;
}

/** Reads a number times 10,000; undefined if the value is not one. */
export function readTenThousandths(value: unknown): TenThousandths | undefined {
  return isTenThousandths(value) ? (Number(value) as TenThousandths) : undefined;
}

/** Parses a number times 10,000, and keeps it as it was sent. */
export const tenThousandthsSchema = z.union(
  [z.int(), z.string().check(z.regex(form, "ten_thousandths_invalid"))],
  "ten_thousandths_invalid",
);
