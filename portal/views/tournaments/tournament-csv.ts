import { writeCsvCell } from "@scorecard-pipeline/card-files/csv-cell";
import type { TournamentCard, TournamentRefusal } from "@scorecard-pipeline/scorecards-client";
import type { TournamentTexts } from "../../texts/tournaments/en.ts";

/** What a CSV file is written with. */
export interface CsvForm {
  readonly words: TournamentTexts["csv"];
  readonly stateText: (state: string) => string;
  /** Semicolons where a comma is in decimals, since spreadsheets there expect them. */
  readonly separator: "," | ";";
}

/** The separator of a reader's spreadsheets. @param locale a tag of their language */
export const chooseSeparator = (locale: string): "," | ";" =>
  new Intl.NumberFormat(locale).format(1.5).includes(",") ? ";" : ",";

type Cell = string | number | undefined;

/** A table of all of a tournament's cards, those that were refused at its end. It begins with a mark, by which Excel knows UTF-8. */
export function writeTournamentCsv(
  cards: readonly TournamentCard[],
  refused: readonly TournamentRefusal[],
  { words, stateText, separator }: CsvForm,
): string {
  const head = [
    words.externalId,
    words.day,
    words.round,
    words.player,
    words.club,
    words.handicap,
    words.holes,
    words.played,
    words.gross,
    words.net,
    words.points,
    words.state,
    words.record,
    words.warnings,
    words.faults,
  ];
  const rows: Cell[][] = cards.map(({ result, ...card }) => [
    card.externalId,
    card.day,
    card.round,
    card.playerName,
    card.clubName,
    card.playingHandicap,
    result.holes,
    result.played,
    result.gross,
    result.net,
    result.points,
    stateText(card.state),
    card.record && (card.record === "recorded" ? words.yes : words.no),
    card.warnings.join(" "),
    undefined,
  ]);
  const ofRefused: Cell[][] = refused.map(({ externalId, day, round, errors }) => [
    externalId,
    day,
    round,
    ...Array.from({ length: 8 }, () => undefined),
    stateText("refused"),
    undefined,
    undefined,
    errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join(" | "),
  ]);
  const lines = [head, ...rows, ...ofRefused].map((cells) => cells.map(writeCsvCell).join(separator));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}
