import { readRoundFacts } from "@scorecard-pipeline/card-files/base/round-facts";
import { tournamentIdOf } from "@scorecard-pipeline/card-files/base/tournament-id";
import { isSent, type TableRow } from "@scorecard-pipeline/card-files/table-row";

/** A tournament of which cards were sent, with its days of play, `2026-07-04`. */
export interface SentTournament {
  readonly id: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Finds the tournaments of the cards that were sent. */
export async function findSentTournaments(rows: readonly TableRow[]): Promise<SentTournament[]> {
  const sent = rows.filter(isSent).map(({ card }) => readRoundFacts(card.value));
  const byName = Map.groupBy(sent, ({ tournament }) => tournament);
  byName.delete("");
  return await Promise.all(
    [...byName].map(async ([name, rounds]) => {
      const days = rounds.flatMap(({ day }) => day ?? []).toSorted();
      return { id: await tournamentIdOf(name), name, from: days[0] ?? "", to: days.at(-1) ?? "" };
    }),
  );
}
