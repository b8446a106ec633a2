import { inParallel, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { readRoundFacts } from "./base/round-facts.ts";
import { textOfValue } from "./table-values.ts";

/** What a correction changes of a card, before and now, as a table has it. */
export interface ReplacedPart {
  /** A field's path, or `hole 7`. */
  readonly field: string;
  readonly before: string;
  readonly now: string;
}

/** Fields whose values are shown. Strokes are shown by hole. */
const shownFields = [
  "Player/UnionID",
  "Player/FullName",
  "Round/StartTime",
  "Course/TeeID",
  "HCP",
  "CourseHandicap",
  "PHCP",
] as const;

/** Corrections that are shown with both contents; all are counted. */
const maxShown = 20;
const parallelReads = 4;

function valueAt(card: unknown, field: string): string {
  const [name = "", part] = field.split("/");
  const outer = (card as Readonly<Record<string, unknown>> | undefined)?.[name];
  const value = part === undefined ? outer : (outer as Readonly<Record<string, unknown>> | undefined)?.[part];
  return value === undefined || value === null ? "" : textOfValue(value, field);
}

/** Compares a stored card with the one that replaces it. A field that the new one leaves out is not compared: it is filled in. */
export function compareCards(before: unknown, now: unknown): readonly ReplacedPart[] {
  const fields = shownFields.flatMap((field) => {
    const [one, other] = [valueAt(before, field), valueAt(now, field)];
    return other === "" || one === other ? [] : [{ field, before: one, now: other }];
  });
  const [strokes, others] = [readRoundFacts(before).strokes, readRoundFacts(now).strokes];
  const holes = others.flatMap((other, hole) =>
    other === strokes[hole]
      ? []
      : [{ field: `hole ${hole + 1}`, before: String(strokes[hole]), now: String(other) }],
  );
  return [...fields, ...holes];
}

/** Reads the stored cards that some cards replace, and compares them. @returns by ExternalID, of the first of them */
export async function readReplacedParts(
  cards: readonly { readonly externalId: string; readonly value: unknown }[],
  client: Pick<ScorecardsClient, "card">,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly ReplacedPart[]>> {
  const found = new Map<string, readonly ReplacedPart[]>();
  const read = async ({ externalId, value }: (typeof cards)[number]) => {
    const { card } = await client.card(externalId, { signal });
    found.set(externalId, compareCards(card, value));
  };
  for await (const _ of inParallel(cards.slice(0, maxShown), parallelReads, read));
  return found;
}
