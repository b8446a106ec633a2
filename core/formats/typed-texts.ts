import { readFlag } from "./flag.ts";

/** Fields that a document calls numbers or Booleans, of one kind of object. */
export interface TypedFields {
  readonly numbers: readonly string[];
  readonly flags: readonly string[];
}

/**
 * Reads numbers and Booleans of an object that a system has written as texts, `"4"` or `"True"`, in the object itself: it must be just
 * parsed. A text that is none of them stays.
 *
 * @returns the names of the fields that were such texts
 */
export function readTypedTexts(value: unknown, { numbers, flags }: TypedFields): string[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  const read = (name: string, parse: (text: string) => unknown): boolean => {
    const text = fields[name];
    const parsed = typeof text === "string" ? parse(text.trim()) : undefined;
    if (parsed !== undefined) fields[name] = parsed;
    return parsed !== undefined;
  };
  return [
    ...numbers.filter((name) => read(name, readNumber)),
    ...flags.filter((name) => read(name, readFlag)),
  ];
}

const readNumber = (text: string) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);
