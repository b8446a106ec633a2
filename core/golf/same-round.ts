import { unionIdKey } from "../formats/identifiers.ts";
import { type Timestamp, wallClock } from "../formats/union-time.ts";
import type { Findings } from "./findings.ts";
import { maxHoles } from "./tee-numbers.ts";

const minute = 60_000;
const day = 86_400_000;

/** A round of a player, as far as two rounds are compared. */
export interface StartedRound {
  /** Wall clock of its start, in milliseconds since 1970 as if it were UTC. */
  readonly start: number;
  /** Length of the round: 9 or 18, or what was played of it. */
  readonly holes: number;
  /** Its number in a tournament, if the card has one. */
  readonly number?: number | undefined;
}

/** Why a round may be one that was sent before, or none that one player can have played. */
export const roundDoubts = ["round_seen", "rounds_overlap", "rounds_many"] as const;

/** The code of such a doubt. */
export type RoundDoubt = (typeof roundDoubts)[number];

/** Least minutes between the starts of two rounds; nobody plays the first of them faster. */
const minMinutes = { nine: 45, eighteen: 90 } as const;
/** Most rounds of a day. */
const maxRoundsADay = { nine: 12, eighteen: 6 } as const;

const lengthOf = ({ holes }: StartedRound) => (holes > maxHoles / 2 ? "eighteen" : "nine");

/** Compares a round with another one of the same player. */
function doubtBetween(round: StartedRound, other: StartedRound): RoundDoubt | undefined {
  if (round.start === other.start) {
    // A tournament may give all its rounds one start that nobody measured.
    const isNumbered = round.number !== undefined && other.number !== undefined;
    return isNumbered && round.number !== other.number ? undefined : "round_seen";
  }
  const first = round.start < other.start ? round : other;
  const minutes = Math.abs(round.start - other.start) / minute;
  return minutes < minMinutes[lengthOf(first)] ? "rounds_overlap" : undefined;
}

/**
 * The doubt about a round among other rounds of the same player, with the round that it is about if it is one.
 *
 * @param others in the order in which they were sent
 */
export function doubtAbout<Round extends StartedRound>(
  round: StartedRound,
  others: readonly Round[],
): { readonly doubt: RoundDoubt; readonly other?: Round } | undefined {
  for (const doubt of ["round_seen", "rounds_overlap"] as const) {
    const other = others.find((one) => doubtBetween(round, one) === doubt);
    if (other !== undefined) return { doubt, other };
  }
  const length = lengthOf(round);
  const ofDay = others.filter(
    (other) => Math.floor(other.start / day) === Math.floor(round.start / day) && lengthOf(other) === length,
  );
  return ofDay.length >= maxRoundsADay[length] ? { doubt: "rounds_many" } : undefined;
}

const remedies = {
  round_seen:
    "If it is the same round, withdraw one of the two, and correct a card under its own ExternalID; if they are two rounds, send their StartTimes. If both are right, nothing is to be corrected.",
  rounds_overlap:
    "Nobody plays the first so fast. Send the StartTimes of the two, or withdraw the one that was not played. If both are right, nothing is to be corrected.",
  rounds_many: "Withdraw those that were not played. If all are right, nothing is to be corrected.",
} as const satisfies Record<RoundDoubt, string>;

/** What a doubt says. @param of the other card, in words that begin a sentence */
export function doubtInWords(doubt: RoundDoubt, of: string): string {
  const found = {
    round_seen: `${of} is of the same player and has the same StartTime, so the round may count twice.`,
    rounds_overlap: `${of} is of the same player, and the two rounds begin less than ${minMinutes.eighteen} minutes apart, or ${minMinutes.nine} after nine holes.`,
    rounds_many: `The player has more than ${maxRoundsADay.eighteen} rounds of eighteen holes on this day, or ${maxRoundsADay.nine} of nine.`,
  };
  return `${found[doubt]} ${remedies[doubt]}`;
}

interface SubmittedRound extends StartedRound {
  readonly index: number;
  readonly externalId: string;
  /** The player's round before in the submission. */
  readonly earlier: SubmittedRound | undefined;
}

/** A round and those before it, in the order in which they were sent. */
function inOrder(last: SubmittedRound): SubmittedRound[] {
  const rounds: SubmittedRound[] = [];
  for (let round: SubmittedRound | undefined = last; round !== undefined; round = round.earlier)
    rounds.push(round);
  return rounds.reverse();
}

/** The numbers of a player in a card: a player with two clubs has two UnionIDs. */
interface PlayerNumbers {
  readonly UnionID: string;
  readonly LifeTimeID?: string | undefined;
}

/** A good card of a submission, as far as rounds are compared. */
export interface SubmittedCard {
  readonly index: number;
  readonly externalId: string;
  readonly card: {
    readonly Player: PlayerNumbers;
    readonly Round: {
      readonly StartTime: Timestamp;
      readonly HolesPlayed: number;
      readonly TournamentRoundNumber?: number | undefined;
    };
  };
}

/** Warns of rounds that an earlier card of the same submission has, too, or that overlap with one of the same player. */
export function warnOfRounds(cards: readonly SubmittedCard[], findings: readonly Findings[]): void {
  const lastOf = new Map<string, SubmittedRound>();
  for (const { card, index, externalId } of cards) {
    const { UnionID, LifeTimeID } = card.Player;
    const key = unionIdKey(UnionID);
    const last = lastOf.get(key) ?? (LifeTimeID === undefined ? undefined : lastOf.get(LifeTimeID));
    const { StartTime, HolesPlayed: holes, TournamentRoundNumber: number } = card.Round;
    const round = { start: wallClock(StartTime), holes, number, index, externalId, earlier: last };
    lastOf.set(key, round);
    if (LifeTimeID !== undefined) lastOf.set(LifeTimeID, round);
    const found = last && doubtAbout(round, inOrder(last));
    if (found === undefined) continue;
    const { doubt, other } = found;
    const of = `The card at index ${other?.index} of this submission, ${other?.externalId},`;
    findings[index]?.warn("/Round/StartTime", doubt, doubtInWords(doubt, of));
  }
}

/**
 * A search for players who have several cards in a submission. It is asked card by card, while a card is being assessed: when all
 * have been, the first are no longer in the processor's cache.
 *
 * @returns a function that says whether an earlier card is of the same player
 */
export function earlierPlayers(): (player: PlayerNumbers) => boolean {
  const seen = new Set<string>();
  let numbers = 0;
  return ({ UnionID, LifeTimeID }) => {
    seen.add(unionIdKey(UnionID));
    if (LifeTimeID !== undefined) seen.add(LifeTimeID);
    numbers += LifeTimeID === undefined ? 1 : 2;
    const isSeen = seen.size < numbers;
    numbers = seen.size;
    return isSeen;
  };
}
