import { unavailable } from "../../golf/refusal.ts";
import type { StoredCard } from "./card.ts";

/** That a card has not been changed since it was read, as far as that bears on its delivery. */
export const asRead = ({ version, state, atExchange, maybeAtExchange }: StoredCard) => ({
  version,
  states: [state],
  atExchange,
  maybeAtExchange,
});

/** How a card is read, and how it is changed. */
interface CardAccess<Read, Change> {
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
 * @param decide without a change the card stays as it is; the result is that once the change is written
 * @throws what `decide` throws; RefusalError `unavailable` if others keep changing the card
 */
export async function changeCard<Read, Change, Result>(
  first: Read,
  { read, write }: CardAccess<Read, Change>,
  decide: (card: Read) => { readonly change?: Change; readonly result: Result },
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
