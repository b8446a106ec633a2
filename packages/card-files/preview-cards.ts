import { inParallel, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { inBatches } from "./card-batches.ts";
import type { CardFindings } from "./card-fault.ts";
import type { FileCard } from "./file-card.ts";
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
}

/** The cards to validate and the client, with callbacks. */
interface PreviewOptions {
  readonly client: Pick<ScorecardsClient, "validate">;
  readonly cards: AsyncIterable<NamedCard>;
  /** Whether the union is asked for the players. */
  readonly players?: boolean;
  /** Concurrent requests. */
  readonly parallel: number;
  /** Judge as if such a submission said that it corrects delivered cards of another player and round, too. */
  readonly anyCorrection?: boolean;
  /** How long each request is retried if the API is busy or unreachable. */
  readonly retrySeconds: number;
  /** Called with each card that would be refused or has warnings. */
  readonly onFound: (found: CardFindings) => void;
  /** Called with the cards of each request that was answered, after `onFound` with those of them that it is about. */
  readonly onChecked?: (cards: readonly FileCard[]) => void;
  readonly onProgress: (counts: PreviewCounts) => void;
  readonly signal: AbortSignal;
}

/**
 * Validates cards, several requests at a time. None is stored.
 *
 * @throws Error if the cards cannot be read to their end; ApiError, NoResponseError or the signal's reason
 */
export async function previewCards(options: PreviewOptions): Promise<PreviewCounts> {
  const {
    client,
    cards,
    players = false,
    anyCorrection = false,
    parallel,
    retrySeconds,
    onFound,
    onChecked,
    onProgress,
    signal,
  } = options;
  const counts = { valid: 0, refused: 0, warnings: 0, uncounted: 0 };

  /** The cards that Validate can judge; the others are reported. */
  async function* judgeable(): AsyncGenerator<FileCard> {
    for await (const { fault, externalId, ...card } of cards) {
      if (fault === undefined) yield card;
      else {
        counts.refused += 1;
        onFound({ card: card.number, externalId, errors: [fault] });
      }
    }
  }

  async function validate(batch: readonly FileCard[]): Promise<void> {
    const texts = batch.map(({ json = "null" }) => json);
    const { cards: entries } = await client.validate(texts, {
      players,
      retrySeconds,
      anyCorrection,
      minimal: true,
      signal,
    });
    for (const entry of entries) {
      const { number = entry.index } = batch[entry.index] ?? {};
      const { externalId, status, warnings = [] } = entry;
      if (status === 201) counts.valid += 1;
      else counts.refused += 1;
      if (status === 201) counts.warnings += warnings.length;
      if (status === 201 && isUncounted(warnings)) counts.uncounted += 1;
      if (status === 422) onFound({ card: number, externalId, errors: entry.errors });
      else if (warnings.length > 0) onFound({ card: number, externalId, warnings });
    }
    onChecked?.(batch);
  }

  for await (const _ of inParallel(inBatches(judgeable()), parallel, validate)) onProgress({ ...counts });
  return counts;
}
