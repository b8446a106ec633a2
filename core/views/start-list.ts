import type { StoredCard } from "../cards/life/card.ts";
import { type CardState, State } from "../cards/life/states.ts";
import type { Days } from "../formats/days.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import { type TournamentDay, tournamentOf } from "./tournament.ts";

/** A keyed digest of a player's UnionID, the same for every spelling of it. */
export type PlayerDigest = (unionId: string) => string;

/** A player whose cards are expected. */
export interface ListedPlayer {
  readonly digest: string;
  /** The vendor's own, such as a start number; never a name. */
  readonly label?: string;
}

/** The players whose cards of a tournament are expected on some days of play. */
export interface StartList extends Days {
  /** The rounds of which each player sends a card; if absent, those that have cards. */
  readonly rounds?: readonly number[];
  /** In the order of the list. A player who was erased leaves the place empty. */
  readonly players: readonly (ListedPlayer | undefined)[];
  /** When it was sent, in milliseconds since 1970, UTC. */
  readonly putAt: number;
  /** When it is erased, the same. */
  readonly expiresAt: number;
}

/** Days that a start list is kept: from its last day of play on, or from when it was sent if it came later. */
export const startListDays = 30;

/** What a card of a tournament says of its player's round. */
export interface StartListCard {
  readonly externalId: string;
  readonly digest: string;
  /** 0 if the card has no number from 1 to 99. */
  readonly round: number;
  readonly state: CardState;
}

/** Why a player counts as missing: no card was accepted, or none that was delivered or may still be. */
export const missingReasons = ["not_sent", State.withdrawn, State.rejected, State.undelivered] as const;

/** Why a player counts as missing. */
export type MissingReason = (typeof missingReasons)[number];

/** A player of a start list without a card that was delivered or may still be. */
export interface MissingPlayer {
  /** The player's place in the list, from 0. */
  readonly index: number;
  readonly label?: string;
  readonly reason: MissingReason;
}

/** A round compared with a start list. */
export interface ExpectedRound {
  /** 0 if its cards have no number from 1 to 99. */
  readonly round: number;
  /** Players of the list. */
  readonly players: number;
  /** Those of them without a card that was delivered or may still be. */
  readonly missing: number;
  /** The first of these, in the order of the list. */
  readonly missingPlayers: readonly MissingPlayer[];
  /** Cards of players who are not in the list, without withdrawn ones. */
  readonly unlisted: number;
  /** ExternalIDs of the first of these, in the order in which they came. */
  readonly unlistedCards: readonly string[];
}

/** Missing players that are listed of a round. */
export const maxMissingPlayers = 500;

/** ExternalIDs of cards of other players that are listed of a round. */
export const maxUnlistedCards = 100;

const failures = [State.undelivered, State.rejected, State.withdrawn] as const satisfies readonly CardState[];

/** Why none of a player's cards counts; undefined if one does. */
function reasonOf(states: readonly CardState[]): MissingReason | undefined {
  const isFailure = (state: CardState) => failures.some((failure) => failure === state);
  if (states.some((state) => !isFailure(state))) return undefined;
  return failures.find((failure) => states.includes(failure)) ?? "not_sent";
}

/** The rounds of which a list expects cards. A list that names none expects those that have cards. */
function roundsOf({ rounds }: Pick<StartList, "rounds">, cards: readonly StartListCard[]): number[] {
  const found = rounds ?? cards.flatMap(({ round, state }) => (state === State.withdrawn ? [] : [round]));
  const unique = [...new Set(found)].sort((one, other) => one - other);
  return unique.length === 0 ? [0] : unique;
}

/**
 * Which players of a start list have no card in each round. A card without a number counts in a list's only round.
 *
 * @param cards of the list's tournament and days, each once
 */
export function compareWithCards(
  list: Pick<StartList, "rounds" | "players">,
  cards: readonly StartListCard[],
): ExpectedRound[] {
  const [only, ...others] = list.rounds ?? [];
  const roundOfCard = ({ round }: StartListCard) =>
    round === 0 && only !== undefined && others.length === 0 ? only : round;
  const byRound = Map.groupBy(cards, roundOfCard);
  const listed = new Set(list.players.map((player) => player?.digest));
  return roundsOf(list, cards).map((round) => {
    const ofRound = byRound.get(round) ?? [];
    const byPlayer = Map.groupBy(ofRound, ({ digest }) => digest);
    const missing = list.players.flatMap((player, index): MissingPlayer[] => {
      if (player === undefined) return [];
      const { digest, label } = player;
      const reason = reasonOf((byPlayer.get(digest) ?? []).map(({ state }) => state));
      return reason === undefined ? [] : [{ index, ...(label !== undefined && { label }), reason }];
    });
    const unlisted = ofRound.filter(({ digest, state }) => state !== State.withdrawn && !listed.has(digest));
    return {
      round,
      players: list.players.filter((player) => player !== undefined).length,
      missing: missing.length,
      missingPlayers: missing.slice(0, maxMissingPlayers),
      unlisted: unlisted.length,
      unlistedCards: unlisted.slice(0, maxUnlistedCards).map(({ externalId }) => externalId),
    };
  });
}

/**
 * What a stored card says of its player's round.
 *
 * @returns undefined if the card is not, or no longer, of this tournament and day, or its player was erased
 */
export function playersCard(
  { externalId, content, state }: Pick<StoredCard, "externalId" | "content" | "state">,
  { id, day }: TournamentDay,
  digest: PlayerDigest,
): StartListCard | undefined {
  const { Round, Player } = content.card() as Partial<Pick<Scorecard, "Round" | "Player">>;
  const tournament = tournamentOf({ Round });
  if (tournament?.id !== id || tournament.day !== day || !Player?.UnionID) return undefined;
  return { externalId, digest: digest(Player.UnionID), round: tournament.round, state };
}

/** Whether two lists have a day in common. */
export const isSameTime = (one: Days, other: Days): boolean => one.from <= other.to && other.from <= one.to;

/** Lists of one tournament without those that a newer one has replaced, in the order of their days. */
export function inForce<List extends Days & Pick<StartList, "putAt">>(lists: readonly List[]): List[] {
  const kept: List[] = [];
  for (const list of lists.toSorted((one, other) => other.putAt - one.putAt)) {
    if (!kept.some((newer) => isSameTime(newer, list))) kept.push(list);
  }
  return kept.sort((one, other) => (one.from < other.from ? -1 : 1));
}
