import type { ScorecardTable, StoredCard } from "../store/scorecard-table.ts";

/** What is stored later than this after a look is looked up again first. */
const lookMilliseconds = 1000;
/** So long a request to store cards is waited for; then what is stored is looked up again, and the rest asked for anew. */
const storingMilliseconds = 2000;

/**
 * Makes the function that stores a submission's cards.
 *
 * A submission may be slow, and its vendor have given up waiting: then the same has been sent again, been answered, and may have
 * been corrected since. So a card is not stored over one that was accepted later, which is that card's last word.
 *
 * @returns a function from cards, when what was stored of them was looked up, and a signal from which on nothing is
 *   stored any more; it throws what the table throws, or the signal's reason
 */
export function cardStore(table: Pick<ScorecardTable, "readRecords" | "putCards">, now: () => Date) {
  async function notOvertaken(cards: readonly StoredCard[]): Promise<readonly StoredCard[]> {
    const histories = await table.readRecords(
      cards.map(({ apiSet, externalId }) => ({ apiSet, externalId })),
    );
    return cards.filter(({ acceptedAt }, index) => !((histories[index]?.card?.acceptedAt ?? 0) > acceptedAt));
  }

  return async function store(
    cards: readonly StoredCard[],
    lookedUpAt: number,
    inTime: AbortSignal,
  ): Promise<void> {
    let standing = cards;
    for (let lookedAt = lookedUpAt; ; ) {
      if (now().getTime() - lookedAt > lookMilliseconds) {
        lookedAt = now().getTime();
        standing = await notOvertaken(cards);
      }
      const soon = AbortSignal.timeout(storingMilliseconds);
      try {
        return await table.putCards(standing, AbortSignal.any([inTime, soon]));
      } catch (error) {
        if (inTime.aborted || !soon.aborted) throw error;
      }
    }
  };
}
