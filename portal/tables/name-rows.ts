import type { FileCard } from "@scorecard-pipeline/card-files/file-card";
import { type NamedCard, namedCards } from "@scorecard-pipeline/card-files/named-cards";
import { isSent, type TableRow } from "./table-row.ts";

/** Rows with the names of their cards. */
export type NamedRows = ReturnType<typeof nameRows>;

async function* cardsIn(rows: readonly TableRow[]): AsyncGenerator<FileCard> {
  for (const { card } of rows) yield card;
}

/** Finds rows by their numbers and by the names of their cards, which change when rows are mended. */
export function nameRows(rows: readonly TableRow[]) {
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const byName = new Map<string, TableRow>();

  return {
    byNumber,
    /** Only of cards without a fault. */
    byName,

    /** Names the cards again: a name that was mended may free another row, or take its name. */
    async nameAll(): Promise<NamedCard[]> {
      byName.clear();
      const named: NamedCard[] = [];
      const kept = rows.filter((row) => !row.isLeftOut || isSent(row));
      for await (const card of namedCards(cardsIn(kept), new Map())) {
        const row = byNumber.get(card.number);
        if (row === undefined) continue;
        row.externalId = card.externalId;
        row.fault = card.fault;
        if (card.externalId !== undefined && card.fault === undefined) byName.set(card.externalId, row);
        named.push(card);
      }
      return named;
    },

    /** The cards whose rows are wanted when their turn comes. */
    async *only(
      named: readonly NamedCard[],
      isWanted: (row: TableRow) => boolean,
    ): AsyncGenerator<NamedCard> {
      for (const card of named) {
        const row = byNumber.get(card.number);
        if (row !== undefined && isWanted(row)) yield card;
      }
    },
  };
}
