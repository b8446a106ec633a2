/** A request's query: the first value of each parameter. Names are in lower case, because the union ignores case. */
export type Query = Readonly<Record<string, string>>;

/**
 * Parses a query.
 *
 * A second question mark counts as an ampersand: the union's own example of a member lookup has one.
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
