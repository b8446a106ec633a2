import { readFlag } from "../../core/formats/flag.ts";
import { ProblemError, problem } from "./problem.ts";

/**
 * Whether a flag of a query is set.
 *
 * @param query values by name in lower case
 * @param meaning what setting it does
 * @throws ProblemError 400 if it has a value that is no flag, or both
 */
export function readQueryFlag(
  query: ReadonlyMap<string, readonly string[]>,
  name: string,
  meaning: string,
): boolean {
  const [isSet, ...others] = new Set(query.get(name)?.map(readFlag) ?? [false]);
  if (isSet !== undefined && others.length === 0) return isSet;
  const detail = `${name} is 1, ${meaning}, or left out.`;
  const parameters = [{ parameter: name, detail }];
  throw new ProblemError({ ...problem(400, "Parameter not understood", detail), parameters });
}
