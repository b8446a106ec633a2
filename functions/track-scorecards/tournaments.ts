import type { ApiSet } from "../../core/accounts/account.ts";
import { type Days, dayMilliseconds, daysBefore } from "../../core/formats/days.ts";
import { isDay } from "../../core/formats/union-time.ts";
import { startListDays } from "../../core/views/start-list.ts";
import type { StartListTable } from "../../core/views/start-list-table.ts";
import {
  isTournamentId,
  keptTournamentName,
  type TournamentDay,
  tournamentId,
} from "../../core/views/tournament.ts";
import {
  readTournament,
  readTournamentCards,
  readTournaments,
  type TournamentDependencies,
} from "../../core/views/tournament-report.ts";
import type { TournamentPlace } from "../../core/views/tournament-table.ts";
import { ProblemError, problem, unknownPlace } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";
import { daysLimit, readDays } from "./days.ts";
import { readStartList } from "./start-list-request.ts";

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

/** Reads e.g. `2026-07-04#~HUwKl…`. */
function tournamentAfter(after: string): TournamentDay | undefined {
  const [day = "", id = "", ...others] = after.split("#");
  return others.length === 0 && isDay(day) && isTournamentId(id) ? { day, id } : undefined;
}

/** Reads e.g. `2026-07-04#0…17#shardId-…#20`: an item of the list of a day, and how many of its cards came before. */
function cardAfter(after: string): TournamentPlace | undefined {
  const [, day = "", item = "", cards] =
    /^(\d{4}-\d\d-\d\d)#(\d{40}#[\w-]{1,100})#(\d{1,4})$/.exec(after) ?? [];
  return isDay(day) ? { day, item, cards: Number(cards) } : undefined;
}

/** The ID of the tournament that a path names by its name or by its ID. */
const idOf = (tournament: string) => (isTournamentId(tournament) ? tournament : tournamentId(tournament));

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
  const link = nextLink(days, next && `${next.day}#${next.id}`);
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
  const report = await readTournament(dependencies, apiSet, idOf(tournament), days);
  if (report !== undefined) return json(200, report, uncached);
  const detail =
    "No card of this tournament was sent on these days, and no start list. Compare TournamentName, and the days of the rounds' StartTime.";
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
  const id = idOf(tournament);
  const { cards, next } = await readTournamentCards(dependencies, apiSet, id, days, cardsPageSize, after);
  return json(200, { cards, ...nextLink(days, next && `${next.day}#${next.item}#${next.cards}`) }, uncached);
}

/** The days of a start list: `from` has to be named, since a list is sent before, on or after them. @throws ProblemError 400 */
function daysOfList(query: Query, today: string): Days {
  const [from] = query.get("from") ?? [];
  if (from === undefined) {
    const detail =
      "Name the days of play of the list, e.g. from=2026-07-04&to=2026-07-05; without to it is one day.";
    throw new ProblemError(problem(400, "Which days?", detail));
  }
  return readDays(new Map([["to", [from]], ...query]), today);
}

/** What storing start lists needs from outside. */
export interface StartListDependencies {
  readonly startLists: Pick<StartListTable, "put" | "remove">;
  readonly playerDigest: TournamentDependencies["playerDigest"];
}

/**
 * Stores the players whose cards of a tournament are expected, in place of its earlier lists of these days.
 *
 * @param now milliseconds since 1970, UTC
 * @param today in the union's time zone
 * @throws ProblemError 400, 413, 422
 */
export async function putStartList(
  { startLists, playerDigest }: StartListDependencies,
  apiSet: ApiSet,
  tournament: string,
  { query, body }: { readonly query: Query; readonly body: string },
  { now, today }: { readonly now: number; readonly today: string },
): Promise<HttpResponse> {
  const days = daysOfList(query, today);
  if (days.to > daysBefore(today, -startListDays) || days.to < daysBefore(today, startListDays)) {
    const detail = `to is at most ${startListDays} days before or after today. Send the list of a later tournament nearer to it.`;
    throw new ProblemError(problem(400, "Which days?", detail));
  }
  const { name = isTournamentId(tournament) ? undefined : tournament, rounds, players } = readStartList(body);
  const id = idOf(tournament);
  if (name !== undefined && tournamentId(name) !== id) {
    const detail =
      "name is another tournament's than the path's. Send the TournamentName of the cards, or leave name out.";
    throw new ProblemError(problem(400, "Which tournament?", detail));
  }
  const digest = await playerDigest(apiSet, id);
  const expiresAt = Math.max(now, Date.parse(days.to) + dayMilliseconds) + startListDays * dayMilliseconds;
  await startLists.put(apiSet, id, {
    ...days,
    ...(name !== undefined && { name: keptTournamentName(name) }),
    ...(rounds !== undefined && { rounds }),
    players: players.map(({ unionId, label }) => ({
      digest: digest(unionId),
      ...(label !== undefined && { label }),
    })),
    putAt: now,
    expiresAt,
  });
  const answer = {
    id,
    ...days,
    ...(rounds !== undefined && { rounds }),
    players: players.length,
    expiresAt: new Date(expiresAt).toISOString(),
  };
  return json(200, answer, uncached);
}

/** Removes the start lists of a tournament that have a day in common with these. @throws ProblemError 400, 404 */
export async function removeStartList(
  { startLists }: StartListDependencies,
  apiSet: ApiSet,
  tournament: string,
  query: Query,
  today: string,
): Promise<HttpResponse> {
  const isRemoved = await startLists.remove(apiSet, idOf(tournament), daysOfList(query, today));
  if (isRemoved) return { statusCode: 204, headers: {}, body: "" };
  const detail = "This tournament has no start list of these days. It may have expired.";
  throw new ProblemError(problem(404, "No start list", detail));
}
