import { guidKey, unionIdKey } from "../formats/identifiers.ts";
import type { FieldCard } from "./assessed-card.ts";
import { playedHoles } from "./score-round.ts";
import type { Scorecard } from "./scorecard.ts";
import { maxHoles } from "./tee-numbers.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A round of a player, as far as two rounds are compared. */
export interface StartedRound {
  /** Wall clock of its start, in milliseconds since 1970 as if it were UTC; midnight stands for a round without a tee time. */
  readonly start: number;
  /** Length of the round: 9 or 18, or what was played of it. */
  readonly holes: number;
  /** Its number in a tournament, if the card has one. */
  readonly number?: number | undefined;
  /** Hash of its card's ID, if rounds are compared by it. */
  readonly id?: string | undefined;
  /** Tee and strokes; undefined for a round of a few holes, which others equal by chance. */
  readonly played?: string | undefined;
  /** The card, if it is at hand: then rounds are compared hole by hole, too. */
  readonly card?: PlayedRound | undefined;
}

/** How far apart the starts of one round may be on two cards: another day, or another time zone. */
const maxHoursApart = 36;
/** Rounds of fewer holes are not compared by their strokes. */
const minHolesCompared = 9;

/** A card as far as it says what was played. */
export interface PlayedRound {
  readonly Course: {
    readonly CourseID?: string | undefined;
    readonly TeeID?: string | undefined;
    readonly Name?: string | undefined;
    readonly TeeName?: string | undefined;
  };
  readonly Result: { readonly Strokes: readonly number[] };
}

/** The tee and the strokes of a card, as a text that two rounds hardly share by chance. */
export function playedText({ Course, Result }: PlayedRound): string | undefined {
  if (playedHoles(Result.Strokes) < minHolesCompared) return undefined;
  const tee = Course.TeeID === undefined ? `${Course.Name} ${Course.TeeName}` : guidKey(Course.TeeID);
  return `${tee} ${Result.Strokes.join()}`;
}

/** Holes of eighteen that may differ on two cards of one round: mistyped, or picked up here and written there. */
const maxHolesDiffering = 2;

const isSameCourse = ({ Course: one }: PlayedRound, { Course: other }: PlayedRound): boolean => {
  const isSame = (id?: string, another?: string) =>
    id !== undefined && id.toUpperCase() === another?.toUpperCase();
  return (["TeeID", "CourseID", "Name"] as const).some((name) => isSame(one[name], other[name]));
};

/** The strokes of a round, of nine holes of eighteen only those. */
function strokesPlayed({ Result: { Strokes } }: PlayedRound): readonly number[] {
  const played = Strokes.filter((taken) => taken !== -1);
  return played.length === minHolesCompared ? played : Strokes;
}

/**
 * Whether two cards have one round's strokes: nearly all of eighteen holes on one course, from whatever tee; all of nine; or nine
 * that lie inside the eighteen of the same day, which may be another course of the register.
 */
function likenessOfHoles(round: StartedRound, other: StartedRound): "holes" | "nine" | undefined {
  if (round.card === undefined || other.card === undefined) return undefined;
  const [shorter = [], longer = []] = [strokesPlayed(round.card), strokesPlayed(other.card)].sort(
    (one, two) => one.length - two.length,
  );
  if (Math.min(playedHoles(shorter), playedHoles(longer)) < minHolesCompared) return undefined;
  const countDiffering = (from: number) =>
    shorter.filter((taken, hole) => taken !== longer[from + hole]).length;
  if (shorter.length === longer.length) {
    const most = shorter.length === maxHoles ? maxHolesDiffering : 0;
    return isSameCourse(round.card, other.card) && countDiffering(0) <= most ? "holes" : undefined;
  }
  const isSameDay = Math.floor(round.start / day) === Math.floor(other.start / day);
  return isSameDay && [0, minHolesCompared].some((from) => countDiffering(from) === 0) ? "nine" : undefined;
}

