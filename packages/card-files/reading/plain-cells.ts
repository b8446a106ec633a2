import { type Assignment, placeOf, textsOf } from "./assign-columns.ts";
import { average, findHoleColumns, type HoleColumns, maxMeanPoints, minMeanStrokes } from "./hole-columns.ts";
import { addedColumns, type WorkingTable } from "./reading.ts";

const minShare = 0.8;

const isMost = <Value>(values: readonly Value[], test: (value: Value) => boolean): boolean =>
  values.length > 0 && values.filter(test).length >= values.length * minShare;

const withCells = (table: WorkingTable, write: (cells: readonly string[]) => string[]): WorkingTable => ({
  ...table,
  rows: table.rows.map((row) => ({ ...row, cells: write(row.cells) })),
});

/** The holes of a round that stand in one cell, such as `5 4 x 3 …` or `543…`; undefined if they do not. */
function splitRound(text: string): readonly string[] | undefined {
  if (/^\d{18}$/.test(text)) return [...text];
  const holes = text.split(/[\s,;|/]+/).filter((one) => one !== "");
  const isRound = holes.length === 9 || holes.length === 18;
  return isRound && holes.every((one) => /^(?:[+−-]?\d{1,2}|[-–xXeE])$/.test(one)) ? holes : undefined;
}

/** Gives each hole a column of its own where a round stands in one cell. */
export function splitHoles(table: WorkingTable): WorkingTable {
  if (findHoleColumns(table.names).length > 0) return table;
  const found = table.names.flatMap((name, place) => {
    const rounds = textsOf(table, name).map(splitRound);
    const holes = Math.max(0, ...rounds.map((round) => round?.length ?? 0));
    return isMost(rounds, (round) => round?.length === holes) ? [{ name, place, holes }] : [];
  });
  if (found.length === 0) return table;
  const columns = found.flatMap(({ name, holes }) =>
    Array.from({ length: holes }, (_, hole) => `${name} ${hole + 1}`),
  );
  return {
    names: [...table.names, ...columns],
    rows: withCells(table, (cells) => [
      ...cells,
      ...found.flatMap(({ place, holes }) => {
        const round = splitRound(cells[place] ?? "") ?? [cells[place] ?? ""];
        return Array.from({ length: holes }, (_, hole) => round[hole] ?? "");
      }),
    ]).rows.map(({ written: _, ...row }) => row),
  };
}

/** A hole's strokes with signs for strokes received behind them, or as a decimal number: `5*`, `5'`, `5.0`. */
const marked = /^(\d{1,2})(?: ?['’´`*•·°]+|[.,]0+)$/;
/** Strokes and points of a hole: `5/2`, `5 (2)`. */
const paired = /^(\d{1,2}) ?[/(|:] ?([+−-]?\d{1,2})\)?$/;

/** Which number of a pair is the hole's strokes, by how large they are; undefined if that does not tell. */
function placeOfStrokes(texts: readonly string[]): 1 | 2 | undefined {
  const pairs = texts.flatMap((text) => {
    const [, first, second] = paired.exec(text) ?? [];
    return first === undefined || second === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  if (pairs.length < texts.length / 2) return undefined;
  const [first, second] = [average(pairs.map(([one]) => one)), average(pairs.map(([, one]) => one))];
  if (first >= minMeanStrokes && second <= maxMeanPoints) return 1;
  return first <= maxMeanPoints && second >= minMeanStrokes ? 2 : undefined;
}

/** Leaves a hole's strokes in its cell, without what is written beside them. */
export function keepStrokes(table: WorkingTable, { columns }: HoleColumns): WorkingTable {
  const places = columns.map((column) => table.names.indexOf(column));
  const texts = columns.flatMap((column) => textsOf(table, column));
  const place = placeOfStrokes(texts);
  if (place === undefined && !texts.some((text) => marked.test(text))) return table;
  return withCells(table, (cells) => {
    const written = [...cells];
    for (const at of places) {
      const text = cells[at] ?? "";
      const kept = marked.exec(text)?.[1] ?? (place === undefined ? undefined : paired.exec(text)?.[place]);
      if (kept !== undefined) written[at] = kept;
    }
    return written;
  });
}

/** A member's number with another sign, or blanks, between club and member. */
const looseMember = /^(\d{1,4}) ?[‐‑–—−-] ?([0-9A-Za-z]{1,8})$/;

/** Writes members' numbers as the union does, in columns that have nothing else: `32–7` and `32 - 7` as `32-7`. */
export function writeMemberNumbers(table: WorkingTable): WorkingTable {
  const loose = table.names.flatMap((name, place) => {
    const texts = textsOf(table, name);
    const isLoose =
      isMost(texts, (text) => looseMember.test(text)) && texts.some((text) => !/^\d+-\w/.test(text));
    return isLoose ? [place] : [];
  });
  if (loose.length === 0) return table;
  return withCells(table, (cells) =>
    cells.map((text, place) => (loose.includes(place) ? text.replace(looseMember, "$1-$2") : text)),
  );
}

/** A member's number beside a name: `Bo Bunker (32-7)`, `32-7 Bo Bunker`. */
const besideName = /(?<![^\s(,;])\(?(\d{1,4}-[0-9A-Za-z]{1,8})\)?(?![^\s),;])/;

/** Gives members' numbers a column of their own where they stand in the cells of their names. */
export function splitNumbers(table: WorkingTable, byKind: Assignment): readonly [WorkingTable, Assignment] {
  const found = (["Player", "Marker"] as const).flatMap((part) => {
    const column = byKind.get(`${part}/FullName`);
    if (column === undefined || byKind.has(`${part}/UnionID`)) return [];
    if (!isMost(textsOf(table, column), (text) => besideName.test(text) && /\p{L}{2}/u.test(text))) return [];
    return [{ part, place: table.names.indexOf(column), added: addedColumns[part] }];
  });
  if (found.length === 0) return [table, byKind];
  const { rows } = withCells(table, (cells) => {
    const texts = [...cells];
    for (const { place } of found) {
      const [beside = "", number = ""] = besideName.exec(cells[place] ?? "") ?? [];
      texts[place] = (cells[place] ?? "").replace(beside, " ").replaceAll(/^[\s,;]+|[\s,;]+$/g, "");
      texts.push(number);
    }
    return texts;
  });
  const assigned = found.map(({ part, added }) => [`${part}/UnionID`, added] as const);
  const names = [...table.names, ...found.map(({ added }) => added)];
  return [{ names, rows: rows.map(({ written: _, ...row }) => row) }, new Map([...byKind, ...assigned])];
}

/** Puts the club's number before the member's where they stand in two columns. */
export function joinClubNumbers(table: WorkingTable, byKind: Assignment): WorkingTable {
  const [ofClub, ofMember] = [placeOf(table, byKind, "clubNumber"), placeOf(table, byKind, "Player/UnionID")];
  if (ofClub === -1 || ofMember === -1) return table;
  const isSplit = isMost(table.rows, ({ cells }) => /^\d{1,8}$/.test(cells[ofMember] ?? ""));
  if (!isSplit) return table;
  return withCells(table, (cells) =>
    /^\d{1,8}$/.test(cells[ofMember] ?? "") && cells[ofClub] !== ""
      ? cells.with(ofMember, `${cells[ofClub]}-${cells[ofMember]}`)
      : [...cells],
  );
}
