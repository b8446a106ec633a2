import type { ApiSet } from "../../core/accounts/account.ts";
import { type Days, daysBefore } from "../../core/formats/days.ts";
import { isDay } from "../../core/formats/union-time.ts";
import { isTournamentId, type TournamentDay, tournamentId } from "../../core/views/tournament.ts";
import {
  readTournament,
  readTournamentCards,
  readTournaments,
  type TournamentDependencies,
} from "../../core/views/tournament-report.ts";
import type { TournamentPlace } from "../../core/views/tournament-table.ts";
import { readCursor, writeCursor } from "../http/cursor.ts";
import { ProblemError, problem, unknownPlace } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";
import { daysLimit, readDays } from "./days.ts";

const pageSize = 100;
/** Cards are small here, and a report needs all of them. */
const cardsPageSize = 500;

type Query = ReadonlyMap<string, readonly string[]>;
/** Cards have names, and the counts change by the second. */
const uncached = { "Cache-Control": "no-store" };

/** As `readDays`, but as many days as may be asked for if `from` is left out: nobody has to know when a tournament was. */
function tournamentDays(query: Query, today: string): Days {
  const days = readDays(query, today);
  return query.has("from") ? days : { ...days, from: daysBefore(days.to, daysLimit - 1) };
}

/** @throws ProblemError 400 */
function placeIn<Place>(query: Query, read: (after: string) => Place | undefined): Place | undefined {
  const [after, ...others] = query.get("after") ?? [];
  if (after === undefined) return undefined;
  const place = others.length === 0 ? read(after) : undefined;
  if (place !== undefined) return place;
  throw unknownPlace("after");
}

function tournamentAfter(after: string): TournamentDay | undefined {
  const [day = "", id = ""] = readCursor("tournaments", after) ?? [];
  return isDay(day) ? { day, id } : undefined;
}

/** Reads an item of the list of a day, and how many of its cards came before. */
function cardAfter(after: string): TournamentPlace | undefined {
  const [day = "", item = "", cards] = readCursor("tournamentCards", after) ?? [];
  return isDay(day) ? { day, item, cards: Number(cards) } : undefined;
}

/** The ID of the tournament that a path names by its name or by its ID. */
const toId = (tournament: string) => (isTournamentId(tournament) ? tournament : tournamentId(tournament));

const nextLink = ({ from, to }: Days, after: string | undefined) =>
  after === undefined ? {} : { next: `?${new URLSearchParams({ from, to, after })}` };

/** One page of a vendor's tournaments. @throws ProblemError 400 */
export async function listTournaments(
  dependencies: TournamentDependencies,
  apiSet: ApiSet,
  query: Query,
  today: string,
): Promise<HttpResponse> {
  const days = tournamentDays(query, today);
  const after = placeIn(query, tournamentAfter);
  const { tournaments, isComplete, next } = await readTournaments(
    dependencies,
    apiSet,
    days,
    pageSize,
    after,
  );
  const link = nextLink(days, next && writeCursor("tournaments", next.day, next.id));
  const { timeZone } = dependencies;
  return json(200, { ...days, timeZone, tournaments, isComplete, ...link }, uncached);
}

/** What became of a tournament's cards. @throws ProblemError 400, 404 */
export async function oneTournament(
  dependencies: TournamentDependencies,
  apiSet: ApiSet,
  tournament: string,
  query: Query,
  today: string,
): Promise<HttpResponse> {
  const days = tournamentDays(query, today);
  const report = await readTournament(dependencies, apiSet, toId(tournament), days);
  if (report !== undefined) return json(200, report, uncached);
  const detail =
    "No card of this tournament was sent on these days. Compare TournamentName, and the days of the rounds' StartTime.";
  throw new ProblemError(problem(404, "No such tournament", detail));
}

/** One page of a tournament's cards. @throws ProblemError 400 */
export async function cardsOfTournament(
  dependencies: TournamentDependencies,
  apiSet: ApiSet,
  tournament: string,
  query: Query,
  today: string,
): Promise<HttpResponse> {
  const days = tournamentDays(query, today);
  const after = placeIn(query, cardAfter);
  const id = toId(tournament);
  const { cards, next } = await readTournamentCards(dependencies, apiSet, id, days, cardsPageSize, after);
  return json(
    200,
    { cards, ...nextLink(days, next && writeCursor("tournamentCards", next.day, next.item, next.cards)) },
    uncached,
  );
}
