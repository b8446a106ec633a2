import { hash } from "node:crypto";
import type { TournamentOfCard } from "../../api/activity.ts";
import type { TournamentCounts } from "../../api/tournaments.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { StoredCard } from "../cards/life/card.ts";
import { clubOfRound } from "../cards/life/card-content.ts";
import type { CardHappening, CardUpdate, EventKind } from "../cards/life/happened.ts";
import { isFinal, State } from "../cards/life/states.ts";
import { warningsOf } from "../cards/status.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import { isTimestamp } from "../formats/union-time.ts";
import { type CountStep, type Counts, subtracted, warningCount } from "./activity-counts.ts";

/** The counts of a tournament's cards. The five of states add up to `cards`. */
export const tournamentCountNames = [
  /** Without an outcome yet. */
  "waiting",
  State.delivered,
  State.rejected,
  State.undelivered,
  State.withdrawn,
  /** Delivered, and in the player's record at the union. */
  "recorded",
  /** Delivered and not in it, although it was looked for several times. */
  "notRecorded",
  /** Delivered, of players whom the union did not know. */
  "playersUnknown",
  /** With any warning. */
  "warned",
] as const;

/** The name of a count of a tournament. */
export type TournamentCountName = (typeof tournamentCountNames)[number];

/** A vendor's tournament on one day of play. */
export interface TournamentDay {
  /** Of the tournament, by its name: `~` and a hash, which fits keys and URLs whatever the name has in it. */
  readonly id: string;
  /** E.g. `2026-07-04`, from the round's StartTime. */
  readonly day: string;
}

/** The steps of the counts of a tournament's day at a club, in the order of the stream. */
export interface TournamentSteps extends TournamentDay {
  readonly apiSet: ApiSet;
  /** At which the rounds were played; undefined on courses that are not the union's. */
  readonly club?: GuidKey | undefined;
  /** Set if cards came to the tournament. */
  readonly name?: string;
  /** When the last of the cards was changed, in milliseconds since 1970, UTC. */
  readonly changedAt: number;
  readonly steps: readonly CountStep[];
}

/** Cards that came to a tournament's day, in the order of the stream. */
export interface TournamentList extends TournamentDay {
  readonly apiSet: ApiSet;
  /** Sequence number of the first of these cards' changes. */
  readonly sequenceNumber: string;
  /** When the last of them came, in milliseconds since 1970, UTC. */
  readonly listedAt: number;
  readonly externalIds: readonly string[];
}

/** The most characters of a name that are kept. Longer ones are told apart all the same, by their hash. */
const maxNameLength = 200;
const maxRoundNumber = 99;

/** Spellings that look alike are one name: composed or not, with more spaces or fewer. Half characters would fit no key. */
const plainName = (name: string) => name.toWellFormed().normalize("NFC").replace(/\s+/gu, " ").trim();

/** The ID of a tournament by its name. */
export const tournamentId = (name: string): string =>
  `~${hash("sha256", plainName(name), "base64url").slice(0, 22)}`;

/** Cuts a name between characters, not within one. */
const cutName = (name: string) =>
  [...name.slice(0, 2 * maxNameLength)].slice(0, maxNameLength).join("").toWellFormed();

/** Whether a text has the form of a tournament's ID. */
export const isTournamentId = (text: string): boolean => /^~[\w-]{22}$/.test(text);

/**
 * The tournament that a card names, whether or not the card is valid; undefined if it names none, or no day.
 *
 * @param today the day of a card that says none, or a later one, e.g. `2026-07-04`: such a card is refused
 */
export function tournamentOf(card: unknown, today?: string): TournamentOfCard | undefined {
  const { Round } = fieldsOf(card);
  const { TournamentName, TournamentRoundNumber, StartTime } = fieldsOf(Round);
  const name = typeof TournamentName === "string" ? plainName(TournamentName) : "";
  const played = typeof StartTime === "string" && isTimestamp(StartTime) ? dayIn(StartTime) : today;
  const day = today !== undefined && played !== undefined && played > today ? today : played;
  if (name === "" || day === undefined) return undefined;
  const round = Number.isInteger(TournamentRoundNumber) ? Number(TournamentRoundNumber) : 0;
  return {
    id: tournamentId(name),
    name: cutName(name),
    day,
    round: round >= 1 && round <= maxRoundNumber ? round : 0,
  };
}

