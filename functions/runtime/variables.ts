/**
 * Reads the settings of a function from the variables that the stack gives it, where all of them are plain text. Where
 * one is a number, an address or JSON, the function reads them with a schema.
 *
 * @throws Error that names what is not set
 */
export function variables<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, string>> {
  const missing = names.filter((name) => process.env[name] === undefined);
  if (missing.length > 0) throw new Error(`The environment has no ${missing.join(", ")}.`);
  return Object.fromEntries(names.map((name) => [name, process.env[name]])) as Record<Name, string>;
}
