import { ProblemError, problem } from "../http/problem.ts";

/**
 * Whether a query asks that the union be asked for the players.
 *
 * @param query values by name in lower case
 * @throws ProblemError 400 if `players` has another value than 1
 */
export function asksForPlayers(query: ReadonlyMap<string, readonly string[]>): boolean {
  const values = query.get("players") ?? [];
  if (values.every((value) => value === "1")) return values.length > 0;
  const detail = "players is 1, to have the union asked for the players, or left out.";
  const parameters = [{ parameter: "players", detail }];
  throw new ProblemError({ ...problem(400, "Parameter not understood", detail), parameters });
}
