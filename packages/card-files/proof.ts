import type { FileFault } from "./card-fault.ts";
import { kindsOfHeading } from "./reading/headings.ts";
import type { Reading, TableStop } from "./reading/reading.ts";
import { courseHandicapBy, strokesOnHoles, type TeeChoice } from "./reading/tees.ts";
import type { TableTexts } from "./words/en.ts";

/** A card as far as the proof needs it: nothing has checked it. */
interface ProvenCard {
  readonly HCP?: unknown;
  readonly CourseHandicap?: unknown;
  readonly PHCP?: unknown;
  readonly Course?: { readonly TeeID?: unknown };
  readonly Result?: { readonly Strokes?: readonly unknown[] };
  readonly Round?: { readonly TournamentRoundNumber?: unknown };
}

/** A row with its card. */
export interface ProvenRow {
  readonly number: number;
  readonly cells: readonly string[];
  readonly value: unknown;
}

/** A column that has a sum of each card, as `gross`; of a table with several rounds in a row, perhaps only of one of them. */
export interface SumColumn {
  readonly column: string;
  readonly kind: string;
  readonly round: unknown;
}

/** What the proof comes to. */
export interface TableProof {
  readonly stops: readonly TableStop[];
  readonly sums: readonly SumColumn[];
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
/** Shares of the Course Handicap that formats play off. */
const allowances = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.5];

/** The sums that a card has itself, by what they are called. Without the gross if a ball was picked up, which each program counts in its own way. */
export function sumsOfCard(card: unknown, tees: ReadonlyMap<string, TeeChoice>): ReadonlyMap<string, number> {
  const { Course, CourseHandicap, PHCP, Result } = card as ProvenCard;
  const strokes = (Result?.Strokes ?? []).map(Number);
  const played = strokes.filter((one) => one > 0);
  const sums = new Map<string, number>();
  const isWhole = played.length >= 9 && strokes.every((one) => one > 0 || one === -1);
  const tee = tees.get(String(Course?.TeeID).toLowerCase());
  const par = tee === undefined ? undefined : sum(tee.pars.filter((_, hole) => (strokes[hole] ?? -1) > 0));
  if (isWhole) {
    sums.set("gross", sum(played));
    if (strokes.length === 18) {
      sums.set("out", sum(strokes.slice(0, 9).filter((one) => one > 0)));
      sums.set("in", sum(strokes.slice(9).filter((one) => one > 0)));
    }
    if (par !== undefined) sums.set("over par", sum(played) - par);
  }
  const playing = [PHCP, CourseHandicap].filter((one) => typeof one === "number");
  const handicaps = new Set(
    playing.flatMap((one) => allowances.map((share) => Math.floor(one * share + 0.5))),
  );
  for (const handicap of handicaps) {
    if (isWhole) sums.set(`net ${handicap - (playing[0] ?? 0)}`, sum(played) - handicap);
    if (tee === undefined || tee.indexes.length !== strokes.length) continue;
    const received = strokesOnHoles(handicap, tee.indexes);
    const points = strokes.map((one, hole) =>
      one > 0 ? Math.max(0, (tee.pars[hole] ?? 0) + 2 + (received[hole] ?? 0) - one) : 0,
    );
    sums.set(`points ${handicap - (playing[0] ?? 0)}`, sum(points));
  }
  if (tee?.indexes.length === strokes.length && typeof CourseHandicap === "number" && isWhole) {
    const received = strokesOnHoles(CourseHandicap, tee.indexes);
    const capped = strokes.map((one, hole) =>
      Math.min(one, (tee.pars[hole] ?? 0) + 2 + (received[hole] ?? 0)),
    );
    sums.set("adjusted", sum(capped));
  }
  return sums;
}

const numberIn = (text: string): number | undefined => {
  if (/^e$/i.test(text)) return 0;
  return /^[+−-]?\d{1,3}$/.test(text) ? Number(text.replace("−", "-")) : undefined;
};

/** What a kind of sum is whatever the handicap: `net` and `points` are tried off each. */
const kindOf = (name: string): string => name.replace(/ -?\d+$/, "");

/** Whether a card has a sum of this kind; undefined if it has none that could be compared. */
function hasSum(sums: ReadonlyMap<string, number>, kind: string, value: number): boolean | undefined {
  const own = [...sums].filter(([name]) => kindOf(name) === kind);
  return own.length === 0 ? undefined : own.some(([, one]) => one === value);
}

const sumHeadings = new Set(["total", "net", "points", "out", "in"]);
const kinds = ["gross", "adjusted", "net", "points", "out", "in", "over par"];
const minAgreement = 0.5;
const minOfUnknown = { share: 0.8, rows: 3 };

interface Compared {
  readonly kind: string;
  readonly same: number;
  readonly of: number;
}