const dayIn = (startTime: string) =>
  `${startTime.slice(0, 4)}-${startTime.slice(4, 6)}-${startTime.slice(6, 8)}`;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** How JSON of a card that names a tournament begins the name: a text cannot look like it, since its quotes are escaped. */
const beginningOfName = '"TournamentName":"';

type TournamentAtClub = TournamentOfCard & Pick<TournamentSteps, "club">;

/** The tournament of a stored card; undefined if it names none, or its player was erased. */
function tournamentOfStored({ content }: Pick<StoredCard, "content">): TournamentAtClub | undefined {
  try {
    // Parsing a card takes much longer.
    if (!content.text().includes(beginningOfName)) return undefined;
    const tournament = tournamentOf(content.card());
    return tournament && { ...tournament, club: clubOfRound(content) };
  } catch {
    // Without a content that can be read, the card is of no tournament. It must not stop the counts of all others.
    return undefined;
  }
}

/**
 * States that a card is counted by. The stream tells no change to `retrying`, so all states without an outcome are one.
 */
const countedState = ({ state }: StoredCard) => (isFinal(state) ? state : "waiting");

const countName = (round: number, name: string) => `${round} ${name}`;

/** The counts that a card is in. */
function countCard(card: StoredCard, round: number): Counts {
  const codes = new Set(warningsOf(card).map(({ code }) => code));
  const names = [
    countedState(card),
    ...(card.record === undefined ? [] : [card.record.isRecorded ? "recorded" : "notRecorded"]),
    ...(card.playerUnknown ? ["playersUnknown"] : []),
    ...(codes.size > 0 ? ["warned"] : []),
  ].map((name) => countName(round, name));
  return Object.fromEntries([...names, ...[...codes].map(warningCount)].map((name) => [name, 1]));
}

/** The kinds of events that may change the tournament that a card is of. */
const contentKinds = new Set<EventKind>([
  "accepted",
  "corrected",
  "resent",
  "withdrawalBegun",
  "withdrawalFailed",
  "erased",
]);

/** A card's change, with the tournament that it was of, and the one that it is of now. */
interface TournamentChange {
  readonly update: CardUpdate;
  readonly from: TournamentAtClub | undefined;
  readonly to: TournamentAtClub | undefined;
}

const isSameDay = (one: TournamentDay | undefined, other: TournamentDay | undefined) =>
  one?.id === other?.id && one?.day === other?.day;

function listChanges(updates: readonly CardHappening[]): TournamentChange[] {
  return updates.flatMap((update) => {
    const { card, before, events } = update;
    if (events.length === 0) return [];
    const to = tournamentOfStored(card);
    const isNewContent = events.some(({ kind }) => contentKinds.has(kind));
    // Unpacking a content takes long, and most changes are of the outcome only.
    const from = before && (isNewContent ? tournamentOfStored(before) : to);
    return from === undefined && to === undefined ? [] : [{ update, from, to }];
  });
}

/** When a card was changed last, as far as its counts go; milliseconds since 1970, UTC. */
const changedAt = ({ acceptedAt, since, record }: StoredCard) => Math.max(acceptedAt, since, record?.at ?? 0);

/** What a batch of changes does to tournaments: the steps of their counts, and the cards that came to them. */
export interface TournamentWork {
  readonly steps: readonly TournamentSteps[];
  readonly lists: readonly TournamentList[];
}

/**
 * The steps and lists of a batch of changes, by vendor, tournament and day. The sum of all steps up to one state of the table
 * is the counts of its cards: a card that is corrected to another tournament or day, or erased, leaves the one that it was in.
 */
