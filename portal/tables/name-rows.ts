import { externalIdOf } from "@scorecard-pipeline/card-files/base/external-id";
import { type NamedCard, namedCards } from "@scorecard-pipeline/card-files/named-cards";
import { isSent, type TableRow } from "./table-row.ts";

/** Rows with the names of their cards. */
export type NamedRows = ReturnType<typeof nameRows>;

/** Finds rows by their numbers and by the names of their cards, which change when rows are mended. */
export function nameRows(rows: readonly TableRow[]) {
  /** Names of sent cards by those of the cards that correct them. */
  const renamed = new Map<string, string>();
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const byName = new Map<string, TableRow>();

  return {
    byNumber,
    /** Only of cards without a fault. */
    byName,
    renamed,

    /** Names the cards again: a name that was mended may free another row, or take its name. */
    async nameAll(): Promise<NamedCard[]> {
      byName.clear();
      const named: NamedCard[] = [];
      const kept = rows.filter((row) => !row.isLeftOut || isSent(row));
      for (const { sent, card } of kept) {
        const name = externalIdOf(card.value);
        // A round whose player or day was mended after it was sent keeps its card.
        if (sent !== undefined && name !== undefined && name !== sent.externalId)
          renamed.set(name, sent.externalId);
      }
      for await (const card of namedCards(
        kept.map(({ card }) => card),
        renamed,
      )) {
        const row = byNumber.get(card.number);
        if (row === undefined) continue;
        const { fault: _, externalId: __, ...read } = card;
        row.card = row.card.fault === undefined ? read : row.card;
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
