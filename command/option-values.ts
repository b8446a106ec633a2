import { InvalidArgumentError } from "commander";
import { isDay } from "../core/formats/union-time.ts";

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

/** Parses an option's value: a day, e.g. `2026-07-04`. */
export function day(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("Give a day, e.g. 2026-07-04.");
}