export function tournamentWork(updates: readonly CardHappening[]): TournamentWork {
  const days = new Map<string, TournamentSteps & { name?: string; changedAt: number; steps: CountStep[] }>();
  const lists = new Map<string, TournamentList & { listedAt: number; readonly externalIds: string[] }>();
  for (const { update, from, to } of listChanges(updates)) {
    const { card, before, sequenceNumber } = update;
    const { apiSet, externalId } = card;
    const add = ({ id, day, club }: TournamentAtClub, counts: Counts, name?: string) => {
      const counted = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
      if (Object.keys(counted).length === 0) return;
      const key = `${apiSet} ${day} ${id} ${club}`;
      const known = days.get(key) ?? { apiSet, id, day, club, changedAt: 0, steps: [] };
      known.steps.push({ sequenceNumber, counts: counted });
      known.changedAt = Math.max(known.changedAt, changedAt(card));
      if (name !== undefined) known.name = name;
      days.set(key, known);
    };
    const left = before && from && countCard(before, from.round);
    const come = to && countCard(card, to.round);
    if (isSameDay(from, to) && from?.club === to?.club) {
      if (to !== undefined) add(to, subtracted(come ?? {}, left ?? {}));
      continue;
    }
    if (from !== undefined) add(from, subtracted({}, left ?? {}));
    if (to === undefined || come === undefined) continue;
    add(to, come, to.name);
    if (isSameDay(from, to)) continue;
    const key = `${apiSet} ${to.day} ${to.id}`;
    const list = lists.get(key) ?? {
      apiSet,
      id: to.id,
      day: to.day,
      sequenceNumber,
      listedAt: 0,
      externalIds: [],
    };
    list.listedAt = Math.max(list.listedAt, changedAt(card));
    list.externalIds.push(externalId);
    lists.set(key, list);
  }
  return { steps: [...days.values()], lists: [...lists.values()] };
}

/** As `mergedHours`, of a tournament's day. The last name that came is the tournament's. */
export const mergedTournaments = (tournaments: readonly TournamentSteps[]): TournamentSteps[] =>
  [...Map.groupBy(tournaments, ({ day, id, club }) => `${day} ${id} ${club}`).values()].map((all) => ({
    ...Object.assign({}, ...all),
    changedAt: Math.max(...all.map(({ changedAt }) => changedAt)),
    steps: all.flatMap(({ steps }) => steps),
  }));

/** The counts of one round. */
export interface RoundCounts extends TournamentCounts {
  /** 0 if its cards have no number. */
  readonly round: number;
}

function named(counts: Counts): TournamentCounts {
  // Of a card that was accepted before tournaments were counted, only the later steps are known.
  const of = (name: TournamentCountName) => Math.max(0, counts[name] ?? 0);
  const all = Object.fromEntries(tournamentCountNames.map((name) => [name, of(name)]));
  const cards =
    of("waiting") + of(State.delivered) + of(State.rejected) + of(State.undelivered) + of(State.withdrawn);
  return { cards, ...(all as Record<TournamentCountName, number>) };
}

/** The counts of each round of a tournament's day, by its number. */
export function roundsIn(counts: Counts): RoundCounts[] {
  const rounds = new Map<number, Record<string, number>>();
  for (const [key, count] of Object.entries(counts)) {
    const [, round, name] = /^(\d{1,2}) (\w+)$/.exec(key) ?? [];
    if (round === undefined || name === undefined) continue;
    const known = rounds.get(Number(round)) ?? {};
    known[name] = count;
    rounds.set(Number(round), known);
  }
  return [...rounds]
    .map(([round, of]) => ({ round, ...named(of) }))
    .filter((of) => of.cards > 0)
    .sort((one, other) => one.round - other.round);
}

/** The sum of counts of rounds. */
export function sumOfRounds(rounds: readonly TournamentCounts[]): TournamentCounts {
  const names = ["cards", ...tournamentCountNames] as const;
  const sums = names.map((name) => [name, rounds.reduce((sum, counts) => sum + counts[name], 0)]);
  return Object.fromEntries(sums) as Record<TournamentCountName | "cards", number>;
}
