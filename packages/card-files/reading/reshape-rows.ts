import tableWords from "../words/table-words.json" with { type: "json" };
import type { Assignment } from "./assign-columns.ts";
import { isDayHeading, isWord, plainHeading, readWords } from "./headings.ts";
import type { HoleColumns } from "./hole-columns.ts";
import type { WorkingRow, WorkingTable } from "./reading.ts";

const holesOfRound = 18;

/** The columns that tell one player from another. */
const playerKinds = ["Player/UnionID", "Player/LifeTimeID", "Player/FullName", "firstName", "lastName"];
/** The columns that tell one round of a player from another. */
const keyKinds = [...playerKinds, "Round/StartTime", "Round/TournamentRoundNumber", "ExternalID"];

function keyReader({ names }: WorkingTable, byKind: Assignment): (row: WorkingRow) => string {
  const places = keyKinds.flatMap((kind) => {
    const place = names.indexOf(byKind.get(kind) ?? "");
    return place === -1 ? [] : [place];
  });
  return ({ cells }) => JSON.stringify(places.map((place) => cells[place]));
}

/**
 * Makes one row a round of a table with one row a hole.
 *
 * @returns undefined if the table has another form
 */
export function joinHoleRows(table: WorkingTable, byKind: Assignment): WorkingTable | undefined {
  const [hole, strokes] = [byKind.get("hole"), byKind.get("strokes") ?? byKind.get("total")];
  if (hole === undefined || strokes === undefined) return undefined;
  const [ofHole, ofStrokes] = [table.names.indexOf(hole), table.names.indexOf(strokes)];
  const keyOf = keyReader(table, byKind);
  const rounds = new Map<string, { first: WorkingRow; holes: string[] }>();
  let last = 0;
  for (const row of table.rows) {
    const number = Number(row.cells[ofHole]);
    if (!(number >= 1 && number <= holesOfRound)) continue;
    let key = keyOf(row);
    // A hole that comes again is of another round, which no column tells.
    while (rounds.get(key)?.holes[number - 1] !== undefined) key += "+";
    const round = rounds.get(key) ?? { first: row, holes: [] };
    round.holes[number - 1] = row.cells[ofStrokes] ?? "";
    rounds.set(key, round);
    last = Math.max(last, number);
  }
  if (rounds.size === table.rows.length) return undefined;
  const count = last <= 9 ? 9 : holesOfRound;
  const kept = table.names
    .map((_, place) => place)
    .filter((place) => place !== ofHole && place !== ofStrokes);
  return {
    names: [
      ...kept.map((place) => table.names[place] ?? ""),
      ...Array.from({ length: count }, (_, place) => String(place + 1)),
    ],
    rows: [...rounds.values()].map(({ first, holes }) => ({
      number: first.number,
      cells: [
        ...kept.map((place) => first.cells[place] ?? ""),
        ...Array.from({ length: count }, (_, place) => holes[place] ?? ""),
      ],
    })),
  };
}

/**
 * Makes one row a round of a table whose rounds have a row for each nine: the second without a player, or both with a word for their nine.
 *
 * @returns undefined if the table has another form
 */
export function joinNineRows(
  table: WorkingTable,
  byKind: Assignment,
  sets: readonly HoleColumns[],
): WorkingTable | undefined {
  const [holes] = sets;
  if (sets.length !== 1 || holes?.columns.length !== 9 || holes.firstHole !== 1) return undefined;
  const places = holes.columns.map((name) => table.names.indexOf(name));
  const ofPlayer = table.names.indexOf(byKind.get("Player/UnionID") ?? byKind.get("Player/FullName") ?? "");
  const isNine = ({ cells }: WorkingRow, nine: "front" | "back") =>
    cells.some((text, place) => !places.includes(place) && isWord(text, nine));
  const rows: WorkingRow[] = [];
  for (let at = 0; at < table.rows.length; at += 2) {
    const [front, back] = table.rows.slice(at, at + 2);
    if (front === undefined || back === undefined || ofPlayer === -1) return undefined;
    const [player, second] = [front.cells[ofPlayer] ?? "", back.cells[ofPlayer] ?? ""];
    const isPair = second === "" || (second === player && isNine(front, "front") && isNine(back, "back"));
    if (player === "" || !isPair) return undefined;
    rows.push({ ...front, cells: [...front.cells, ...places.map((place) => back.cells[place] ?? "")] });
  }
  const ofBack = holes.columns.map((name) =>
    name.replace(/\d{1,2}(?=\D*$)/, (hole) => String(Number(hole) + 9)),
  );
  return rows.length === 0 ? undefined : { names: [...table.names, ...ofBack], rows };
}

const grossWords = readWords(tableWords.grossRows);
const otherWords = readWords(tableWords.otherRows);

/** What a table with several rows a player comes to: one row each, or what has to be asked. */
export type JoinedRows =
  | { readonly kind: "one" }
  | { readonly kind: "joined"; readonly table: WorkingTable; readonly counted: string }
  | { readonly kind: "question"; readonly choices: readonly string[] };

