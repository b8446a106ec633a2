import type {
  Activity,
  CardRefusal,
  CardRefusalList,
  CardStatus,
  CardStatusList,
  Club,
  Course,
  FeedPage,
  Member,
  operations,
  RecordedScorecard,
  StoredScorecard,
  Tournament,
  TournamentCard,
  TournamentCardList,
  TournamentList,
  TournamentSummary,
  Validation,
} from "./api-types.ts";
import { type ClientOptions, connect, type RequestOptions, type SendRequest } from "./connection.ts";
import { followCards, queriesOf } from "./follow-cards.ts";
import { type FollowEventsOptions, followEvents } from "./follow-events.ts";
import { inParallel } from "./in-parallel.ts";
import {
  type CardInputs,
  type SubmissionEntry,
  type SubmissionOptions,
  submitInParts,
  type ValidationOptions,
  validateCards,
} from "./submit-cards.ts";
import { type WebhookEndpoints, webhookEndpoints } from "./webhook-endpoints.ts";

/** Which versions of courses to read, and in which form. @see docs/courses.md */
export interface CourseFilter {
  /** Versions that changed since; a Date, or `yyyymmddThhmmss` in the union's time zone or in UTC. */
  readonly changedsince?: Date | string;
  readonly active?: boolean;
  /** `Name:0,Version:1`: 0 ascending, 1 descending. */
  readonly sort?: string;
  readonly sortTee?: string;
  /** Whether to leave the tees out. */
  readonly withoutTees?: boolean;
  /** Only the versions in force then; `yyyymmddThhmmss`, local time of the union. */
  readonly inforce?: string;
  /** The versions that the union has removed from the club, instead of those that it lists. */
  readonly removed?: boolean;
}

/** Whom to look up: one number or both of a person. */
export interface GolferQuery {
  readonly lifetimeID?: string;
  readonly unionID?: string;
  /** The player's access token from the union's login, if there is one. */
  readonly token?: string;
}

/** Days in the union's time zone, e.g. `2026-07-04`; both are included, 31 days at most. */
export interface DaysQuery {
  /** By default the same day as `to`. */
  readonly from?: string | undefined;
  /** By default today. */
  readonly to?: string | undefined;
}

type CardsQuery = NonNullable<operations["listScorecardStates"]["parameters"]["query"]>;

/** Which cards of some days to list. */
export interface CardsOfDaysQuery extends DaysQuery {
  readonly from: string;
  /** Only cards that Activity counted so on the days, whenever they were accepted. */
  readonly counted?: NonNullable<CardsQuery["counted"]>;
}

/** Which refusals to read. */
export interface RefusalsQuery extends DaysQuery {
  /** Only this fault. @see docs/faults.md */
  readonly code?: string;
  readonly externalId?: string;
}

