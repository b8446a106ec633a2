import type { CountedWarning } from "../../api/activity.ts";
import type { TournamentCard, TournamentReport, TournamentSummary } from "../../api/tournaments.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { contentAcceptedAt, type StoredCard } from "../cards/life/card.ts";
import { warningsOf } from "../cards/status.ts";
import { countDays, type Days, daysBefore } from "../formats/days.ts";
import { beginningOfDay } from "../formats/union-time.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import { added, type Counts, warningsIn } from "./activity-counts.ts";
import type { RefusalReader } from "./refusal-table.ts";
import { type RefusedInTournament, refusedInTournaments } from "./refused-in-tournaments.ts";
import { type RoundCounts, roundsIn, sumOfRounds, type TournamentDay, tournamentOf } from "./tournament.ts";
import { comesBefore, type TournamentPlace, type TournamentReader } from "./tournament-table.ts";

/**
 * A stored card as its tournament shows it.
 *
 * @returns undefined if the card is not, or no longer, of this tournament and day, or its player was erased
 */
export function tournamentCard(card: StoredCard, id: string, day: string): TournamentCard | undefined {
  const { externalId, version, state, since, record, content } = card;
  const { Round, Player } = content.card() as Partial<Pick<Scorecard, "Round" | "Player">>;
  const tournament = tournamentOf({ Round });
  if (tournament?.id !== id || tournament.day !== day) return undefined;
  const playerName = Player?.FullName;
  return {
    externalId,
    version,
    state,
    acceptedAt: new Date(contentAcceptedAt(card)).toISOString(),
    since: new Date(since).toISOString(),
    day,
    ...(tournament.round > 0 && { round: tournament.round }),
    warnings: [...new Set(warningsOf(card).map(({ code }) => code))],
    ...(record !== undefined && { record: record.isRecorded ? "recorded" : "not_recorded" }),
    ...(playerName && { playerName }),
  };
}

/** What reading tournaments needs from outside. */
export interface TournamentDependencies {
  readonly tournaments: TournamentReader;
  readonly refusals: Pick<RefusalReader, "ofTournaments">;
  readonly table: Pick<ScorecardTable, "read">;
  /** The union's, an IANA name. */
  readonly timeZone: string;
}

/** One page of a vendor's tournaments, the latest day first. */
export interface TournamentPage {
  readonly tournaments: readonly TournamentSummary[];
  /** False if `refused` may be too low. */
  readonly isComplete: boolean;
  readonly next?: TournamentDay;
}

/** Refused cards of a report. */
const maxRefused = 200;

/** All days from the first to the last. */
const daysIn = (days: Days): string[] =>
  Array.from({ length: countDays(days) }, (_, place) => daysBefore(days.from, -place));

/** @param id all tournaments of the days if left out */
function readRefused(
  { refusals, table, timeZone }: TournamentDependencies,
  apiSet: ApiSet,
  { from, to }: Days,
  id?: string,
) {
  // A card is refused on its day of play at the earliest, and however long after it.
  return refusedInTournaments(
    { refusals, table },
    apiSet,
    beginningOfDay(from, timeZone),
    (one) => one.day >= from && one.day <= to && (id === undefined || one.id === id),
  );
}

const noCards = { rounds: [] as RoundCounts[], warnings: [] as CountedWarning[] };

const keyOf = ({ day, id }: TournamentDay) => `${day} ${id}`;

/**
 * Reads one page of a vendor's tournaments on some days, also those of which every card was refused.
 *
 * @param after where the page before ended
 */
