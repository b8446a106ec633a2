import { isSent, type TableRow } from "./table-row.ts";

/** A tournament of which cards were sent, with its days of play, `2026-07-04`. */
export interface SentTournament {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Finds the tournaments of the cards that were sent. */
export function findSentTournaments(rows: readonly TableRow[]): SentTournament[] {
  const days = new Map<string, string[]>();
  for (const row of rows) {
    const { Round } = row.card.value as { readonly Round?: Readonly<Record<string, unknown>> };
    const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(String(Round?.StartTime)) ?? [];
    const name = Round?.TournamentName;
    if (!isSent(row) || typeof name !== "string" || day === undefined) continue;
    // The same text is the same tournament, whatever spaces are in it.
    const plain = name.trim().replaceAll(/\s+/g, " ");
    const all = [...(days.get(plain) ?? []), `${year}-${month}-${day}`].toSorted();
    days.set(plain, [all[0] ?? "", all.at(-1) ?? ""]);
  }
  return [...days].map(([name, [from = "", to = ""]]) => ({ name, from, to }));
}
