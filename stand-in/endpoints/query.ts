/** A request's query: the first value of each parameter, names in lower case since the union ignores case. */
export type Query = Readonly<Record<string, string>>;

/**
 * Reads a query.
 *
 * A second question mark joins parameters as an ampersand does: the union's own example of a member lookup has one.
 *
 * @param text what follows the first question mark
 */
export function readQuery(text: string): Query {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text.replaceAll("?", "&"))) {
    query[name.toLowerCase()] ??= value;
  }
  return query;
}
