import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import type { CardChange, StoredCard } from "../cards/card.ts";
import type { ScorecardTable } from "../cards/scorecard-table.ts";
import { type AskForPlayer, askForPlayers } from "./ask-for-players.ts";
import type { RecallPlayers } from "./known-player-table.ts";

/** The table, the union and the clock of the player check. */
export interface PlayerCheckDependencies {
  readonly table: Pick<ScorecardTable, "write">;
  readonly recall: RecallPlayers;
  /** Asks with the vendor's own account; undefined if its credentials cannot be read. */
  readonly askerOf: (apiSet: ApiSet) => Promise<AskForPlayer | undefined>;
  readonly now: () => Date;
}

/** The number of delivered cards whose player the union does not know, and of those that were not checked. */
export interface PlayerCheckCounts {
  readonly unknown: number;
  readonly unchecked: number;
}

const second = 1000;
/** Time to store what the union has answered. */
const storingReserve = 3 * second;
/** How long nobody is asked for with a vendor's account, so that a union which does not answer holds up few runs. */
const pauses = { refused: 3600 * second, unanswered: 300 * second };
const parallelVendors = 4;

interface NamedCard {
  readonly card: StoredCard;
  readonly unionId: string;
}

/** A card with what the union says of its player; undefined if it was not asked, or did not answer. */
interface CheckedCard extends NamedCard {
  readonly isKnown: boolean | undefined;
}

function unionIdOf({ content }: StoredCard): string | undefined {
  const { Player } = JSON.parse(content.text()) as { readonly Player?: { readonly UnionID?: unknown } };
  return typeof Player?.UnionID === "string" ? Player.UnionID : undefined;
}

const unionIdsOf = (cards: readonly NamedCard[]) => [...new Set(cards.map(({ unionId }) => unionId))];

/** The warning is about this version only. */
const warningOf = ({ card: { apiSet, externalId, version } }: NamedCard): CardChange => ({
  apiSet,
  externalId,
  expects: { version, states: ["delivered"] },
  set: { playerUnknown: true },
});

/**
 * Makes the function that checks whether the union knows the players of cards that were just delivered, and records on a card if
 * it does not.
 *
 * @returns a function of the cards and the milliseconds left; it throws if the table fails, and may then be called again with the
 *   same cards
 */
export function createPlayerCheck({ table, recall, askerOf, now }: PlayerCheckDependencies) {
  const pausedUntil = new Map<ApiSet, number>();
  const isPaused = (apiSet: ApiSet) => (pausedUntil.get(apiSet) ?? 0) > now().getTime();

  /** Asks with the account of the vendor, to whom all the cards belong. */
  async function askAs(
    apiSet: ApiSet,
    cards: readonly NamedCard[],
    left: () => number,
  ): Promise<CheckedCard[]> {
    const ask = await askerOf(apiSet);
    if (ask === undefined) return [];
    const { isKnown, stopped } = await askForPlayers(ask, unionIdsOf(cards), left);
    if (stopped !== undefined) pausedUntil.set(apiSet, now().getTime() + pauses[stopped]);
    return cards.map((card) => ({ ...card, isKnown: isKnown.get(card.unionId) }));
  }

  return async function checkPlayers(
    delivered: readonly StoredCard[],
    remaining: () => number,
  ): Promise<PlayerCheckCounts> {
    const cards = delivered.flatMap((card): NamedCard[] => {
      const unionId = unionIdOf(card);
      return unionId === undefined || isPaused(card.apiSet) ? [] : [{ card, unionId }];
    });
    if (cards.length === 0) return { unknown: 0, unchecked: delivered.length };

    const { known, remember } = await recall(unionIdsOf(cards));
    const strangers = cards.filter(({ unionId }) => !known.has(unionId));
    const left = () => remaining() - storingReserve;
    const answers = await pMap(
      Map.groupBy(strangers, ({ card }) => card.apiSet),
      ([apiSet, own]) => askAs(apiSet, own, left),
      { concurrency: parallelVendors },
    );
    const checked = answers.flat().filter(({ isKnown }) => isKnown !== undefined);

    const results = await table.write(checked.filter(({ isKnown }) => !isKnown).map(warningOf));
    await remember(unionIdsOf(checked.filter(({ isKnown }) => isKnown)));
    return {
      unknown: results.filter((result) => result === "written").length,
      unchecked: delivered.length - (cards.length - strangers.length) - checked.length,
    };
  };
}
