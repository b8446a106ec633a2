import * as z from "zod/mini";

/**
 * A handicap or rating as the union's wire carries it: a whole number, the value times 10,000. 71.8 is 718000.
 *
 * @see union-api, Resources and their fields
 */
export type TenThousandths = number & z.core.$brand<"TenThousandths">;

/** One whole stroke. */
export const oneStroke = 10_000;

/** Fifteen digits, so that the number it writes is one that a double holds exactly. */
const form = /^-?\d{1,15}$/;

/** Whether a value is a number times 10,000, as a number or as a text: vendors send both, whatever the table says. */
export function isTenThousandths(value: unknown): value is number | string {
  return typeof value === "string" ? form.test(value) : Number.isSafeInteger(value);
}

/** Reads a number times 10,000; undefined where the value is none. */
export function readTenThousandths(value: unknown): TenThousandths | undefined {
  return isTenThousandths(value) ? (Number(value) as TenThousandths) : undefined;
}

/** A number times 10,000 on the wire, kept as it was sent. */
export const tenThousandthsSchema = z.union(
  [z.int(), z.string().check(z.regex(form, "ten_thousandths_invalid"))],
  "ten_thousandths_invalid",
);
