import {
  createUnionMemory,
  understandWithUnion,
} from "../../../../packages/card-files/reading/consult-union.ts";
import { readGridFile } from "../../../../packages/card-files/reading/read-grid-file.ts";
import type { Answers, Reading } from "../../../../packages/card-files/reading/reading.ts";
import { rowReader } from "../../../../packages/card-files/table-cards.ts";
import { en } from "../../../../packages/card-files/words/en.ts";
import { type DrawnCard, unionOf } from "./drawn-field.ts";

/** What tables are read on. */
const facts = { today: "2026-11-27" };

/** A file as the tests write it. */
export interface WrittenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A text as a file in UTF-8. */
export const textFile = (text: string, name = "results.csv"): WrittenFile => ({
  name,
  bytes: new TextEncoder().encode(text),
});

/** Reads a file with some answers. */
export async function read(
  { name, bytes }: WrittenFile,
  cards: readonly DrawnCard[],
  answers: Answers = {},
): Promise<Reading> {
  return await understandWithUnion(
    readGridFile(bytes, name),
    answers,
    facts,
    unionOf(cards),
    createUnionMemory(),
  );
}

/** What of a card is compared with what was drawn. */
type Compared = Record<string, unknown>;

/** The cards of a reading, without those that a person is asked about first. */
export function cardsOf(reading: Reading): Compared[] {
  const readCard = rowReader(reading.header, reading.columns, en);
  return reading.rows.flatMap((row, place) => {
    const { value, fault } = readCard(row, reading.numbers[place] ?? 0);
    if (fault !== undefined) return [];
    const { Player, HCP, CourseHandicap, Round, Course, Result, Marker } = value as Record<
      string,
      Record<string, unknown>
    >;
    return [
      {
        player: Player?.UnionID,
        index: Number(HCP),
        courseHandicap: CourseHandicap,
        start: Round?.StartTime,
        tee: Course?.TeeID,
        strokes: Result?.Strokes,
        marker: Marker?.UnionID ?? Marker?.FullName,
      },
    ];
  });
}

/** A drawn card as `cardsOf` shows it. */
export function compared({ player, courseHandicap, day, time, tee, strokes, marker }: DrawnCard): Compared {
  return {
    player: player.unionId,
    index: player.index,
    courseHandicap,
    start: `${day.replaceAll("-", "")}T${time.replace(":", "")}00`,
    tee: tee.id,
    strokes,
    marker,
  };
}
