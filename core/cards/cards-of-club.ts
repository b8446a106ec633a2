import type { AccountClub } from "../accounts/account.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import type { StoredCard } from "./life/card.ts";
import { clubOfRound } from "./life/card-content.ts";

/** The table as an account sees it that is bound to a club: other cards than those of rounds there do not exist. */
export function cardsOfClub<Table extends Pick<ScorecardTable, "read" | "readWithBreaker">>(
  table: Table,
  club: AccountClub | undefined,
): Table {
  if (club === undefined) return table;
  const isOwn = ({ content }: StoredCard) => clubOfRound(content) === club.id;
  return {
    ...table,
    read: async (keys) => (await table.read(keys)).filter(isOwn),
    async readWithBreaker(apiSet, externalIds) {
      const { breaker, cards } = await table.readWithBreaker(apiSet, externalIds);
      return { breaker, cards: cards.filter(isOwn) };
    },
  };
}
