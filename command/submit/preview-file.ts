import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { inBatches } from "./card-batches.ts";
import type { CardFile, FileCard } from "./card-file.ts";
import type { CardRefusal } from "./submit-file.ts";

/** Validate's result for a file. */
export interface Preview {
  /** Cards that would be accepted. */
  readonly valid: readonly FileCard[];
  readonly refused: number;
  readonly warnings: number;
}

/**
 * Validates the cards of a file. None is stored.
 *
 * @param onRefused called with each card that would be refused, in the order of the file
 */
export async function previewFile(
  client: Pick<ScorecardsClient, "validate">,
  file: CardFile,
  onRefused: (refused: CardRefusal) => void,
  signal: AbortSignal,
): Promise<Preview> {
  const valid: FileCard[] = [];
  let refused = 0;
  let warnings = 0;

  async function validate(cards: readonly FileCard[]): Promise<void> {
    const answer = await client.validate(
      cards.map(({ json = "null" }) => json),
      { signal },
    );
    for (const entry of answer.cards) {
      const card = cards[entry.index];
      if (card === undefined) continue;
      if (entry.status === 201) {
        valid.push(card);
        warnings += entry.warnings.length;
        continue;
      }
      refused += 1;
      onRefused({ card: card.number, externalId: entry.externalId, errors: entry.errors });
    }
  }

  for await (const cards of inBatches(file.cards)) await validate(cards);
  return { valid, refused, warnings };
}
