import type { CardStatus, CardStatusList } from "@scorecard-pipeline/scorecards-client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** Cards read page by page. */
export interface CardPages {
  readonly cards: readonly CardStatus[];
  /** Whether there are more pages. */
  readonly hasMore: boolean;
  readonly isReading: boolean;
  /** Why the last page could not be read. */
  readonly failure?: unknown;
  /** When the last page was read, milliseconds since 1970. */
  readonly at?: number;
}

/** Newest content of each card: a page that is read again replaces what was known. */
function mergeCards(known: readonly CardStatus[], read: readonly CardStatus[]): readonly CardStatus[] {
  const byId = new Map(known.map((card) => [card.externalId, card]));
  for (const card of read) byId.set(card.externalId, card);
  return [...byId.values()];
}

/**
 * Reads a list of cards page by page.
 *
 * @param first query of the first page; with another one, everything is read again
 * @param refreshes a number that grows when everything is to be read again
 * @returns the cards so far, and a function that reads the next page
 */
export function useCardPages(
  first: string,
  refreshes: number,
  read: (query: string, signal: AbortSignal) => Promise<CardStatusList>,
): readonly [CardPages, () => void] {
  const key = `${refreshes} ${first}`;
  const [pages, setPages] = useState<CardPages & { readonly key: string }>(() => begin(key));
  const state = useRef({
    next: first as string | undefined,
    isReading: false,
    aborted: new AbortController(),
  });

  const readNext = useCallback(() => {
    const { current } = state;
    if (current.isReading || current.next === undefined) return;
    current.isReading = true;
    const { next, aborted } = current;
    setPages((before) => ({ ...before, isReading: true }));
    read(next, aborted.signal).then(
      (list) => {
        if (aborted.signal.aborted) return;
        current.isReading = false;
        current.next = list.next;
        setPages((before) => ({
          key,
          cards: mergeCards(before.cards, list.cards),
          hasMore: list.next !== undefined,
          isReading: false,
          at: Date.now(),
        }));
      },
      (failure: unknown) => {
        if (aborted.signal.aborted) return;
        current.isReading = false;
        setPages((before) => ({ ...before, isReading: false, failure }));
      },
    );
  }, [first, key]);

  useEffect(() => {
    const aborted = new AbortController();
    state.current = { next: first, isReading: false, aborted };
    setPages(begin(key));
    readNext();
    return () => aborted.abort();
  }, [first, key, readNext]);

  return [pages.key === key ? pages : begin(key), readNext];
}

const begin = (key: string) => ({ key, cards: [], hasMore: true, isReading: true });
