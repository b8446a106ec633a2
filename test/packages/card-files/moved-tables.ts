import languages from "./moved-headings.json" with { type: "json" };
import {
  type Draw,
  type DrawnCard,
  drawCards,
  drawFrom,
  pointsOf,
  sum,
  textOfIndex,
  unionOf,
} from "./reading/drawn-field.ts";
import { answerTable, textFile } from "./reading/read-cards.ts";

/** A whole number from 0. */
const below = (draw: Draw, limit: number): number => Math.floor(draw(1) * limit);

/** How a table is damaged before it is read. */
export const damages = ["none", "hole", "row", "cell", "columns"] as const;

interface DrawnRow {
  readonly card: DrawnCard;
  readonly start: readonly string[];
  readonly holes: readonly string[];
  readonly sums: readonly string[];
}

function damage(
  rows: readonly DrawnRow[],
  kind: (typeof damages)[number],
  draw: Draw,
): readonly (readonly string[])[] {
  const write = ({ start, holes, sums }: DrawnRow) => [...start, ...holes, ...sums];
  if (kind === "hole")
    return rows.map(({ start, holes, sums }) => [
      ...start,
      holes.at(-1) ?? "",
      ...holes.slice(0, -1),
      ...sums,
    ]);
  if (kind === "row")
    return rows.map((row, place) => write({ ...row, holes: rows[(place + 1) % rows.length]?.holes ?? [] }));
  if (kind === "cell") {
    const [at, hole] = [below(draw, rows.length), below(draw, 18)];
    return rows.map((row, place) =>
      write(
        place === at ? { ...row, holes: row.holes.with(hole, String(Number(row.holes[hole]) + 2)) } : row,
      ),
    );
  }
  if (kind === "columns") {
    const [one, other] = [below(draw, 9), 9 + below(draw, 9)];
    return rows.map((row) =>
      write({ ...row, holes: row.holes.with(one, row.holes[other] ?? "").with(other, row.holes[one] ?? "") }),
    );
  }
  return rows.map(write);
}

/** What became of a table: right, stopped with a sentence, some rows red, or wrong without a word. */
export interface MovedOutcome {
  readonly outcome: "right" | "stopped" | "red" | "wrong";
  readonly told: string;
}

/** Draws a table with sums, damages it, and reads it as a person does who knows the answers to its questions. */
export async function readMoved(seed: number, kind: (typeof damages)[number]): Promise<MovedOutcome> {
  const draw = drawFrom(seed);
  const cards = drawCards(draw, { players: 8 + below(draw, 17) });
  const words = (languages[seed % languages.length] ?? languages[0]) as (typeof languages)[number];
  // Two holes that change places leave the total as it is: only the sums of the nines show it.
  const hasNines = kind === "columns" || below(draw, 2) === 1;
  const kinds = [
    "gross",
    ...(hasNines ? ["out", "in"] : []),
    ...(below(draw, 2) === 1 ? ["points"] : []),
    ...(below(draw, 3) === 0 ? ["net"] : []),
  ] as const;
  const sums = (card: DrawnCard): Readonly<Record<string, number>> => ({
    gross: sum(card.strokes),
    out: sum(card.strokes.slice(0, 9)),
    in: sum(card.strokes.slice(9)),
    net: sum(card.strokes) - card.courseHandicap,
    points: sum(pointsOf(card)),
  });
  const rows = cards.map(
    (card): DrawnRow => ({
      card,
      start: [
        card.player.name,
        card.player.unionId,
        textOfIndex(card.player.index),
        String(card.courseHandicap),
        card.tee.name,
        card.day,
      ],
      holes: card.strokes.map(String),
      sums: kinds.map((one) => String(sums(card)[one])),
    }),
  );
  const header = [
    words.name,
    words.number,
    words.index,
    words.handicap,
    words.tee,
    words.day,
    ...Array.from({ length: 18 }, (_, hole) => `${words.hole}${hole + 1}`),
    ...kinds.map((one) => words[one as "gross"]),
  ];
  const file = textFile(
    [["Cup"], ["Bogø Golf Klub, Skovbanen"], header, ...damage(rows, kind, draw)]
      .map((cells) => cells.join(";"))
      .join("\r\n"),
  );
  const answers: Record<string, string> = {
    marker: "Committee",
    "column:Player/UnionID": words.number,
    "column:HCP": words.index,
    course: "Bogø Golf Klub, Skovbanen",
    holes: "strokes",
  };
  const told = (what: unknown) => `${kind} ${seed}: ${JSON.stringify(what)}`;
  const { stopped, cards: found, sums: proven } = await answerTable(file, unionOf(cards), answers);
  if (stopped !== undefined) return { outcome: "stopped", told: told(stopped) };
  const right = new Map(cards.map((card) => [card.player.unionId, card.strokes.join()]));
  const wrong = found.filter(({ value, fault }) => {
    const { Player, Result } = value as {
      Player?: { UnionID?: string };
      Result?: { Strokes?: readonly number[] };
    };
    return fault === undefined && Result?.Strokes?.join() !== right.get(Player?.UnionID ?? "");
  });
  if (wrong.length > 0)
    return {
      outcome: "wrong",
      told: told([wrong.length, kinds, proven.map(({ column, kind: of }) => `${column}=${of}`)]),
    };
  return { outcome: found.some(({ fault }) => fault !== undefined) ? "red" : "right", told: "" };
}
