import { inParallel, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { inBatches } from "./card-batches.ts";
import type { CardFindings } from "./card-fault.ts";
import type { NamedCard } from "./named-cards.ts";
import { isUncounted } from "./uncounted.ts";

/** Numbers of cards so far. */
export interface PreviewCounts {
  /** Cards that would be accepted. */
  readonly valid: number;
  readonly refused: number;
  readonly warnings: number;
  /** Valid cards that will not count. */
  readonly uncounted: number;
  /** Players of valid cards whom the account may not look up, or about whom the union did not answer. */
  readonly unasked: number;
}

/** How cards are validated, or submitted. */
export interface SendingOptions {
  readonly cards: AsyncIterable<NamedCard> | Iterable<NamedCard>;
  /** Concurrent requests. */
  readonly parallel: number;
  /** How long each request is retried if the API is busy or unreachable. */
  readonly retrySeconds: number;
  /** Correct delivered cards of another player and round, too. */
  readonly anyCorrection?: boolean;
}

/** The cards to validate and the client, with callbacks. */
interface PreviewOptions extends SendingOptions {
  readonly client: Pick<ScorecardsClient, "validate">;
  /** Whether the union is asked for the players. */
  readonly players?: boolean;
  /** Called with each card, and what was found about it. */
  readonly onJudged: (card: NamedCard, found: CardFindings) => void;
  readonly onProgress: (counts: PreviewCounts) => void;
  readonly signal: AbortSignal;
}

/**
 * Validates cards, several requests at a time. None is stored.
 *
 * @throws Error if the cards cannot be read to their end; ApiError, NoResponseError or the signal's reason
 */
export async function previewCards(options: PreviewOptions): Promise<PreviewCounts> {
  const { client, cards, players = false, anyCorrection = false, onJudged } = options;
  const counts = { valid: 0, refused: 0, warnings: 0, uncounted: 0, unasked: 0 };

  /** The cards that Validate can judge; the others are reported. */
  async function* judgeable(): AsyncGenerator<NamedCard> {
    for await (const card of cards) {
      const { number, externalId, fault } = card;
      if (fault === undefined) yield card;
      else {
        counts.refused += 1;
        onJudged(card, { card: number, externalId, errors: [fault] });
      }
    }
  }

  async function validate(batch: readonly NamedCard[]): Promise<void> {
    const texts = batch.map(({ json = "null" }) => json);
    const { retrySeconds, signal } = options;
    const asking = { players, retrySeconds, anyCorrection, minimal: true, signal };
    const { cards: entries, players: asked } = await client.validate(texts, asking);
    counts.unasked += asked?.unanswered ?? 0;
    for (const entry of entries) {
      const card = batch[entry.index];
      if (card === undefined) continue;
      const of = { card: card.number, externalId: entry.externalId };
      if (entry.status === 422) {
        counts.refused += 1;
        onJudged(card, { ...of, errors: entry.errors });
        continue;
      }
      const { warnings = [], corrects } = entry;
      counts.valid += 1;
      counts.warnings += warnings.length;
      if (isUncounted(warnings)) counts.uncounted += 1;
      onJudged(card, { ...of, ...(warnings.length > 0 && { warnings }), ...(corrects && { corrects }) });
    }
  }

  for await (const _ of inParallel(inBatches(judgeable()), options.parallel, validate))
    options.onProgress({ ...counts });
  return counts;
}
