/**
 * Reads a flag of a query: the union writes 0 and 1, clients that are generated from the OpenAPI document false and true,
 * in any case.
 *
 * @returns undefined if it is none of these
 */
export function readFlag(text: string): boolean | undefined {
  switch (text.toLowerCase()) {
    case "1":
    case "true":
      return true;
    case "0":
    case "false":
      return false;
    default:
      return undefined;
  }
}
