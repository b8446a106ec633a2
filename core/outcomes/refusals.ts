import type { Finding } from "../scorecard/findings.ts";

/** A refused card, so that the vendor can look at one. */
export interface RefusalExample {
  /** Absent if the card had none that could be read. */
  readonly externalId?: string;
  /** JSON pointer into the card. */
  readonly pointer: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The cards that were refused for one fault. */
export interface Refusal {
  /** The fault's code. */
  readonly code: string;
  readonly cards: number;
  /** Some of them, the newest first. */
  readonly examples: readonly RefusalExample[];
}

/** The cards that were refused in one submission or one hour. */
export interface RefusedCards {
  /** Each card counts once, however many faults it has. */
  readonly cards: number;
  readonly byFault: readonly Refusal[];
}

/** Examples of a fault that are kept of a submission, and answered. */
const examplesKept = 5;

/** The refused cards of a submission. @param at when it was refused */
export function refusalsOf(faults: readonly Finding[], at: Date): RefusedCards {
  const byFault = [...Map.groupBy(faults, ({ code }) => code)].map(([code, found]) => {
    const firstOfCards = [...Map.groupBy(found, ({ index }) => index).values()].flatMap(
      ([first]) => first ?? [],
    );
    const examples = firstOfCards.slice(0, examplesKept).map(({ externalId, pointer }) => ({
      ...(externalId !== undefined && { externalId }),
      pointer,
      at: at.toISOString(),
    }));
    return { code, cards: firstOfCards.length, examples };
  });
  return { cards: new Set(faults.map(({ index }) => index)).size, byFault };
}

/** The sums of refusals by code, the most frequent first. @param refusals the oldest first */
export function sumOfRefusals(refusals: readonly Refusal[]): Refusal[] {
  return [...Map.groupBy(refusals, ({ code }) => code)]
    .map(([code, found]) => ({
      code,
      cards: found.reduce((sum, { cards }) => sum + cards, 0),
      examples: found
        .toReversed()
        .flatMap(({ examples }) => examples)
        .slice(0, examplesKept),
    }))
    .toSorted((one, other) => other.cards - one.cards);
}
