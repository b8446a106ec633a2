import type { AccountClub } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import type { LaterWarning, StoredCard } from "../cards/life/card.ts";
import { clubOfRound } from "../cards/life/card-content.ts";

/** The table as an account sees it that is bound to a club: other cards than those of rounds there do not exist. */
export function cardsOfClub<Table extends Pick<ScorecardTable, "read" | "readWithBreaker">>(
  table: Table,
  club: AccountClub | undefined,
): Table {
  if (club === undefined) return table;
  const isOwn = ({ content }: StoredCard) => clubOfRound(content) === club.id;
  const ownIn = async (cards: readonly StoredCard[]) => {
    const own = cards.filter(isOwn);
    // A warning may name a card of the same player at another club.
    const named = own.flatMap(({ apiSet, laterWarnings = [] }) =>
      laterWarnings.flatMap((one) => ("other" in one ? { apiSet, externalId: one.other } : [])),
    );
    const ownNames = new Set((await table.read(named)).filter(isOwn).map(({ externalId }) => externalId));
    const withoutOthers = (warning: LaterWarning): LaterWarning => {
      if (!("other" in warning) || ownNames.has(warning.other)) return warning;
      const { other: _, ...unnamed } = warning;
      return unnamed;
    };
    return own.map((card) => ({ ...card, laterWarnings: card.laterWarnings?.map(withoutOthers) }));
  };
  return {
    ...table,
    read: async (keys) => ownIn(await table.read(keys)),
    async readWithBreaker(apiSet, externalIds) {
      const { breaker, cards } = await table.readWithBreaker(apiSet, externalIds);
      return { breaker, cards: await ownIn(cards) };
    },
  };
}
