import { maxPlayers } from "@scorecard-pipeline/card-files/start-list";
import { formatCount } from "../../base/format.ts";
import type { OpenTable } from "../../tables/connection.ts";
import { words } from "../../texts/tables/texts.ts";

const names = words.startList;

const maxDaysMilliseconds = 30 * 86_400_000;

/** The numbers in a text such as `1, 2`; undefined if they are no rounds. */
export function parseRounds(text: string): readonly number[] | undefined {
  const rounds = text
    .split(/[\s,;]+/)
    .filter((one) => one !== "")
    .map(Number);
  const isRound = (round: number) => Number.isInteger(round) && round >= 1 && round <= 99;
  const isUnique = new Set(rounds).size === rounds.length;
  return rounds.length <= 10 && isUnique && rounds.every(isRound) ? rounds : undefined;
}

/** What keeps a start list from being sent, apart from its rows. */
export function findProblem({
  columns,
  from,
  to,
  rounds,
  players,
}: {
  readonly columns: OpenTable["opened"]["startList"];
  readonly from: string;
  readonly to: string;
  readonly rounds: readonly number[] | undefined;
  readonly players: number;
}): string | undefined {
  if (columns.unionId === "") return names.noColumn;
  const length = Date.parse(to) - Date.parse(from);
  if (!(length >= 0 && length <= maxDaysMilliseconds)) return names.badDays;
  if (rounds === undefined) return names.badRounds;
  return players > maxPlayers ? names.tooMany(formatCount(maxPlayers)) : undefined;
}
