import { readRoundFacts } from "@scorecard-pipeline/card-files/base/round-facts";
import { describeTee } from "@scorecard-pipeline/card-files/reading/read-tees";
import type { Reading } from "@scorecard-pipeline/card-files/reading/reading";
import { rowReader } from "@scorecard-pipeline/card-files/table-cards";
import type { TableTexts } from "@scorecard-pipeline/card-files/words/en";

/** A card as a golfer knows it, to be compared with the one on paper. */
export interface DrawnCard {
  /** The row that it is of. */
  readonly row: number;
  readonly name: string;
  /** The name that the register has; undefined if it could not be asked. */
  readonly registered?: string | undefined;
  readonly player: string;
  readonly day: string;
  readonly tee: string;
  /** Times 10,000. */
  readonly index: unknown;
  readonly courseHandicap: unknown;
  /** Par is undefined if the tee is not known; -1 is a hole that was not played, 0 one that was picked up. */
  readonly holes: readonly { readonly par: number | undefined; readonly strokes: number }[];
}

const total = ({ holes }: DrawnCard) => holes.reduce((sum, { strokes }) => sum + Math.max(0, strokes), 0);

/** Draws the first card of a table, and the one that differs most from the others. */
export function drawCards(reading: Reading, texts: TableTexts): readonly DrawnCard[] {
  const { header, columns, rows, numbers, tees } = reading;
  const read = rowReader(header, columns, texts);
  const cards = rows.flatMap((cells, place): DrawnCard[] => {
    const { value, number } = read(cells, numbers[place] ?? 0);
    const { name = "", player = "", day = "", strokes, tee: teeId } = readRoundFacts(value);
    const { HCP, CourseHandicap } = value as Readonly<Record<string, unknown>>;
    const tee = tees.find(({ id }) => id.toLowerCase() === teeId);
    if (strokes.length === 0) return [];
    return [
      {
        row: number,
        name,
        player,
        day,
        tee: tee === undefined ? "" : `${tee.name} (${describeTee(tee)})`,
        index: HCP,
        courseHandicap: CourseHandicap,
        holes: strokes.map((one, hole) => ({ par: tee?.pars[hole], strokes: Number(one) })),
      },
    ];
  });
  const [first, ...others] = cards;
  if (first === undefined) return [];
  const mean = cards.reduce((sum, card) => sum + total(card), 0) / cards.length;
  const oddity = (card: DrawnCard) => Math.abs(total(card) - mean);
  const [oddest] = others.toSorted((one, other) => oddity(other) - oddity(one));
  return oddest === undefined ? [first] : [first, oddest];
}
