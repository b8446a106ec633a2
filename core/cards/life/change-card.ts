import { unavailable } from "../../golf/refusal.ts";

/** What follows from a card as it was read. */
export interface CardDecision<Change, Result> {
  /** Undefined if the card stays as it is. */
  readonly change?: Change;
  /** What the decision amounts to once its change is written. */
  readonly result: Result;
}

/** How a card is read, and how it is changed. */
export interface CardAccess<Read, Change> {
  readonly read: () => Promise<Read>;
  /** @returns false if the card is no longer as it was read */
  readonly write: (change: Change) => Promise<boolean>;
}

/** How often a change is tried if others change the card first. */
const maxWrites = 4;

/**
 * Compares and sets: decides by the card as it was read, and writes the change. If another request or run has changed the card
 * first, it is read and decided again.
 *
 * @param first the card as it was read last
 * @throws what `decide` throws; RefusalError `unavailable` if others keep changing the card
 */
export async function changeCard<Read, Change, Result>(
  first: Read,
  { read, write }: CardAccess<Read, Change>,
  decide: (card: Read) => CardDecision<Change, Result>,
): Promise<Result> {
  let latest = first;
  for (let writes = 0; ; writes++) {
    const { change, result } = decide(latest);
    if (change === undefined) return result;
    if (writes === maxWrites) throw unavailable("Other requests and runs keep changing the card.");
    if (await write(change)) return result;
    latest = await read();
  }
}
