import tableWords from "../words/table-words.json" with { type: "json" };
import { type HoleKind, holeNumber } from "./hole-columns.ts";
import type { Answers, Question } from "./reading.ts";
import { strokesOnHoles } from "./tees.ts";

/** Marks as they stand in cells: signs are part of them. */
const readMarks = (list: string): ReadonlySet<string> => new Set(list.split(", "));

/** Marks that everybody reads as a ball that was picked up. */
const pickedUp = readMarks(tableWords.pickedUp);
export const notPlayed = readMarks(tableWords.notPlayed);

/** Marks that mean one thing here and another there. */
export const isUnset = (text: string) => /^(|[-–—.*_]|--|-1|0)$/.test(text);

/** The unset marks of rows that were played, each once. */
export function unsetMarks(rows: readonly (readonly string[])[], kind: HoleKind): string[] {
  const marks = new Set<string>();
  for (const holes of rows) {
    if (!holes.some((text) => holeNumber(text) !== undefined && !isUnset(text))) continue;
    if (missingNine(holes) !== undefined) continue;
    for (const text of holes.slice(0, holes.length - emptyAtEnd(holes)))
      if (isUnset(text) && !(kind !== "strokes" && kind !== "net" && /^-?\d$/.test(text))) marks.add(text);
  }
  return [...marks].toSorted();
}

const minEmptyAtEnd = 2;

/** The holes that a row leaves empty to its end: the player left, or the ball was not holed any more. */
export function emptyAtEnd(holes: readonly string[]): number {
  if (missingNine(holes) !== undefined) return 0;
  const played = holes.findLastIndex((text) => text !== "") + 1;
  return played > 0 && holes.length - played >= minEmptyAtEnd ? holes.length - played : 0;
}

/** The nine of eighteen holes that a row leaves wholly empty; undefined if it does not. */
export function missingNine(holes: readonly string[]): "front" | "back" | undefined {
  if (holes.length !== 18) return undefined;
  const isEmpty = (from: number) => holes.slice(from, from + 9).every((text) => text === "");
  const isFull = (from: number) => holes.slice(from, from + 9).every((text) => text !== "");
  if (isEmpty(0) && isFull(9)) return "front";
  return isEmpty(9) && isFull(0) ? "back" : undefined;
}

/** Answers about unset holes. */
export const unsetAnswers = ["picked-up", "not-played", "empty-not-played"] as const;

/** What is asked about unset holes; undefined if there are none, or it is answered. */
export function unsetQuestion(marks: readonly string[], { unset }: Answers): Question | undefined {
  if (marks.length === 0 || unsetAnswers.some((one) => one === unset)) return undefined;
  const isMixed = marks.includes("") && marks.length > 1;
  const values = isMixed ? unsetAnswers : unsetAnswers.slice(0, 2);
  return {
    id: "unset",
    about: marks.map((mark) => mark || "…").join(" "),
    choices: values.map((value) => ({ value })),
  };
}

/** What a hole is worth as strokes. */
export interface HoleContext {
  readonly kind: HoleKind;
  readonly unset: string | undefined;
  /** What holes mean that are empty to the end of the card. */
  readonly left: string | undefined;
  /** Pars and strokes received; undefined if the tee or the handicap is not known. */
  readonly pars: readonly number[] | undefined;
  readonly received: readonly number[] | undefined;
}

/** The strokes of a row's holes as a table has them: `5`, `x` for a ball picked up, `-` for a hole not played. */
export function writeStrokes(holes: readonly string[], context: HoleContext): string[] {
  const missing = missingNine(holes);
  const end = holes.length - emptyAtEnd(holes);
  return holes.map((text, place) => {
    const plain = text.toLowerCase();
    if (place >= end) return context.left === "picked-up" ? "x" : "-";
    if (missing !== undefined && text === "") return "-";
    if (pickedUp.has(plain)) return "x";
    if (notPlayed.has(plain)) return "-";
    const isNumberOfKind = context.kind === "points" || context.kind === "over-par";
    if (isUnset(text) && !(isNumberOfKind && /^-?\d$/.test(text))) {
      const isPickedUp =
        context.unset === "picked-up" || (context.unset === "empty-not-played" && text !== "");
      return isPickedUp ? "x" : "-";
    }
    return toStrokes(text, place, context);
  });
}

function toStrokes(text: string, place: number, { kind, pars, received }: HoleContext): string {
  const number = holeNumber(text);
  if (number === undefined || kind === "strokes") return text;
  const [par, strokes] = [pars?.[place], received?.[place]];
  const isUnknown = (kind !== "net" && par === undefined) || (kind !== "over-par" && strokes === undefined);
  // A word that no card has, so that a number of another kind is never taken for strokes.
  if (isUnknown) return `${text} ${kind}`;
  if (kind === "over-par") return String((par ?? 0) + number);
  if (kind === "net") return String(number + (strokes ?? 0));
  return number === 0 ? "x" : String((par ?? 0) + 2 + (strokes ?? 0) - number);
}

/** A whole handicap by its text, a plus handicap negative; undefined if the text is none. */
export const parseHandicap = (text: string): number | undefined =>
  /^[+-]?\d+$/.test(text) ? (text.startsWith("+") ? -Number(text) : Number(text)) : undefined;

/** Strokes received on the holes that are played, of nine holes by the rank of their indexes among the nine. */
export function receivedOn(
  text: string | undefined,
  indexes: readonly number[] | undefined,
): readonly number[] | undefined {
  const handicap = parseHandicap(text ?? "");
  return handicap === undefined || indexes === undefined ? undefined : strokesOnHoles(handicap, indexes);
}
