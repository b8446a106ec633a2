import type { ApiSet } from "../accounts/api-set.ts";
import { mapSettled } from "../dynamodb/chunks.ts";
import type { RecallPlayers } from "../dynamodb/known-players.ts";
import type { ScorecardTable } from "../dynamodb/scorecards.ts";
import { askForPlayers, hasTimeToAsk } from "../members/ask-for-players.ts";
import type { UnionAccount } from "../union/account.ts";
import type { MemberLookup } from "../union/member-register.ts";
import type { CardChange, StoredCard } from "./card.ts";
import type { DeliveryDependencies } from "./dependencies.ts";
import { recordingReserve } from "./timing.ts";

/** What the player check needs from outside. */
export interface PlayerCheckDependencies
  extends Pick<DeliveryDependencies, "account" | "now" | "report" | "settings"> {
  readonly table: Pick<ScorecardTable, "write">;
  readonly recall: RecallPlayers;
  /** Never throws. */
  readonly lookUp: (
    account: UnionAccount,
    unionId: string,
    timeoutMilliseconds: number,
  ) => Promise<Pick<MemberLookup, "outcome">>;
}

/** Checks, after the deliveries of a run, whether the union knows the players. */
export interface PlayerCheck {
  /** Notes cards that were just recorded as delivered. */
  readonly note: (cards: readonly StoredCard[]) => void;
  /**
   * Asks for the players of the noted cards, and records on a card if the union does not know its player. Never throws: a card
   * that is not checked is delivered all the same.
   *
   * @param remaining milliseconds that the run has left
   */
  readonly check: (remaining: () => number) => Promise<void>;
}

const second = 1000;
const longestCheck = 5 * second;
/** How long nobody is asked for with a vendor's account, so that a union which does not answer holds up few runs. */
const pauses = { refused: 3600 * second, unanswered: 300 * second };

interface NotedCard {
  readonly card: StoredCard;
  readonly unionId: string;
}

/** A card with what the union says of its player; undefined if it was not asked, or did not answer. */
interface CheckedCard extends NotedCard {
  readonly isKnown: boolean | undefined;
}

function unionIdOf({ content }: StoredCard): string | undefined {
  const { Player } = JSON.parse(content.text()) as { readonly Player?: { readonly UnionID?: unknown } };
  return typeof Player?.UnionID === "string" ? Player.UnionID : undefined;
}

const unionIdsOf = (cards: readonly NotedCard[]) => [...new Set(cards.map(({ unionId }) => unionId))];

/** The warning is about this version only. */
const warningOf = ({ card: { apiSet, externalId, version } }: NotedCard): CardChange => ({
  apiSet,
  externalId,
  expects: { version, states: ["delivered"] },
  set: { playerUnknown: true },
});

/** Makes the player check of an execution environment. */
export function createPlayerCheck(dependencies: PlayerCheckDependencies): PlayerCheck {
  const { table, recall, lookUp, account, now, report, settings } = dependencies;
  const noted: StoredCard[] = [];
  const pausedUntil = new Map<ApiSet, number>();
  const isPaused = (apiSet: ApiSet) => (pausedUntil.get(apiSet) ?? 0) > now().getTime();

  /** Asks with the account of the vendor, to whom all the cards belong. */
  async function askAs(
    apiSet: ApiSet,
    cards: readonly NotedCard[],
    left: () => number,
  ): Promise<CheckedCard[]> {
    const own = await account(apiSet);
    const ask = (unionId: string, timeout: number) => lookUp(own, unionId, timeout);
    const { isKnown, stopped } = await askForPlayers(ask, unionIdsOf(cards), left);
    if (stopped !== undefined) pausedUntil.set(apiSet, now().getTime() + pauses[stopped]);
    return cards.map((card) => ({ ...card, isKnown: isKnown.get(card.unionId) }));
  }

  /** @returns how many of the cards have the warning now, and how many were not checked */
  async function checkCards(delivered: readonly StoredCard[], remaining: () => number) {
    const endsAt = Math.max(recordingReserve, remaining() - longestCheck);
    const left = () => remaining() - endsAt;
    const cards = delivered.flatMap((card): NotedCard[] => {
      const unionId = unionIdOf(card);
      return unionId === undefined || isPaused(card.apiSet) ? [] : [{ card, unionId }];
    });
    if (cards.length === 0 || !hasTimeToAsk(left())) return { unknown: 0, unchecked: delivered.length };

    const { known, remember } = await recall(unionIdsOf(cards));
    const strangers = cards.filter(({ unionId }) => !known.has(unionId));
    const vendors = Map.groupBy(strangers, ({ card }) => card.apiSet);
    const answers = await mapSettled(vendors, settings.parallelPosts, ([apiSet, ofVendor]) =>
      askAs(apiSet, ofVendor, left),
    );
    const checked = answers.flat();

    const changes = checked.filter(({ isKnown }) => isKnown === false).map(warningOf);
    const results = await table.write(changes);
    await remember(unionIdsOf(checked.filter(({ isKnown }) => isKnown)));
    const answered = cards.length - checked.filter(({ isKnown }) => isKnown === undefined).length;
    return {
      unknown: results.filter((result) => result === "written").length,
      unchecked: delivered.length - answered,
    };
  }

  return {
    note: (cards) => void noted.push(...cards),
    async check(remaining) {
      const delivered = noted.splice(0);
      if (delivered.length === 0) return;
      try {
        report({ kind: "playersChecked", ...(await checkCards(delivered, remaining)) });
      } catch (error) {
        report({ kind: "playersUnchecked", error });
      }
    },
  };
}
