import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unpackText } from "../../core/aws/packed-json.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";

/** All texts of a value, those of JSON that is a text in it included. */
export function collectTexts(value: unknown): string[] {
  if (typeof value === "string") {
    const inner = parsed(value);
    return inner === undefined ? [value] : collectTexts(inner);
  }
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, entry]) => [name, ...collectTexts(entry)]);
}

/** A JSON object or array in a text. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All texts of an attribute; what is packed in it is unpacked. */
export const attributeTexts = ({ B: packed, ...value }: AttributeValue): string[] =>
  collectTexts(packed === undefined ? Object.values(value) : unpacked(packed));

function unpacked(bytes: Uint8Array): string {
  try {
    return unpackText(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

/** A text of JSON with those entries of its lists only that name a person, and how many it lacks. A list that names nobody stays. */
export function onlyNaming(text: string, names: NamesPerson): { text: string; leftOut: number } {
  let leftOut = 0;
  const trim = (_: string, entry: unknown): unknown => {
    const inner = typeof entry === "string" ? parsed(entry) : undefined;
    if (inner !== undefined) return JSON.stringify(inner, trim);
    const naming = Array.isArray(entry) ? entry.filter((one) => collectTexts(one).some(names)) : [];
    if (!Array.isArray(entry) || naming.length === 0) return entry;
    leftOut += entry.length - naming.length;
    return naming;
  };
  return { text: String(trim("", text)), leftOut };
}
