import type { CardStatus } from "@scorecard-pipeline/scorecards-client";
import { useMemo, useRef } from "preact/hooks";
import { useLive } from "../../base/live.ts";
import { useSession } from "../../base/session.ts";

/** Most cards in one request. */
const cardsAsked = 100;

/** Cards with the latest states of those that waited: the first hundred of them are asked for again and again. */
export function useLatestStates(cards: readonly CardStatus[], query: string): readonly CardStatus[] {
  const { api } = useSession();
  const latest = useRef({ query, states: new Map<string, CardStatus>() });
  if (latest.current.query !== query) latest.current = { query, states: new Map() };
  const { states } = latest.current;
  const known = (card: CardStatus) => {
    const other = states.get(card.externalId);
    return other !== undefined && (other.version ?? 0) >= (card.version ?? 0) ? other : card;
  };
  const waiting = cards
    .filter((card) => /^(queued|retrying|withdrawing)$/.test(known(card).state))
    .slice(0, cardsAsked);
  const [live] = useLive(
    `states ${query} ${waiting.length > 0}`,
    waiting.length > 0 ? 5 : 0,
    async (signal) => {
      if (waiting.length === 0) return [];
      const names = new URLSearchParams(waiting.map(({ externalId }) => ["ExternalID", externalId]));
      const { cards: asked } = await api.cards(`?${names}`, signal);
      for (const card of asked) states.set(card.externalId, card);
      return asked;
    },
  );
  // A card that moved to a later page while the list was read is shown once, as it was read last.
  return useMemo(
    () => [...new Map(cards.map((card) => [card.externalId, known(card)])).values()],
    [cards, live.at],
  );
}
