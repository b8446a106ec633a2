import { readFlag } from "../../core/formats/flag.ts";
import { ProblemError, problem } from "../http/problem.ts";

/**
 * Whether a query asks that the union be asked for the players.
 *
 * @param query values by name in lower case
 * @throws ProblemError 400 if `players` has a value that is no flag, or both
 */
export function asksForPlayers(query: ReadonlyMap<string, readonly string[]>): boolean {
  const [asks, ...others] = new Set(query.get("players")?.map(readFlag) ?? [false]);
  if (asks !== undefined && others.length === 0) return asks;
  const detail = "players is 1, to have the union asked for the players, or left out.";
  const parameters = [{ parameter: "players", detail }];
  throw new ProblemError({ ...problem(400, "Parameter not understood", detail), parameters });
}
