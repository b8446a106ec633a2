import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unpackText } from "../../core/aws/packed-json.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";
import { collectTexts, parseNested } from "../../core/formats/nested-texts.ts";

/** Collects all texts of an attribute, and unpacks packed ones. */
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
    const inner = typeof entry === "string" ? parseNested(entry) : undefined;
    if (inner !== undefined) return JSON.stringify(inner, trim);
    const naming = Array.isArray(entry) ? entry.filter((one) => collectTexts(one).some(names)) : [];
    if (!Array.isArray(entry) || naming.length === 0) return entry;
    leftOut += entry.length - naming.length;
    return naming;
  };
  return { text: String(trim("", text)), leftOut };
}
