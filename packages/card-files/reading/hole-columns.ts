import tableWords from "../words/table-words.json" with { type: "json" };
import { holeOfHeading, isUnnamed, isWord, plainHeading, readWords } from "./headings.ts";

/** The columns of nine or eighteen holes that follow one another. */
export interface HoleColumns {
  /** What stands around the holes' numbers, such as `points #`. */
  readonly around: string;
  readonly columns: readonly string[];
  readonly firstHole: 1 | 10;
}

/** Finds the sets of columns with one column a hole: a table may have strokes, points and more than one round. */
export function findHoleColumns(names: readonly string[]): HoleColumns[] {
  const sets: { around: string; byHole: Map<number, string> }[] = [];
  const isOfRounds = names.filter((name) => holeOfHeading(name)?.round === 1).length >= 18;
  for (const name of names) {
    const found = holeOfHeading(name.replace(/ \(\d+\)'*$/, ""));
    if (found === undefined || isUnnamed(name) || (found.round > 1 && !isOfRounds)) continue;
    const { hole, round } = found;
    const around = round === 1 ? found.around : `${found.around} ${round}`;
    const open = sets.find((set) => set.around === around && !set.byHole.has(hole));
    if (open === undefined) sets.push({ around, byHole: new Map([[hole, name]]) });
    else open.byHole.set(hole, name);
  }
  const found = sets.flatMap(({ around, byHole }): HoleColumns[] => {
    const holes = [...byHole.keys()].toSorted((one, other) => one - other);
    const first = holes[0];
    const isWhole = holes.length === 18 || holes.length === 9;
    const isPart = first === 1 && holes.length >= 10;
    if (!isWhole && !isPart) return [];
    if (first !== 1 && first !== 10) return [];
    if (holes.at(-1) !== first + holes.length - 1) return [];
    return [{ around, columns: holes.map((hole) => byHole.get(hole) ?? ""), firstHole: first }];
  });
  // Twelve holes are a round that ended there, if nothing else is one.
  const whole = found.filter(({ columns }) => columns.length % 9 === 0);
  return joinNines(whole.length > 0 ? whole : found);
}

/** Joins two nines that both begin at hole 1: they have the same heading, or the headings of the way out and the way in. */
function joinNines(sets: readonly HoleColumns[]): HoleColumns[] {
  const [front, back] = sets;
  const isPair =
    sets.length === 2 && sets.every(({ columns, firstHole }) => columns.length === 9 && firstHole === 1);
  if (!isPair || front === undefined || back === undefined) return [...sets];
  const isSame = front.around === back.around;
  const isOutAndIn = isWord(front.around, "front") && isWord(back.around, "back");
  if (!isSame && !isOutAndIn) return [...sets];
  const around = isSame ? front.around : "#";
  return [{ around, columns: [...front.columns, ...back.columns], firstHole: 1 }];
}

/** What a hole's number may be. */
export type HoleKind = "strokes" | "points" | "over-par" | "net";

/** A hole's text as a number: `E` is level par. @returns undefined for a mark and an empty cell */
export function holeNumber(text: string): number | undefined {
  if (/^e$/i.test(text)) return 0;
  return /^[+−-]?\d{1,2}$/.test(text) ? Number(text.replace("−", "-")) : undefined;
}

const words = (
  [
    ["points", tableWords.points],
    ["net", tableWords.net],
    ["over-par", tableWords.overPar],
  ] as const
).map(([kind, list]) => ({ kind, list: [...readWords(list)] }));

/** What the words around the holes' numbers say; undefined if they do not. */
export function kindOfWords(around: string): HoleKind | undefined {
  const text = ` ${plainHeading(around)} `;
  return words.find(({ list }) => list.some((word) => text.includes(` ${word} `)))?.kind;
}

/** The holes of rows, with what else the rows say about them. */
export interface HoleEvidence {
  readonly rows: readonly {
    readonly holes: readonly string[];
    /** Sums that the row writes, whatever they are called. */
    readonly sums: { readonly total?: number; readonly net?: number; readonly points?: number };
  }[];
  /** Pars of the same holes; undefined if they are not known. */
  readonly pars: readonly number[] | undefined;
}

/** The sum of some numbers. */
export const sumUp = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
/** The mean of some numbers; 0 of none. */
export const average = (numbers: readonly number[]): number => sumUp(numbers) / Math.max(1, numbers.length);

/** Strokes of holes have at least this mean in any field, and points at most the other. */
export const minMeanStrokes = 3.3;
export const maxMeanPoints = 2.9;

/** Share of the rows whose holes all have numbers that add up to what `expected` says. */
export function agreement(
  rows: HoleEvidence["rows"],
  expected: (sums: HoleEvidence["rows"][number]["sums"], holes: number) => number | undefined,
): number | undefined {
  let [compared, same] = [0, 0];
  for (const { holes, sums } of rows) {
    const numbers = holes.flatMap((text) => holeNumber(text) ?? []);
    const wanted = expected(sums, numbers.length);
    if (numbers.length !== holes.length || wanted === undefined) continue;
    compared += 1;
    if (sumUp(numbers) === wanted) same += 1;
  }
  return compared === 0 ? undefined : same / compared;
}

const parOfHole = 4;
/** Share of rows from which on sums prove what the holes are. */
export const minAgreement = 0.7;

/**
 * What the numbers of the holes are, tested against par, the sums of the rows and the handicaps.
 *
 * @returns one kind if they decide it, several if they do not; none if there are no numbers
 */
export function kindsOfHoles({ rows, pars }: HoleEvidence): readonly HoleKind[] {
  const texts = rows.flatMap(({ holes }) => holes);
  const numbers = texts.flatMap((text) => holeNumber(text) ?? []);
  if (numbers.length === 0) return [];
  const played = numbers.filter((one) => one !== 0);
  const mean = average(numbers);
  const par = pars === undefined ? parOfHole : average(pars);
  const signed = texts.filter((text) => /^([+−-][1-9]\d?|e)$/i.test(text)).length;
  if (signed > numbers.length / 50 && mean < minMeanStrokes) return ["over-par"];
  if (average(played) >= minMeanStrokes || (mean >= par - 0.7 && mean > 2.6)) {
    const ofNet = agreement(rows, ({ net }) => net);
    const ofTotal = agreement(rows, ({ total }) => total);
    if ((ofTotal ?? 0) >= minAgreement && ofTotal !== undefined && ofTotal >= (ofNet ?? 0))
      return ["strokes"];
    if ((ofNet ?? 0) >= minAgreement) return ["net"];
    return ["strokes"];
  }
  const parSum = pars === undefined ? undefined : sumUp(pars);
  const ofPoints = agreement(rows, ({ points }) => points) ?? 0;
  const ofTotal = agreement(rows, ({ total }) => total) ?? 0;
  const overPar =
    parSum === undefined
      ? 0
      : (agreement(rows, ({ total }) => (total === undefined ? total : total - parSum)) ?? 0);
  if (overPar >= minAgreement) return ["over-par"];
  if (ofPoints >= minAgreement) return ["points"];
  // Par or better on half of the holes is what points of 2 are, and hardly any field plays.
  return ofTotal >= minAgreement && mean > 1.2 ? ["points"] : ["points", "over-par"];
}