/** A row with the sums of its card. */
interface SummedRow extends ProvenRow {
  readonly sums: ReadonlyMap<string, number>;
}

const shareOf = (one: Compared | undefined) => (one === undefined || one.of === 0 ? 0 : one.same / one.of);

/** The kind of sums that most cells of a column are. */
function compareColumn(place: number, rows: readonly SummedRow[]): Compared | undefined {
  const compared = kinds.map((kind): Compared => {
    const judged = rows.flatMap(({ cells, sums }) => {
      const value = numberIn(cells[place] ?? "");
      return (value === undefined ? undefined : hasSum(sums, kind, value)) ?? [];
    });
    return { kind, same: judged.filter(Boolean).length, of: judged.length };
  });
  // A mistyped hole may be capped to what the adjusted score has.
  const isGross = shareOf(compared[0]) >= minAgreement;
  return compared
    .filter(({ kind, of }) => of > 0 && !(isGross && kind === "adjusted"))
    .toSorted((one, other) => shareOf(other) - shareOf(one))[0];
}

/** Whether a column has different numbers: one number in all rows is a placeholder. */
const isTelling = (place: number, rows: readonly ProvenRow[]): boolean =>
  rows.length < minOfUnknown.rows || new Set(rows.map(({ cells }) => cells[place])).size > 1;

const maxMeanDistance = 4;
const maxDistance = 9;

/** Whether a column has totals by its numbers, whatever it is called: each is near the total, or a nine, of its row. */
function isNearSum(place: number, rows: readonly SummedRow[]): boolean {
  return ["gross", "out", "in"].some((kind) => {
    const distances = rows.flatMap(({ cells, sums }) => {
      const [value, own] = [numberIn(cells[place] ?? ""), sums.get(kind)];
      return value === undefined || own === undefined ? [] : [Math.abs(value - own)];
    });
    const isEnough = distances.length >= minRowsOfField && distances.length >= rows.length / 2;
    const isNear =
      Math.max(...distances) <= maxDistance && sum(distances) <= distances.length * maxMeanDistance;
    return isEnough && isNear;
  });
}

/** Whether the cells of a column are the totals of other rows' cards: the holes have moved by a row. */
function areSumsOfOthers(place: number, rows: readonly SummedRow[]): boolean {
  const own = rows.flatMap(({ sums }) => sums.get("gross") ?? []);
  const unmatched = [...own];
  for (const { cells } of rows) {
    const at = unmatched.indexOf(numberIn(cells[place] ?? "") ?? Number.NaN);
    if (at !== -1) unmatched.splice(at, 1);
  }
  return own.length >= minRowsOfField && unmatched.length <= own.length * 0.2;
}

/** Cells of a column that are sums of all rounds of a row of the file. */
function isOfAllRounds(place: number, rows: readonly SummedRow[]): boolean {
  const ofFile = [...Map.groupBy(rows, ({ number }) => number).values()];
  const same = ofFile.filter((rounds) => {
    const all = sum(rounds.map(({ sums }) => sums.get("gross") ?? 0));
    return all === numberIn(rounds[0]?.cells[place] ?? "");
  });
  return same.length > ofFile.length / 2;
}

const roundOf = ({ value }: ProvenRow): unknown => (value as ProvenCard).Round?.TournamentRoundNumber;

/**
 * Proves a table by its own cards: each column of sums is one of theirs in most rows, Course Handicaps follow from index and tee, the pars that the
 * file has are the tee's, and nothing that looks like a card is unread.
 *
 * @param given rows of the reading, as cards
 */
export function proveTable(reading: Reading, given: readonly ProvenRow[]): TableProof {
  const tees = new Map(reading.tees.map((tee) => [tee.id.toLowerCase(), tee]));
  const rows = given.map((row): SummedRow => ({ ...row, sums: sumsOfCard(row.value, tees) }));
  const used = new Set(reading.usedColumns);
  const found: SumColumn[] = [];
  const stops: TableStop[] = [...reading.doubts];
  const rounds = [...new Set(rows.map(roundOf))];
  const groups = [
    { round: undefined, rows },
    ...(rounds.length > 1 ? rounds : []).map((round) => ({
      round,
      rows: rows.filter((row) => roundOf(row) === round),
    })),
  ];
  for (const [place, column] of reading.header.entries()) {
    if (used.has(column)) continue;
    const isKnown = kindsOfHeading(column).some((kind) => sumHeadings.has(kind));
    const [best] = groups
      .flatMap(({ round, rows: own }) => {
        const one = compareColumn(place, own);
        return one === undefined ? [] : [{ ...one, round }];
      })
      .toSorted((one, other) => shareOf(other) - shareOf(one));
    if (best === undefined) continue;
    const share = shareOf(best);
    const isNear = isKnown || isNearSum(place, rows);
    if (isNear ? share >= minAgreement : share >= minOfUnknown.share && best.of >= minOfUnknown.rows)
      found.push({ column, kind: best.kind, round: best.round });
    else if (
      (isNear && isTelling(place, rows) && !isOfAllRounds(place, rows)) ||
      areSumsOfOthers(place, rows)
    )
      stops.push({ code: "sum", column, count: best.same, of: best.of });
  }
  return {
    stops: [...stops, ...doubtHandicaps(rows, reading, tees), ...doubtPlaces(rows, tees)],
    sums: found,
  };
}

