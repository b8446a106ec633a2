import type { CardFault, CardFindings } from "./card-fault.ts";

/** A warning that nearly all cards of a table have: one question about the table, and no mistake of a row. */
export interface TableWarning {
  readonly cards: number;
  readonly of: number;
  /** That of the first card. */
  readonly first: CardFault;
}

const minCards = 5;
const minShare = 0.9;

/** Finds the warnings that nearly all accepted cards of a table have. */
export function findTableWarnings(
  found: readonly Pick<CardFindings, "errors" | "warnings">[],
): readonly TableWarning[] {
  const accepted = found.filter(({ errors }) => errors === undefined);
  const counts = new Map<string, { first: CardFault; cards: number }>();
  for (const { warnings = [] } of accepted)
    for (const [place, first] of warnings.entries()) {
      if (warnings.findIndex(({ code }) => code === first.code) !== place) continue;
      const known = counts.get(first.code) ?? { first, cards: 0 };
      counts.set(first.code, { ...known, cards: known.cards + 1 });
    }
  const of = accepted.length;
  return of < minCards
    ? []
    : [...counts.values()].flatMap((one) => (one.cards < of * minShare ? [] : [{ ...one, of }]));
}

/** Findings without the warnings of some codes. */
export function withoutWarnings<Found extends Pick<CardFindings, "warnings">>(
  { warnings = [], ...found }: Found,
  codes: ReadonlySet<string>,
) {
  const others = warnings.filter(({ code }) => !codes.has(code));
  return { ...found, ...(others.length > 0 && { warnings: others }) };
}
