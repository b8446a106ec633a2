import { submissionLimits } from "../../core/submission/read-submission.ts";

/** What a submission is put together from. */
export interface CardText {
  /** JSON text of the card. */
  readonly json: string;
}

/**
 * Puts cards together into submissions as large as the API takes: 1,000 cards and 5 MiB. A card that is too large by
 * itself is a submission of its own, for the API to refuse.
 */
export async function* submissionsOf<Card extends CardText>(
  cards: AsyncIterable<Card>,
  limits: { readonly cards: number; readonly bytes: number } = submissionLimits,
): AsyncGenerator<Card[]> {
  let submission: Card[] = [];
  // The brackets of the array.
  let bytes = 2;
  for await (const card of cards) {
    const more = Buffer.byteLength(card.json) + 1;
    if (submission.length > 0 && (submission.length === limits.cards || bytes + more > limits.bytes)) {
      yield submission;
      submission = [];
      bytes = 2;
    }
    submission.push(card);
    bytes += more;
  }
  if (submission.length > 0) yield submission;
}
