import type { CardFindings } from "@scorecard-pipeline/card-files/card-fault";
import type { Journal } from "@scorecard-pipeline/card-files/journal";
import type { NamedCard } from "@scorecard-pipeline/card-files/named-cards";
import { type PreviewCounts, previewCards } from "@scorecard-pipeline/card-files/preview-cards";
import { submitCards } from "@scorecard-pipeline/card-files/submit-cards";
import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import type { NamedRows } from "./name-rows.ts";
import { isDue, rowOutcome, type TableRow } from "./table-row.ts";

/** What rows are checked and sent with. */
export interface ApiAccess {
  readonly client: Pick<ScorecardsClient, "validate" | "submitInParts">;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
  /** Whether a person has said that rows correct delivered cards of another player and round, too. */
  readonly anyCorrection: boolean;
}

/** Requests to Validate and submissions at the same time, and how long each is tried: what the command does. */
const limits = { parallel: 4, retrySeconds: 600 };

function noteFound(
  row: TableRow | undefined,
  { errors, warnings, corrects }: Omit<CardFindings, "card">,
): void {
  if (row === undefined) return;
  row.verdict = { ...(errors && { errors }), ...(warnings && { warnings }), ...(corrects && { corrects }) };
}

/** Cards of a player after one another, so that few requests have the union asked for the same player. */
function byPlayer(cards: readonly NamedCard[]): readonly NamedCard[] {
  const playerOf = ({ value }: NamedCard) =>
    String((value as { readonly Player?: { readonly UnionID?: unknown } }).Player?.UnionID);
  return [...Map.groupBy(cards, playerOf).values()].flat();
}

/**
 * Asks the API about the rows that it was not asked about as they are now.
 *
 * @param named when it is known which rows were sent before
 */
export async function checkRows(
  rows: NamedRows,
  named: () => Promise<readonly NamedCard[]>,
  access: ApiAccess,
): Promise<PreviewCounts> {
  const jsons = new Map<number, string | undefined>();
  async function* due() {
    for await (const card of rows.only(byPlayer(await named()), isDue)) {
      jsons.set(card.number, card.json);
      yield card;
    }
  }
  /** The row of a card, unless it was mended while the API was asked. */
  const findUnchanged = (number: number) => {
    const row = rows.byNumber.get(number);
    return row !== undefined && row.card.json === jsons.get(number) ? row : undefined;
  };
  return await previewCards({
    ...access,
    ...limits,
    cards: due(),
    players: true,
    onJudged: ({ number }, found) => noteFound(findUnchanged(number), found),
  });
}

/** Notes in the rows what the journal has, and what is added to it. */
function noteInRows(journal: Journal, { byName }: NamedRows): Journal {
  return {
    known: journal.known,
    async has(externalId, json) {
      const isKnown = await journal.has(externalId, json);
      const row = byName.get(externalId);
      if (isKnown && row !== undefined) row.sent = { json, externalId, isBefore: true };
      return isKnown;
    },
    async add(cards) {
      await journal.add(cards);
      for (const { externalId, json } of cards) {
        const row = byName.get(externalId);
        if (row === undefined) continue;
        row.sent = { json, externalId, isBefore: false };
        row.state = undefined;
        row.verdict ??= {};
      }
    },
  };
}

/** Sends the rows that are ready: nothing that was not asked about. @returns why it ended early */
export async function sendRows(rows: NamedRows, journal: Journal, access: ApiAccess): Promise<unknown> {
  const named = await rows.nameAll();
  const { failure } = await submitCards({
    ...access,
    ...limits,
    cards: rows.only(named, (row) => rowOutcome(row) === "ready"),
    journal: noteInRows(journal, rows),
    onFound: ({ card, ...found }) => noteFound(rows.byNumber.get(card), found),
  });
  return failure;
}
