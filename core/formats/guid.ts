import * as z from "zod/mini";

/** A database identifier of the union, 8-4-4-4-12 hexadecimal digits in any case. @see union-api, What the service does, 6 */
export type Guid = string & z.core.$brand<"Guid">;

/** A GUID in upper case, so equal GUIDs are equal texts. */
export type GuidKey = Guid & z.core.$brand<"GuidKey">;

const form = "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

/** The same with each digit written out: without counters it is twice as fast, and a card has five GUIDs. */
const writtenOut = new RegExp(
  `^${[8, 4, 4, 4, 12].map((digits) => "[0-9A-Fa-f]".repeat(digits)).join("-")}$`,
);

/** Whether a text is a GUID. The union's own do not all follow RFC 9562, so version and variant are not checked. */
export function isGuid(text: string): text is Guid {
  return text.length === 36 && writtenOut.test(text);
}

/** The form in which GUIDs are compared: the union's server ignores case, and its clients rely on it. */
export const guidKey = (guid: string): GuidKey => guid.toUpperCase() as GuidKey;

/** Parses a GUID. */
export const guidSchema = z
  .string()
  .check(z.refine(isGuid, "guid_invalid"), z.meta({ pattern: form }))
  .brand<"Guid">();