/** The sentence of a stop, in the words of a language. */
export const describeStop = ({ code, column, count, of }: TableStop, texts: TableTexts): string =>
  texts.stops[code](column, String(count), String(of));

/** Whether Course Handicaps are those of index and tee in at least half of the rows. */
function doubtHandicaps(
  rows: readonly ProvenRow[],
  reading: Reading,
  tees: ReadonlyMap<string, TeeChoice>,
): TableStop[] {
  const column = reading.columns.get("CourseHandicap");
  if (typeof column !== "string" || reading.filled.has(column)) return [];
  const judged = rows.flatMap(({ value }) => {
    const { HCP, CourseHandicap, Course } = value as ProvenCard;
    const tee = tees.get(String(Course?.TeeID).toLowerCase());
    if (tee === undefined || typeof CourseHandicap !== "number" || !/^-?\d+$/.test(String(HCP))) return [];
    // A Playing Handicap is often written in its place, and half a stroke is rounded in several ways.
    const full = courseHandicapBy(Number(HCP), tee);
    return [allowances.some((share) => Math.abs(full * share - CourseHandicap) <= 1)];
  });
  const same = judged.filter(Boolean).length;
  return judged.length >= 3 && same < judged.length / 2
    ? [{ code: "handicap", column, count: same, of: judged.length }]
    : [];
}

const minRowsOfField = 5;

/** How alike two lists of numbers are: 1 if one follows the other. */
function correlation(ones: readonly number[], others: readonly number[]): number {
  const [mean, otherMean] = [sum(ones) / ones.length, sum(others) / others.length];
  const together = sum(ones.map((one, at) => (one - mean) * ((others[at] ?? 0) - otherMean)));
  const spread = sum(ones.map((one) => (one - mean) ** 2)) * sum(others.map((one) => (one - otherMean) ** 2));
  return spread === 0 ? 0 : together / Math.sqrt(spread);
}

/** A field plays more strokes on longer holes: if they fit the pars of the holes beside, the columns have moved. */
function doubtPlaces(rows: readonly ProvenRow[], tees: ReadonlyMap<string, TeeChoice>): TableStop[] {
  const played = rows.flatMap(({ value }) => {
    const { Course, Result } = value as ProvenCard;
    const tee = tees.get(String(Course?.TeeID).toLowerCase());
    const strokes = (Result?.Strokes ?? []).map(Number);
    return tee?.pars.length === 18 && strokes.length === 18 && strokes.every((one) => one > 0)
      ? [{ pars: tee.pars, strokes }]
      : [];
  });
  if (played.length < minRowsOfField) return [];
  const holes = Array.from({ length: 18 }, (_, hole) => hole);
  const means = holes.map((hole) => sum(played.map(({ strokes }) => strokes[hole] ?? 0)) / played.length);
  const pars = holes.map((hole) => sum(played.map((one) => one.pars[hole] ?? 0)) / played.length);
  const here = correlation(means, pars);
  const beside = Math.max(
    correlation(means.slice(1), pars.slice(0, -1)),
    correlation(means.slice(0, -1), pars.slice(1)),
  );
  return beside > 0.6 && beside - here > 0.4
    ? [{ code: "moved", column: "", count: 0, of: played.length }]
    : [];
}

/** The fault of a row whose cell is not the sum of its card, although that of most other rows is. */
export function findSumFault(
  sums: readonly SumColumn[],
  cell: (column: string) => string,
  card: unknown,
  tees: ReadonlyMap<string, TeeChoice>,
  texts: TableTexts,
): FileFault | undefined {
  if (sums.length === 0) return undefined;
  const own = sumsOfCard(card, tees);
  for (const { column, kind, round } of sums) {
    const value = numberIn(cell(column));
    if (
      value === undefined ||
      (round !== undefined && (card as ProvenCard).Round?.TournamentRoundNumber !== round)
    )
      continue;
    if (hasSum(own, kind, value) !== false) continue;
    const expected = [...own].find(([name]) => kindOf(name) === kind)?.[1] ?? 0;
    return {
      code: "sum_differs",
      column,
      pointer: "/Result/Strokes",
      detail: texts.sumDiffers(String(value), String(expected)),
    };
  }
  return undefined;
}
