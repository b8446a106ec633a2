import type { ApiSet } from "../accounts/account.ts";
import { dayMilliseconds } from "../formats/days.ts";

/** How many of a vendor's cards were found on a day, of those that had to be. */
export interface DayOfChecks {
  readonly found: number;
  /** Not found at the last check, or not found any more. */
  readonly absent: number;
  /** When a card was last found, in milliseconds since 1970, UTC; 0 if none was. */
  readonly lastFoundAt: number;
}

/** Of a vendor's cards, this share has to be found before one is said to be missing. */
const minFoundShare = 0.5;

const isEnough = ({ found, absent }: Pick<DayOfChecks, "found" | "absent">) =>
  found > 0 && found >= minFoundShare * (found + absent);

/** With as many cards a run decides by itself. */
const minOfRun = 10;

/**
 * Whether records can be checked for a vendor: most of its cards are found. Otherwise the credentials may be those of another
 * register, or the record may have another shape, and nothing follows from a card that is not found.
 *
 * @param run the counts of this run. If it has few, the days before decide, unless a card that was found before is not found any more:
 *   a shape may have changed since
 * @param days those of the last days before
 * @param now milliseconds since 1970, UTC
 */
export function canBeChecked(
  run: Pick<DayOfChecks, "found" | "absent"> & { readonly vanished: number },
  days: readonly DayOfChecks[],
  now: number,
): boolean {
  if (isEnough(run)) return true;
  if (run.vanished > 0 || run.found + run.absent >= minOfRun) return false;
  const sum = (of: "found" | "absent") => days.reduce((total, one) => total + one[of], run[of]);
  const lastFoundAt = Math.max(0, ...days.map((one) => one.lastFoundAt));
  return lastFoundAt >= now - dayMilliseconds && isEnough({ found: sum("found"), absent: sum("absent") });
}

/** Days that are counted. */
export const countedDays = 3;

/** The days of a vendor's checks, in milliseconds since 1970. */
export interface FoundShares {
  /** The counted days of a vendor. */
  read(apiSet: ApiSet, now: number): Promise<DayOfChecks[]>;
  /** Adds the counts of a run to those of its day. */
  add(apiSet: ApiSet, counts: DayOfChecks, now: number): Promise<void>;
}
