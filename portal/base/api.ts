import {
  type Activity,
  ApiError,
  type CardRefusalList,
  type CardStatus,
  type CardStatusList,
  type Club,
  type Course,
  connect,
  type Member,
  type Overview,
  type StoredScorecard,
  type Tournament,
  type TournamentCardList,
  type TournamentList,
  webhookEndpoints,
} from "@scorecard-pipeline/scorecards-client";
import type { PortalAccount } from "./account.ts";
import { createTokenFetch } from "./token-fetch.ts";

/** The API as the portal uses it, with one account's credentials. Every method throws ApiError or NoResponseError. */
export type PortalApi = ReturnType<typeof createPortalApi>;

/** How long a change of a card is tried again if the API is busy, as by a list of cards. Both changes may be asked for twice. */
const retrySeconds = 20;

/**
 * The API for an account.
 *
 * @param base address of the API with its stage
 * @param token has a valid token for a request
 */
export function createPortalApi(
  base: string,
  account: Pick<PortalAccount, "username" | "apiSet">,
  token: () => Promise<string>,
) {
  const { username } = account;
  // The password is gone by now; the token takes its place in each request.
  const connection = { api: base, username, password: "", retrySeconds: 0, fetch: createTokenFetch(token) };
  const send = connect({ ...connection, apiSet: account.apiSet });
  const sendToOperations = connect({ ...connection, apiSet: "Operations" });
  const read = async <Answer>(path: string, signal?: AbortSignal) =>
    JSON.parse((await send(path, { signal })).text) as Answer;
  const card = (externalId: string) => `ScorecardExchange/${encodeURIComponent(externalId)}`;

  return {
    /** @param from the first day, `2026-07-04`; @param to the last */
    activity: (from: string, to: string, signal?: AbortSignal) =>
      read<Activity>(`Activity?${new URLSearchParams({ from, to })}`, signal),
    /** @param query `?state=…`, `?from=…&to=…`, or a page's `next` */
    cards: (query: string, signal?: AbortSignal) => read<CardStatusList>(`ScorecardExchange${query}`, signal),
    /** @param query `?from=…&to=…&code=…`, or a page's `next` */
    refusals: (query: string, signal?: AbortSignal) => read<CardRefusalList>(`Refusals${query}`, signal),
    /** @param query `?from=…&to=…`, or a page's `next` */
    tournaments: (query: string, signal?: AbortSignal) => read<TournamentList>(`Tournaments${query}`, signal),
    /** @param id not the name, which may say who celebrates; @param query `?from=…&to=…` */
    tournament: (id: string, query: string, signal?: AbortSignal) =>
      read<Tournament>(`Tournaments/${encodeURIComponent(id)}${query}`, signal),
    /** @param query `?from=…&to=…`, or a page's `next` */
    tournamentCards: (id: string, query: string, signal?: AbortSignal) =>
      read<TournamentCardList>(`Tournaments/${encodeURIComponent(id)}/Scorecards${query}`, signal),
    status: (externalId: string, signal?: AbortSignal) => read<CardStatus>(card(externalId), signal),
    card: (externalId: string, signal?: AbortSignal) =>
      read<StoredScorecard>(`${card(externalId)}/Card`, signal),
    /** Looks a member up at the union. */
    golfer: (unionID: string) => read<Member>(`Clubs/Golfer?${new URLSearchParams({ unionID })}`),
    clubs: (signal?: AbortSignal) => read<Club[]>("clubs", signal),
    /** @param inForce the day of play, `2026-07-04`: the versions of the courses that are in force then */
    courses: (clubId: string, inForce: string, signal?: AbortSignal) =>
      read<Course[]>(
        `clubs/${encodeURIComponent(clubId)}/courses?inforce=${inForce.replaceAll("-", "")}T120000`,
        signal,
      ),
    /** Sends cards. @throws ApiError with the faults in `problem.errors` */
    submit: (cards: readonly object[]) =>
      send("ScorecardExchange", { method: "POST", json: JSON.stringify(cards), expected: 201 }),
    deliver: (externalId: string) =>
      send(`${card(externalId)}/Delivery`, { method: "POST", expected: 202, retrySeconds }),
    withdraw: (externalId: string) =>
      send(card(externalId), { method: "DELETE", expected: 204, retrySeconds }),
    ...webhookEndpoints(send),
    overview: async (signal?: AbortSignal) =>
      JSON.parse((await sendToOperations("Overview", { signal })).text) as Overview,
  };
}

/** Whether an error is the API's refusal with this status. */
export const isRefusal = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;
