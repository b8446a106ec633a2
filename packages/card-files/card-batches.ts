import type { FileCard } from "./card-fault.ts";

/** Validate accepts more bytes, but its response is larger than the request. */
const most = { cards: 1_000, characters: 2 * 1_024 * 1_024 } as const;

/** Groups cards into batches for one request to Validate each. */
export async function* inBatches<Card extends FileCard>(cards: AsyncIterable<Card>): AsyncGenerator<Card[]> {
  let batch: Card[] = [];
  let characters = 0;
  for await (const card of cards) {
    const more = card.json?.length ?? 0;
    if (batch.length === most.cards || (batch.length > 0 && characters + more > most.characters)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(card);
    characters += more;
  }
  if (batch.length > 0) yield batch;
}
