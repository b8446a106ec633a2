import { inParallel, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { inBatches } from "./card-batches.ts";
import type { CardFindings } from "./card-fault.ts";
import type { Journal } from "./journal.ts";
import type { NamedCard } from "./named-cards.ts";

/** Warnings after which the exchange takes a card and no handicap follows from it. */
const uncountedCodes: ReadonlySet<string> = new Set([
  "player_unknown",
  "tee_gender_differs",
  "no_right_to_play",
  "membership_ended",
  "tee_unrated",
]);

/**
 * How many cards will not count, by how many have each warning. Of an unknown player nothing else is known; of the other warnings a card may
 * have several, so it is at least so many.
 */
export function countUncounted(
  warnings: readonly { readonly code: string; readonly cards: number }[],
): number {
  const of = (isOf: (code: string) => boolean) =>
    warnings.filter(({ code }) => isOf(code)).map(({ cards }) => cards);
  const unknown = of((code) => code === "player_unknown");
  const others = of((code) => code !== "player_unknown" && uncountedCodes.has(code));
  return Math.max(0, ...unknown) + Math.max(0, ...others);
}

/** Whether a card with these warnings will not count, so that somebody has to say that it is sent all the same. */
export const isUncounted = (warnings: readonly { readonly code: string }[] | undefined): boolean =>
  warnings?.some(({ code }) => uncountedCodes.has(code)) ?? false;

/**
 * Leaves out the cards that will not count. Each batch is validated, with its players, before any of it is passed on. What Validate refuses
 * goes on, since the submission says why, and so does what an earlier run has sent.
 *
 * @param onHeld called with each card that is left out
 */
export async function* withoutUncounted(
  cards: AsyncIterable<NamedCard>,
  {
    client,
    journal,
    anyCorrection = false,
    retrySeconds,
    signal,
    onHeld,
  }: {
    readonly client: Pick<ScorecardsClient, "validate">;
    readonly journal: Pick<Journal, "has">;
    /** Judge as such a submission is. */
    readonly anyCorrection?: boolean;
    readonly retrySeconds: number;
    readonly signal: AbortSignal;
    readonly onHeld: (found: CardFindings) => void;
  },
): AsyncGenerator<NamedCard> {
  const check = async (batch: readonly NamedCard[]) => {
    const asked: NamedCard[] = [];
    for (const card of batch) {
      const { fault, json, externalId } = card;
      if (fault !== undefined || json === undefined) continue;
      if (externalId === undefined || !(await journal.has(externalId, json))) asked.push(card);
    }
    if (asked.length === 0) return batch;
    const texts = asked.map(({ json = "null" }) => json);
    const { cards: entries } = await client.validate(texts, {
      players: true,
      minimal: true,
      anyCorrection,
      retrySeconds,
      signal,
    });
    const held = new Set<NamedCard>();
    for (const entry of entries) {
      const { warnings = [] } = entry;
      const card = asked[entry.index];
      if (card === undefined || entry.status !== 201 || !isUncounted(warnings)) continue;
      held.add(card);
      onHeld({ card: card.number, externalId: card.externalId, warnings });
    }
    // By itself and not by its number: the rounds of one row share that.
    return batch.filter((card) => !held.has(card));
  };
  for await (const passed of inParallel(inBatches(cards), 1, check)) yield* passed;
}
