/**
 * Reads texts from the variables that the stack gives a function. Where one is more than a text, a schema reads all.
 *
 * @throws Error that names what is not set
 */
export function variables<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, string>> {
  const missing = names.filter((name) => process.env[name] === undefined);
  if (missing.length > 0) throw new Error(`The environment has no ${missing.join(", ")}.`);
  return Object.fromEntries(names.map((name) => [name, process.env[name]])) as Record<Name, string>;
}