/** How a round is like one that was seen. */
export interface Likeness {
  /**
   * `strokes`: the same on the same tee; `holes`: on nearly all holes of the course; `nine`: on nine holes; `start`: only that, with
   * other strokes; `id`: the ID of its card; undefined if strokes were not compared.
   */
  readonly by?: "strokes" | "holes" | "nine" | "start" | "id";
  /** How much later it starts, if that is one or two. */
  readonly hours?: number;
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

/** Whether a round has a start: at midnight there are no tee times. */
const hasStart = ({ start }: StartedRound) => start % day !== 0;

/** Whether two rounds begin so near to each other that there may be a doubt about one of them. */
export const isNear = (round: StartedRound, other: StartedRound) =>
  Math.abs(round.start - other.start) <= maxHoursApart * hour;

/** Whether two rounds have cards of one ID. */
export const hasSameId = (round: StartedRound, other: StartedRound) =>
  round.id !== undefined && round.id === other.id;

/** Whether two rounds are one by what was played, or by their start. */
function likenessOf(round: StartedRound, other: StartedRound): Likeness | undefined {
  // A tournament may give all its rounds one start that nobody measured.
  if (round.number !== undefined && other.number !== undefined && round.number !== other.number)
    return undefined;
  const hours = (round.start - other.start) / hour;
  if (isNear(round, other)) {
    const isSame = round.played !== undefined && round.played === other.played;
    const by = isSame ? "strokes" : likenessOfHoles(round, other);
    const isOffset = by !== "nine" && (Math.abs(hours) === 1 || Math.abs(hours) === 2);
    if (by !== undefined) return { by, ...(isOffset && { hours }) };
  }
  if (hours !== 0 || !hasStart(round)) return undefined;
  return round.played === undefined || other.played === undefined ? {} : { by: "start" };
}

function isOverlap(round: StartedRound, other: StartedRound): boolean {
  if (round.start === other.start || !hasStart(round) || !hasStart(other)) return false;
  const first = round.start < other.start ? round : other;
  return Math.abs(round.start - other.start) / minute < minMinutes[lengthOf(first)];
}

/** A doubt about a round, with the round that it is about if it is one. */
interface FoundDoubt<Round> {
  readonly doubt: RoundDoubt;
  readonly other?: Round;
  readonly likeness?: Likeness;
}

/**
 * The doubt about a round among other rounds of the same player.
 *
 * @param others in the order in which they were sent
 */
export function doubtAbout<Round extends StartedRound>(
  round: StartedRound,
  others: readonly Round[],
): FoundDoubt<Round> | undefined {
  const alike = others.flatMap((other) => {
    const likeness =
      likenessOf(round, other) ?? (hasSameId(round, other) ? { by: "id" as const } : undefined);
    return likeness === undefined ? [] : [{ doubt: "round_seen" as const, other, likeness }];
  });
  const seen = alike.find(({ likeness: { by = "start" } }) => by !== "start") ?? alike[0];
  if (seen !== undefined) return seen;
  const overlap = others.find((other) => isOverlap(round, other));
  if (overlap !== undefined) return { doubt: "rounds_overlap", other: overlap };
  const length = lengthOf(round);
  const ofDay = others.filter(
    (other) => Math.floor(other.start / day) === Math.floor(round.start / day) && lengthOf(other) === length,
  );
  return ofDay.length >= maxRoundsADay[length] ? { doubt: "rounds_many" } : undefined;
}

const onceDelivered = "once it is delivered, ask the player's club to take it off";
const remedies = {
  round_seen: `If it is the same round, withdraw one of the two, or ${onceDelivered}, and correct a card under its own ExternalID; if they are two rounds, send their StartTimes. If both are right, nothing is to be corrected.`,
  rounds_overlap: `Nobody plays the first so fast. Send the StartTimes of the two, or withdraw the one that was not played, or ${onceDelivered}. If both are right, nothing is to be corrected.`,
  rounds_many: `Withdraw each that was not played, or ${onceDelivered}. If all are right, nothing is to be corrected.`,
} as const satisfies Record<RoundDoubt, string>;

function likenessInWords({ by, hours }: Likeness): string {
  const twice = "so the round may count twice";
  if (by === undefined || by === "start")
    return `has the same StartTime${by === "start" ? " but other strokes" : ""}, ${twice}`;
  if (by === "id") return "has the same ID, so the two may be taken for one: give each its own, or none";
  const alike = {
    strokes: "has the same strokes on the same tee",
    holes: "has the same strokes on nearly all holes of the course",
    nine: "has the same strokes on nine holes of the day",
  }[by];
  if (hours === undefined) return `${alike}, ${twice}`;
  const offset = `${Math.abs(hours)} ${Math.abs(hours) === 1 ? "hour" : "hours"} ${hours > 0 ? "later" : "earlier"}`;
  return `${alike}. This round begins ${offset}: one of the two StartTimes may be in UTC, ${twice}`;
}

/**
 * What a doubt says.
 *
 * @param of the other card, in words that begin a sentence
 * @param likeness how a round that was seen is like the other
 */
export function doubtInWords(doubt: RoundDoubt, of: string, likeness: Likeness = {}): string {
  const found = {
    round_seen: `${of} is of the same player and ${likenessInWords(likeness)}.`,
    rounds_overlap: `${of} is of the same player, and the two rounds begin less than ${minMinutes.eighteen} minutes apart, or ${minMinutes.nine} after nine holes.`,
    rounds_many: `The player has more than ${maxRoundsADay.eighteen} rounds of eighteen holes on this day, or ${maxRoundsADay.nine} of nine.`,
  };
  return `${found[doubt]} ${remedies[doubt]}`;
}

/** The numbers of a card's player: a player of two clubs has two UnionIDs. */
const numbersOf = ({ Player: { UnionID, LifeTimeID } }: Scorecard): readonly string[] =>
  LifeTimeID === undefined ? [unionIdKey(UnionID)] : [unionIdKey(UnionID), LifeTimeID];

/** Creates a check whether an earlier card has the same player, by either number. */
export function earlierPlayers(): (card: Scorecard) => boolean {
  const seen = new Set<string>();
  return (card) => {
    const { size } = seen;
    const numbers = numbersOf(card);
    for (const number of numbers) seen.add(number);
    return seen.size < size + numbers.length;
  };
}

/** Warns of rounds that an earlier card of the same submission has, too, or that overlap with one of the same player. */
export function warnOfRounds(cards: readonly FieldCard[]): void {
  const players = new Map<string, (StartedRound & Pick<FieldCard, "card" | "index">)[]>();
  for (const { start, card, index, findings } of cards) {
    const { HolesPlayed: holes, TournamentRoundNumber: number } = card.Round;
    const round = { start, holes, number, played: playedText(card), card, index };
    const numbers = numbersOf(card);
    const rounds = numbers.map((number) => players.get(number)).find((known) => known !== undefined) ?? [];
    const found = doubtAbout(round, rounds);
    rounds.push(round);
    for (const number of numbers) players.set(number, rounds);
    if (found === undefined) continue;
    const { doubt, other, likeness } = found;
    const name = other?.card.Course.ClubID === card.Course.ClubID ? `, ${other?.card.ExternalID},` : "";
    const of = `The card at index ${other?.index} of this submission${name}`;
    findings.warn("/Round/StartTime", doubt, doubtInWords(doubt, of, likeness));
  }
}