export async function readTournaments(
  dependencies: TournamentDependencies,
  apiSet: ApiSet,
  days: Days,
  limit: number,
  after?: TournamentDay,
): Promise<TournamentPage> {
  const [page, refused] = await Promise.all([
    dependencies.tournaments.page(apiSet, days, limit, after),
    readRefused(dependencies, apiSet, days),
  ]);
  const { next } = page;
  const refusedBy = Map.groupBy(refused.cards, ({ tournament }) => keyOf(tournament));
  const counted = page.tournaments.map(({ counts, ...one }) => ({
    ...one,
    rounds: roundsIn(counts),
    warnings: warningsIn(counts),
  }));
  const known = new Set(counted.map(keyOf));
  // A page has its own days only, and the last one all that is left.
  const isOfPage = (one: TournamentDay) =>
    (after === undefined || comesBefore(after, one)) && (next === undefined || !comesBefore(next, one));
  const onlyRefused = [...refusedBy.values()].flatMap(([first]) => {
    if (first === undefined || known.has(keyOf(first.tournament)) || !isOfPage(first.tournament)) return [];
    const { id, day, name } = first.tournament;
    return [{ id, day, name, ...noCards }];
  });
  const tournaments = [...counted, ...onlyRefused]
    .map(({ id, day, name, rounds, warnings }) => ({
      id,
      ...(name !== undefined && { name }),
      day,
      rounds: rounds.flatMap(({ round }) => (round > 0 ? [round] : [])),
      ...sumOfRounds(rounds),
      warnings,
      refused: neverAccepted(refusedBy.get(keyOf({ id, day })) ?? []).length,
    }))
    // All cards of a tournament may have gone to another.
    .filter(({ cards, refused }) => cards + refused > 0)
    .sort((one, other) => (comesBefore(one, other) ? -1 : 1));
  return { tournaments, isComplete: refused.isComplete, ...(next !== undefined && { next }) };
}

const neverAccepted = (cards: readonly RefusedInTournament[]) =>
  cards.filter(({ isCorrection }) => !isCorrection);

/** Reads what became of a tournament's cards on some days; undefined if none was sent. */
export async function readTournament(
  dependencies: TournamentDependencies,
  apiSet: ApiSet,
  id: string,
  days: Days,
): Promise<TournamentReport | undefined> {
  const [counted, { cards: refused, isComplete }] = await Promise.all([
    dependencies.tournaments.tournament(apiSet, id, daysIn(days)),
    readRefused(dependencies, apiSet, days, id),
  ]);
  const rounds = counted.flatMap(({ day, counts }) => roundsIn(counts).map((of) => ({ day, ...of })));
  if (rounds.length + refused.length === 0) return undefined;
  const name = counted.find((one) => one.name !== undefined)?.name ?? refused[0]?.tournament.name;
  const codes = Map.groupBy(
    refused.flatMap(({ faults }) => [...new Set(faults.map(({ code }) => code))]),
    (code) => code,
  );
  return {
    id,
    ...(name !== undefined && { name }),
    ...days,
    timeZone: dependencies.timeZone,
    totals: sumOfRounds(rounds),
    rounds,
    warnings: warningsIn(counted.reduce<Counts>((sum, { counts }) => added(sum, counts), {})),
    refused: {
      cards: neverAccepted(refused).length,
      corrections: refused.length - neverAccepted(refused).length,
      byFault: [...codes]
        .map(([code, found]) => ({ code, cards: found.length }))
        .sort((one, other) => other.cards - one.cards),
      latest: refused.slice(0, maxRefused).map(({ tournament: { day, round }, faults, ...card }) => ({
        ...card,
        day,
        ...(round > 0 && { round }),
        errors: faults,
      })),
      isComplete: isComplete && refused.length <= maxRefused,
    },
  };
}

/** Reads one page of a tournament's cards on some days, in the order in which they came. */
export async function readTournamentCards(
  { tournaments, table }: Pick<TournamentDependencies, "tournaments" | "table">,
  apiSet: ApiSet,
  id: string,
  days: Days,
  limit: number,
  after?: TournamentPlace,
): Promise<{ readonly cards: readonly TournamentCard[]; readonly next?: TournamentPlace }> {
  const { entries, next } = await tournaments.cards(apiSet, id, daysIn(days), limit, after);
  const stored = await table.read(entries.map(({ externalId }) => ({ apiSet, externalId })));
  const byId = new Map(stored.map((card) => [card.externalId, card]));
  // Of a card that left and came back, a page has one entry.
  const unique = new Map(entries.map((entry) => [JSON.stringify([entry.day, entry.externalId]), entry]));
  const cards = [...unique.values()].flatMap(({ day, externalId }) => {
    const card = byId.get(externalId);
    return (card && tournamentCard(card, id, day)) ?? [];
  });
  return { cards, ...(next !== undefined && { next }) };
}