/** Options of following cards. */
export interface FollowCardsOptions {
  /** Ends after this time even if cards are not settled; by default never. */
  readonly timeoutSeconds?: number | undefined;
  /** Between two requests; 5 by default. */
  readonly maxPauseSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A vendor's access to the API.
 *
 * Every method is retried while the API is busy or cannot be reached, after Retry-After if the response has it, and throws
 * ApiError if the API refuses, NoResponseError if there is no response, or the reason of a signal that is aborted.
 */
export interface ScorecardsClient extends WebhookEndpoints {
  /** The vendor's name in every path. */
  readonly apiSet: string;
  /** Submits any number of cards. Valid ones are accepted even if others are not. @returns one entry a card, in order */
  submit(cards: CardInputs, options?: SubmissionOptions): Promise<SubmissionEntry[]>;
  /** Like `submit`, for more cards than memory holds: yields entries as they come, with their card's `index`. */
  submitInParts(cards: CardInputs, options?: SubmissionOptions): AsyncGenerator<SubmissionEntry[]>;
  /**
   * Tells how a submission of these cards would be answered, and explains each figure. `players` asks the union whether it
   * knows the players; `minimal` leaves the cards and their figures out.
   */
  validate(cards: CardInputs, options?: ValidationOptions): Promise<Validation>;
  /** States of any number of cards, in order; `refused` or `unknown` for a card that was never accepted. */
  statuses(externalIds: readonly string[], options?: RequestOptions): Promise<CardStatus[]>;
  /**
   * A card as it is stored and delivered, with each figure explained. Throws ApiError with status 404 if there is no such card,
   * 410 if its player was erased.
   */
  card(externalId: string, options?: RequestOptions): Promise<StoredScorecard>;
  /** Cards that need attention, newest first; of withdrawn ones those that the exchange has, or may have. */
  cardsInState(state: NonNullable<CardsQuery["state"]>, options?: RequestOptions): AsyncGenerator<CardStatus>;
  /** All cards that were accepted or, with `counted`, counted on some days, in that order. */
  cardsOfDays(query: CardsOfDaysQuery, options?: RequestOptions): AsyncGenerator<CardStatus>;
  /** The activity of some days: counts by hour and day, refusals, delivery times, and the cards that wait and why. */
  activity(days?: DaysQuery, options?: RequestOptions): Promise<Activity>;
  /** Every fault of the cards that were refused on some days, the newest submission first. */
  refusals(query?: RefusalsQuery, options?: RequestOptions): AsyncGenerator<CardRefusal>;
  /** Tournaments of some days of play, the latest day first; of the last 31 days if none are given. */
  tournaments(days?: DaysQuery, options?: RequestOptions): AsyncGenerator<TournamentSummary>;
  /**
   * What became of a tournament's cards. Throws ApiError with status 404 if none was sent.
   *
   * @param tournament its name as the cards have it, or its ID
   */
  tournament(tournament: string, days?: DaysQuery, options?: RequestOptions): Promise<Tournament>;
  /** The accepted cards of a tournament, with their states. */
  tournamentCards(
    tournament: string,
    days?: DaysQuery,
    options?: RequestOptions,
  ): AsyncGenerator<TournamentCard>;
  /** One page of the events after a cursor, without waiting: the `cursor` of a page before, `latest`, or the oldest if left out. */
  events(after?: string, options?: RequestOptions): Promise<FeedPage>;
  /**
   * Yields pages of events, the oldest first, and goes on with what comes later. Store a page's `cursor` when its events are done
   * with, and begin with it next time.
   */
  followEvents(options?: FollowEventsOptions): AsyncGenerator<FeedPage>;
  /** Follows cards until each is delivered, rejected, withdrawn, undelivered, refused or unknown. Yields each change of state. */
  follow(externalIds: Iterable<string>, options?: FollowCardsOptions): AsyncGenerator<CardStatus>;
  /** Withdraws a card. Throws ApiError with status 409 if the exchange has it or may have it, 404 if there is no such card. */
  withdraw(externalId: string, options?: RequestOptions): Promise<void>;
  /** Tries a waiting card at once, and sends an undelivered one on. */
  deliver(externalId: string, options?: RequestOptions): Promise<CardStatus>;
  clubs(options?: RequestOptions): Promise<Club[]>;
  club(clubId: string, options?: RequestOptions): Promise<Club>;
  courses(clubId: string, filter?: CourseFilter, options?: RequestOptions): Promise<Course[]>;
  /** @param courseId ID of a version, or a TemplateID */
  course(clubId: string, courseId: string, filter?: CourseFilter, options?: RequestOptions): Promise<Course>;
  /** Looks a member up. */
  golfer(query: GolferQuery, options?: RequestOptions): Promise<Member>;
  /** The member who consented. @param token the player's access token from the union's login */
  golferByToken(token: string, options?: RequestOptions): Promise<Member>;
  /** The rounds of a player's record at the union. @param unionID the player's in this club */
  playerRecord(clubId: string, unionID: string, options?: RequestOptions): Promise<RecordedScorecard[]>;
}

/** Reads JSON of a path below the API set. */
type Read = <Answer>(path: string, request?: Parameters<SendRequest>[1]) => Promise<Answer>;

/** Reads a list page by page. @param query of the first page */
async function* readPages<Page extends { readonly next?: string }>(
  read: Read,
  path: string,
  query: string,
  of: RequestOptions = {},
): AsyncGenerator<Page> {
  for (let next: string | undefined = query; next !== undefined; ) {
    const page: Page = await read(`${path}${next}`, of);
    yield page;
    next = page.next;
  }
}

const toSegment = (name: string) => encodeURIComponent(name);

/** The methods that submit cards, and say what became of them. */
function cardMethods(send: SendRequest, read: Read) {
  const cardPath = (externalId: string) => `ScorecardExchange/${toSegment(externalId)}`;
  const readStatuses = async (externalIds: readonly string[], request: RequestOptions) => {
    const names = externalIds.map((externalId): [string, string] => ["ExternalID", externalId]);
    return (await read<CardStatusList>(`ScorecardExchange?${new URLSearchParams(names)}`, request)).cards;
  };
  async function* readCards(query: string, of?: RequestOptions): AsyncGenerator<CardStatus> {
    for await (const { cards } of readPages<CardStatusList>(read, "ScorecardExchange", query, of))
      yield* cards;
  }
  return {
    submitInParts: (cards, of = {}) => submitInParts(send, cards, of),
    async submit(cards, of = {}) {
      const entries: SubmissionEntry[] = [];
      for await (const part of submitInParts(send, cards, of)) {
        for (const entry of part) entries[entry.index] = entry;
      }
      return entries;
    },
    validate: (cards, of = {}) => validateCards(send, cards, of),
    async statuses(externalIds, of = {}) {
      const queries = [...queriesOf(externalIds)].entries();
      const answers: CardStatus[][] = [];
      const ask = async ([place, asked]: [number, string[]]) => {
        answers[place] = await readStatuses(asked, of);
      };
      for await (const _ of inParallel(queries, 4, ask));
      return answers.flat();
    },
    card: (externalId, of) => read(`${cardPath(externalId)}/Card`, of),
    cardsInState: (state, of) => readCards(`?state=${state}`, of),
    cardsOfDays: ({ counted, ...days }, of) => readCards(toQuery({ ...days, counted }), of),
    follow: (externalIds, { timeoutSeconds = Number.POSITIVE_INFINITY, maxPauseSeconds, signal } = {}) =>
      followCards({
        read: (asked) => readStatuses(asked, { signal, retrySeconds: 0 }),
        externalIds,
        deadline: performance.now() + timeoutSeconds * 1_000,
        maxPauseMilliseconds: maxPauseSeconds === undefined ? undefined : maxPauseSeconds * 1_000,
        signal,
      }),
    async withdraw(externalId, of) {
      await send(cardPath(externalId), { ...of, method: "DELETE", expected: 204 });
    },
    deliver: (externalId, of) =>
      read(`${cardPath(externalId)}/Delivery`, { ...of, method: "POST", expected: 202 }),
  } satisfies Partial<ScorecardsClient>;
}

/** The methods that read days, tournaments and events. */
function viewMethods(read: Read) {
  const tournamentPath = (tournament: string) => `Tournaments/${toSegment(tournament)}`;
  const readEvents = (after: string | undefined, of?: RequestOptions) =>
    read<FeedPage>(`Events${toQuery({ after })}`, of);
  return {
    activity: (days, of) => read(`Activity${toQuery(days)}`, of),
    async *refusals({ code, externalId, ...days } = {}, of) {
      const query = toQuery({ ...days, code, externalId });
      for await (const page of readPages<CardRefusalList>(read, "Refusals", query, of)) yield* page.refusals;
    },
    async *tournaments(days, of) {
      for await (const page of readPages<TournamentList>(read, "Tournaments", toQuery(days), of))
        yield* page.tournaments;
    },
    tournament: (tournament, days, of) => read(tournamentPath(tournament) + toQuery(days), of),
    async *tournamentCards(tournament, days, of) {
      const path = `${tournamentPath(tournament)}/Scorecards`;
      for await (const page of readPages<TournamentCardList>(read, path, toQuery(days), of))
        yield* page.cards;
    },
    events: (after, of) => readEvents(after, of),
    followEvents: ({ after, signal } = {}) =>
      followEvents((cursor) => readEvents(cursor, { signal, retrySeconds: Number.POSITIVE_INFINITY }), {
        after,
        signal,
      }),
  } satisfies Partial<ScorecardsClient>;
}

/** The methods that read clubs, courses and members. */
function registerMethods(read: Read) {
  const clubPath = (clubId: string) => `clubs/${toSegment(clubId)}`;
  const toHeaders = (token: string | undefined): Record<string, string> =>
    token === undefined ? {} : { Token: token };
  return {
    clubs: (of) => read("Clubs", of),
    club: (clubId, of) => read(`Clubs/${toSegment(clubId)}`, of),
    courses: (clubId, filter, of) => read(`${clubPath(clubId)}/courses${toCourseQuery(filter)}`, of),
    course: (clubId, courseId, filter, of) =>
      read(`${clubPath(clubId)}/courses/${toSegment(courseId)}${toCourseQuery(filter)}`, of),
    golfer: ({ token, ...numbers }, of) =>
      read(`Clubs/Golfer?${new URLSearchParams(numbers)}`, { ...of, headers: toHeaders(token) }),
    golferByToken: (token, of) => read("clubs/Golfer_ByAccessToken", { ...of, headers: toHeaders(token) }),
    playerRecord: (clubId, unionid, of) =>
      read(`${clubPath(clubId)}/Memberships/Scorecards${toQuery({ unionid })}`, of),
  } satisfies Partial<ScorecardsClient>;
}

/**
 * A client for one vendor account.
 *
 * @throws TypeError if the base address is none
 * @example
 * const client = createClient({ api: "https://HOST/test", username: "greens-app", password });
 * const entries = await client.submit(cards);
 */
export function createClient(options: ClientOptions): ScorecardsClient {
  const send = connect(options);
  const read: Read = async (path, request = {}) => JSON.parse((await send(path, request)).text);
  return {
    ...webhookEndpoints(send),
    ...cardMethods(send, read),
    ...viewMethods(read),
    ...registerMethods(read),
    apiSet: options.apiSet ?? options.username,
  };
}

function toCourseQuery({ changedsince, active, removed, withoutTees, ...texts }: CourseFilter = {}): string {
  return toQuery({
    ...texts,
    changedsince: changedsince instanceof Date ? toTimestamp(changedsince) : changedsince,
    active: active === undefined ? undefined : active ? "1" : "0",
    removed: removed ? "1" : undefined,
    excludeParams: withoutTees ? "tees" : undefined,
  });
}

/** A query of the parameters that have a value; empty without any. */
function toQuery(parameters: Readonly<Record<string, string | undefined>> | DaysQuery = {}): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** `yyyymmddThhmmss` in UTC. */
const toTimestamp = (date: Date) => date.toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
