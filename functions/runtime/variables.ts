/**
 * Reads a function's settings from environment variables of plain text. Functions that have a number or an address among
 * them use a schema instead.
 *
 * @throws Error with the names of missing variables
 */
export function variables<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, string>> {
  const missing = names.filter((name) => process.env[name] === undefined);
  if (missing.length > 0) throw new Error(`The environment has no ${missing.join(", ")}.`);
  return Object.fromEntries(names.map((name) => [name, process.env[name]])) as Record<Name, string>;
}
