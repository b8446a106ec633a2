import type { FileCard } from "../../../../packages/card-files/card-fault.ts";
import { describeStop, type SumColumn } from "../../../../packages/card-files/proof.ts";
import {
  createUnionMemory,
  type UnionClient,
  understandWithUnion,
} from "../../../../packages/card-files/reading/consult-union.ts";
import { readGridFile } from "../../../../packages/card-files/reading/read-grid-file.ts";
import { type Answers, answerKey, type Reading } from "../../../../packages/card-files/reading/reading.ts";
import { proveRows, rowReader } from "../../../../packages/card-files/table-cards.ts";
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

/** A table as a person reads it who knows some answers and no other. */
export interface AnsweredTable {
  readonly asked: ReadonlySet<string>;
  /** Why it was stopped. */
  readonly stopped?: string;
  readonly cards: readonly FileCard[];
  readonly sums: readonly SumColumn[];
}

/** Reads a table, and answers what is asked until nothing is open, or an answer is not known. */
export async function answerTable(
  { name, bytes }: WrittenFile,
  client: UnionClient,
  answers: Answers,
  today = facts.today,
): Promise<AnsweredTable> {
  const [grid, memory, asked] = [readGridFile(bytes, name), createUnionMemory(), new Set<string>()];
  const stop = (stopped: string) => ({ asked, stopped, cards: [], sums: [] });
  const tell = (found: Reading["doubts"]) => stop(found.map((one) => describeStop(one, en)).join(" "));
  let given: Answers = {};
  for (;;) {
    const reading = await understandWithUnion(grid, given, { today }, client, memory);
    if (reading.doubts.length > 0) return tell(reading.doubts);
    const open = reading.questions.map(answerKey);
    for (const key of open) asked.add(key);
    const known = open.flatMap((key) => {
      const answer = answers[key] ?? (key.startsWith("tee:") ? answers.tee : undefined);
      return answer === undefined || given[key] === answer ? [] : [[key, answer] as const];
    });
    if (open.length > 0 && known.length === 0) return stop(`asks for ${open.join(", ")}`);
    given = { ...given, ...Object.fromEntries(known) };
    if (open.length > 0) continue;
    const proof = proveRows(reading, en);
    if (proof.stops.length > 0) return tell(proof.stops);
    const readCard = rowReader(reading.header, reading.columns, en, { ...proof, tees: reading.tees });
    const cards = reading.rows.map((row, place) => readCard(row, reading.numbers[place] ?? 0));
    return { asked, cards, sums: proof.sums };
  }
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
