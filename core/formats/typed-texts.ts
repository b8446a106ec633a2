import type * as z from "zod/mini";
import { readFlag } from "./flag.ts";

const readNumber = (text: string) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);
/** By the kind of a schema; a literal here is a number. */
const readers = new Map<string, (text: string) => unknown>([
  ["number", readNumber],
  ["literal", readNumber],
  ["boolean", readFlag],
]);

/**
 * Reads numbers and Booleans of a schema that a system has written as texts, `"4"` or `"True"`, in the value itself: it must be just
 * parsed. A text that is none of them stays.
 *
 * @returns the names of their fields
 */
export function readTypedTexts(schema: z.core.$ZodType, value: unknown): string[] {
  const def = unwrap(schema);
  if (def.type === "array")
    return Array.isArray(value) ? value.flatMap((one) => readTypedTexts(def.element, one)) : [];
  if (def.type !== "object" || typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  return Object.entries(def.shape).flatMap(([name, field]) => {
    const text = fields[name];
    if (typeof text !== "string") return readTypedTexts(field, text);
    const read = readers.get(unwrap(field).type)?.(text.trim());
    if (read === undefined) return [];
    fields[name] = read;
    return [name];
  });
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "optional" || def.type === "nullable" ? unwrap(def.innerType) : def;
}
