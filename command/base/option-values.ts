import { InvalidArgumentError } from "commander";
import { isDay } from "../../core/formats/union-time.ts";

/** Parses an option's value: a whole number of at least 1. */
export function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("Give a whole number of at least 1.");
}

/** Parses an option's value: a port to listen on. */
export function port(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Give a number from 0 to 65535; 0 for any free port.");
}

/** Parses an option's value: the address of a server. */
export function address(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("Give an address that begins with http:// or https://.");
}

/** Parses an option's value: an HTTP status, e.g. 404. */
export function httpStatus(text: string): number {
  if (/^[1-5]\d\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give an HTTP status, e.g. 404.");
}

/** Parses an option's value: a day in UTC or a time in ISO 8601. @returns milliseconds since 1970, UTC */
export function instant(text: string): number {
  const at =
    isDay(text) || /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError(
    "Give a day, e.g. 2026-07-04, or a time with its zone, e.g. 2026-07-04T14:00:00Z.",
  );
}

/**
 * Parses an option's value: the end of a time, which a day belongs to as a whole.
 *
 * @returns milliseconds since 1970, UTC
 */
export function endInstant(text: string): number {
  return instant(text) + (isDay(text) ? 86_400_000 : 0);
}

/** Parses an option's value: hours, at most a week, e.g. `24h`. @returns milliseconds */
export function hours(text: string): number {
  const value = Number(/^(\d{1,3})h$/.exec(text)?.[1]);
  if (value >= 1 && value <= 7 * 24) return value * 3_600_000;
  throw new InvalidArgumentError("Give hours, a week at most, e.g. 24h.");
}

/** Parses an option's value: a day, e.g. `2026-07-04`. */
export function day(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("Give a day, e.g. 2026-07-04.");
}
