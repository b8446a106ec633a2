import type { TournamentCard, TournamentCardList } from "@scorecard-pipeline/scorecards-client";
import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../../base/session.ts";

/** The cards of a tournament, as far as they have been read. */
export interface TournamentCards {
  /** Each once, in the order in which they came. */
  readonly cards: readonly TournamentCard[];
  readonly isReading: boolean;
  /** Whether there are more than are read. */
  readonly hasMore: boolean;
  readonly failure?: unknown;
}

/** Cards that are read without being asked for, so that a page that follows thousands does not use up the account's requests. */
const enough = 2_000;
/** Corrections may leave all counts as they are, so cards are read again after so many milliseconds at the latest. */
const maxPauseMilliseconds = 60_000;

/** Which cards are read, and where they are shown as they come. */
interface CardReading {
  readonly api: ReturnType<typeof useSession>["api"];
  readonly id: string;
  readonly query: string;
  readonly readsAll: boolean;
  /** Whether they are shown page by page. What was read before stays in place until all is read again. */
  readonly showsPages: boolean;
  readonly show: (cards: TournamentCards) => void;
  readonly signal: AbortSignal;
}

async function readCards({ api, id, query, readsAll, showsPages, show, signal }: CardReading): Promise<void> {
  const found = new Map<string, TournamentCard>();
  for (let next: string | undefined = query; next !== undefined; ) {
    const page: TournamentCardList = await api.tournamentCards(id, next, signal);
    for (const card of page.cards) found.set(card.externalId, card);
    next = page.next;
    const hasMore = next !== undefined;
    const isEnough = hasMore && !readsAll && found.size >= enough;
    const isReading = hasMore && !isEnough;
    if (!isReading || showsPages) show({ cards: [...found.values()], isReading, hasMore });
    if (isEnough) return;
  }
}

/**
 * Reads a tournament's cards again whenever its counts change.
 *
 * @param query `?from=…&to=…`
 * @param counts a text that changes with the counts; undefined while they are not known
 * @param readsAll whether all are read, however many there are
 */
export function useTournamentCards(
  id: string,
  query: string,
  counts: string | undefined,
  readsAll: boolean,
): readonly [TournamentCards, () => void] {
  const { api } = useSession();
  const key = `${id} ${query}`;
  const [shown, setShown] = useState<TournamentCards & { readonly key: string }>();
  const latest = useRef(shown);
  latest.current = shown;

  const readSoon = useRef<() => Promise<void>>(async () => undefined);
  useEffect(() => {
    const aborted = new AbortController();
    let isReading = false;
    let isStale = false;
    const show = (cards: TournamentCards) => setShown({ key, ...cards });
    const reading = { api, id, query, readsAll, show, signal: aborted.signal };
    readSoon.current = async () => {
      // Counts that change while cards are read do not stop that: cards that arrive without end would keep it from ending.
      isStale = true;
      if (isReading) return;
      isReading = true;
      while (isStale && !aborted.signal.aborted) {
        isStale = false;
        await readCards({ ...reading, showsPages: latest.current?.key !== key }).catch((failure: unknown) => {
          if (aborted.signal.aborted) return;
          setShown((before) => ({
            ...(before?.key === key ? before : { key, cards: [], hasMore: true }),
            isReading: false,
            failure,
          }));
        });
      }
      isReading = false;
    };
    return () => aborted.abort();
  }, [api, id, key, query, readsAll]);

  useEffect(() => {
    if (counts === undefined) return;
    void readSoon.current();
    const timer = setInterval(() => {
      if (!document.hidden) void readSoon.current();
    }, maxPauseMilliseconds);
    return () => clearInterval(timer);
  }, [key, counts, readsAll]);

  const none = { cards: [], isReading: true, hasMore: true };
  return [shown?.key === key ? shown : none, () => void readSoon.current()];
}