/** Writes what only the first row of a player has into the others, as where cells were merged. */
function fillDown(table: WorkingTable, byKind: Assignment, holes: HoleColumns): WorkingTable {
  const key = byKind.get("Player/UnionID") ?? byKind.get("Player/FullName");
  const place = table.names.indexOf(key ?? "");
  if (place === -1) return table;
  const ofHoles = new Set(holes.columns);
  let above: WorkingRow | undefined;
  const rows = table.rows.map((row) => {
    if (row.cells[place] !== "" || above === undefined) {
      above = row;
      return row;
    }
    const { cells } = above;
    return {
      ...row,
      cells: table.names.map((name, at) =>
        row.cells[at] !== "" || ofHoles.has(name) ? (row.cells[at] ?? "") : (cells[at] ?? ""),
      ),
    };
  });
  return { ...table, rows };
}

/** The column in which the rows of one player differ by few words; undefined if there is none. */
function findRowKinds(
  table: WorkingTable,
  groups: readonly (readonly WorkingRow[])[],
  holes: HoleColumns,
): number | undefined {
  const ofHoles = new Set(holes.columns);
  return table.names
    .map((name, place) => ({ name, place }))
    .filter(({ name }) => !ofHoles.has(name) && !isDayHeading(name))
    .find(({ place }) => {
      const texts = new Set(
        groups.flatMap((group) => group.map(({ cells }) => plainHeading(cells[place] ?? ""))),
      );
      const differ = groups.filter(
        (group) => new Set(group.map(({ cells }) => cells[place])).size === group.length,
      );
      const areWords = [...texts].every((text) => /^\p{L}/u.test(text));
      return texts.size >= 2 && texts.size <= 6 && areWords && differ.length > groups.length * 0.8;
    })?.place;
}

/**
 * Makes one row a round of a table whose players have rows of strokes, points and net strokes.
 *
 * @param answer the row that counts, if a person has said it
 */
export function joinPlayerRows(
  given: WorkingTable,
  byKind: Assignment,
  holes: HoleColumns,
  answer: string | undefined,
): JoinedRows {
  // Rows of nobody are not rows of one player.
  if (!playerKinds.some((kind) => byKind.has(kind))) return { kind: "one" };
  const table = fillDown(given, byKind, holes);
  const keyOf = keyReader(table, byKind);
  const byKey = Map.groupBy(table.rows, keyOf);
  const groups = [...byKey.values()].filter((group) => group.length > 1);
  const repeated = groups.reduce((sum, group) => sum + group.length, 0);
  if (groups.length === 0 || repeated < table.rows.length / 2) return { kind: "one" };
  const place = findRowKinds(table, groups, holes);
  if (place === undefined) return { kind: "one" };
  const textOf = (row: WorkingRow) => row.cells[place] ?? "";
  const texts = [...new Set(table.rows.map(textOf))].filter((text) => text !== "");
  const chosen = texts.find((text) => text === answer) ?? chooseRowKind(texts);
  if (chosen === undefined) return { kind: "question", choices: texts };
  return {
    kind: "joined",
    table: { ...table, rows: table.rows.filter((row) => textOf(row) === chosen) },
    counted: chosen,
  };
}

function chooseRowKind(texts: readonly string[]): string | undefined {
  const gross = texts.filter((text) => grossWords.has(plainHeading(text)));
  const others = texts.filter((text) => otherWords.has(plainHeading(text)));
  return gross.length === 1 && gross.length + others.length === texts.length ? gross[0] : undefined;
}

/** The day of a round: a text, or the column that has it. */
export type RoundDay = { readonly text?: string | undefined; readonly column?: string };

/** Makes a row of each round of a table with the holes of several rounds beside each other. */
export function splitRounds(
  table: WorkingTable,
  sets: readonly HoleColumns[],
  added: { readonly round: string; readonly day: string },
  days: readonly RoundDay[] | undefined,
): WorkingTable {
  const ofHoles = new Set(sets.flatMap(({ columns }) => columns));
  const kept = table.names.map((_, place) => place).filter((place) => !ofHoles.has(table.names[place] ?? ""));
  const [first] = sets;
  const dayOf = (round: number, cells: readonly string[]): readonly string[] => {
    if (days === undefined) return [];
    const { text, column } = days[round] ?? {};
    return [text ?? cells[table.names.indexOf(column ?? "")] ?? ""];
  };
  const rows = sets.flatMap((set, round) => {
    const places = set.columns.map((name) => table.names.indexOf(name));
    return table.rows.flatMap(({ number, cells }) => {
      const holes = places.map((place) => cells[place] ?? "");
      if (holes.every((text) => text === "")) return [];
      return [
        {
          number,
          round,
          cells: [
            ...kept.map((place) => cells[place] ?? ""),
            String(round + 1),
            ...dayOf(round, cells),
            ...holes,
          ],
        },
      ];
    });
  });
  return {
    names: [
      ...kept.map((place) => table.names[place] ?? ""),
      added.round,
      ...(days === undefined ? [] : [added.day]),
      ...(first?.columns ?? []),
    ],
    rows: rows.toSorted((one, other) => one.number - other.number || one.round - other.round),
  };
}
