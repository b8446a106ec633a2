import * as z from "zod/mini";

/**
 * A vendor's tenant name, the first segment of its paths.
 *
 * Branded, so no card can be read or written with a text that was not checked.
 *
 * @see union-api, Authentication: API Set
 */
export type ApiSet = string & z.core.$brand<"ApiSet">;

const shape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Names of paths beside the vendors' own, in lower case. */
const taken: ReadonlySet<string> = new Set(["login.aspx", "openapi.json", "operations", "portal"]);

/**
 * Reads an API set; undefined if the text is not one: 1 to 64 letters, digits, dots, dashes, underscores, and no path of the API's
 * own.
 */
export function readApiSet(text: unknown): ApiSet | undefined {
  const isName = typeof text === "string" && shape.test(text) && !taken.has(text.toLowerCase());
  return isName ? (text as ApiSet) : undefined;
}

/** Parses an API set. */
export const apiSetSchema = z.custom<ApiSet>((text) => readApiSet(text) !== undefined, "not an API set");
