import { readFlag } from "../../core/formats/flag.ts";
import { ProblemError, problem } from "./problem.ts";

/**
 * Whether a flag of a query is set.
 *
 * @param query values by name in lower case
 * @param meaning what setting it does
 * @throws ProblemError 400 if it has a value that is no flag, or both
 */
function readQueryFlag(
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

/** Whether a validation asks that the union be asked for the players. @throws ProblemError 400 */
export const asksForPlayers = (query: ReadonlyMap<string, readonly string[]>): boolean =>
  readQueryFlag(query, "players", "to have the union asked for the players");

/** Whether a webhook's test is to have a wrong signature. @throws ProblemError 400 */
export const asksForForgery = (query: ReadonlyMap<string, readonly string[]>): boolean =>
  readQueryFlag(query, "forged", "to sign the event with another secret");
