/** The wait before each attempt, the first included, in seconds: three days and three and a half hours together. */
const waits: readonly number[] = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** An event that its endpoint refused so often by itself is given up. */
export const maxAttempts = waits.length;

/** A wait is longer by up to this share of it, so that events that failed together are not all sent again together. */
const jitter = 1 / 5;

/** If attempts come late, for instance because an endpoint fails, no further one is made after this time. Milliseconds. */
const maxAge = 72 * 3_600_000;

/**
 * When an event is posted to an endpoint next: the schedule that Standard Webhooks recommends, ten attempts over three days.
 *
 * @param attempt how many attempts have failed: 0 before the first
 * @param firstAt when the first attempt was made or was to be made, milliseconds since 1970
 * @param now when the last attempt ended, milliseconds since 1970
 * @returns milliseconds since 1970; undefined if the event is given up, after ten attempts or three days
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, Deliverability and reliability
 */
export function nextAttempt(
  attempt: number,
  firstAt: number,
  now: number,
  random: number,
): number | undefined {
  const wait = waits[attempt];
  if (wait === undefined || now - firstAt >= maxAge) return undefined;
  return now + Math.round(wait * 1000 * (1 + random * jitter));
}
