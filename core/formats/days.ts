/** A day in milliseconds. */
export const dayMilliseconds = 86_400_000;

/** The first and the last of some days, e.g. `2026-07-04`; both are included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The day that is a number of days before another, e.g. `2026-07-04`. */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMilliseconds).toISOString().slice(0, 10);

/** How many days these are. */
export const countDays = ({ from, to }: Days): number =>
  (Date.parse(to) - Date.parse(from)) / dayMilliseconds + 1;
