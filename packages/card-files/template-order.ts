import { readRoundFacts } from "./base/round-facts.ts";
import type { UnionMemory } from "./reading/consult-union.ts";
import type { Reading } from "./reading/reading.ts";
import { rowReader } from "./table-cards.ts";
import { textOfValue } from "./table-values.ts";
import { en } from "./words/en.ts";

/** A player of a workbook to fill in. */
export interface TemplatePlayer {
  readonly unionId: string;
  readonly name: string;
  /** `12.4`, a plus handicap `+1.2`; empty if it is not known. */
  readonly index: string;
  readonly tee: string;
  /** `20260704T081000` */
  readonly start: string;
}

/** What a workbook to fill in has: plain data, which a worker can send. */
export interface TemplateOrder {
  readonly tournament: string;
  readonly course: string;
  readonly pars: readonly number[];
  readonly players: readonly TemplatePlayer[];
}

/** A card without strokes. */
interface ListedCard {
  readonly HCP?: unknown;
  readonly Round?: { readonly StartTime?: string };
}

/** Whether a table is a list of players without their scores. */
export const isPlayerList = ({ columns }: Pick<Reading, "columns">): boolean =>
  columns.has("Player/UnionID") && !columns.has("Result/Strokes");

/** What a workbook to fill in has of a list of players, once nothing is open about it. */
export function orderTemplate(reading: Reading, { members }: UnionMemory): TemplateOrder {
  const { header, columns, rows, numbers, tees, teeColumn, course = "" } = reading;
  const read = rowReader(header, columns, en);
  const cards = rows.map((cells, place) => read(cells, numbers[place] ?? 0).value);
  const ofTee = header.indexOf(teeColumn ?? "");
  const players = cards.map((card, place): TemplatePlayer => {
    const { player: unionId = "", name = members.get(unionId)?.name ?? "", ...facts } = readRoundFacts(card);
    const { HCP, Round } = card as ListedCard;
    const tee = tees.find(({ id }) => id.toLowerCase() === facts.tee)?.name ?? rows[place]?.[ofTee] ?? "";
    return {
      unionId,
      name,
      index: HCP === undefined ? "" : textOfValue(HCP, "HCP"),
      tee,
      start: Round?.StartTime ?? "",
    };
  });
  const pars = tees.find(({ name }) => name === players[0]?.tee)?.pars ?? [];
  return { tournament: readRoundFacts(cards[0]).tournament, course, pars, players };
}
