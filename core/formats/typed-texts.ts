import { readFlag } from "./flag.ts";

/** Fields that a document calls numbers or Booleans, of one kind of object. */
export interface TypedFields {
  readonly numbers: readonly string[];
  readonly flags: readonly string[];
}

/**
 * Reads numbers and Booleans of an object that a system has written as texts, `"4"` or `"True"`, in the object itself: it must be just
 * parsed. A text that is none of them stays.
 */
export function readTypedTexts(value: unknown, { numbers, flags }: TypedFields): void {
  if (typeof value !== "object" || value === null) return;
  const fields = value as Record<string, unknown>;
  const read = (name: string, parse: (text: string) => unknown): void => {
    const text = fields[name];
    const parsed = typeof text === "string" ? parse(text.trim()) : undefined;
    if (parsed !== undefined) fields[name] = parsed;
  };
  for (const name of numbers) read(name, readNumber);
  for (const name of flags) read(name, readFlag);
}

const readNumber = (text: string) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);
