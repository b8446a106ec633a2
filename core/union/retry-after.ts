/** A longer Retry-After counts as an hour: a wrong header must not stop a day's work. */
const maxRetryAfterSeconds = 3600;

/** Whole seconds from a Retry-After header, in seconds or as a date, an hour at most; undefined if there is none. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1000);
  return seconds >= 0 ? Math.min(seconds, maxRetryAfterSeconds) : undefined;
}
