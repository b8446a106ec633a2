import type { ProblemType } from "../../api/problems.ts";
import type { NoAnswer } from "../../core/union/person-lookup.ts";
import { UnionUnavailableError } from "../../core/union/union-unavailable-error.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { fitsResponse, type HttpResponse, json } from "../http/response.ts";

/** No cache may store personal data. */
const noStore = { "Cache-Control": "no-store" };

/** What was looked up: a member by numbers or by token, or a player's record. */
export type LookedUp = "numbers" | "token" | "record";

/** The result of a lookup. `found` has the JSON as the union sent it. */
export type Lookup = { readonly outcome: "found"; readonly json: string } | NoAnswer;

/**
 * The response to a lookup.
 *
 * @throws ProblemError 404 if the union has no such person; 502 if it fails, answers with more than fits into a response, or
 *   refuses the vendor's credentials; 504 if it times out; 403 if it refuses the player's token, or forbids the vendor to see this
 *   person
 */
export function lookupAnswer(lookup: Lookup, what: LookedUp): HttpResponse {
  switch (lookup.outcome) {
    case "found":
      if (!fitsResponse([lookup.json])) throw failed("The union's answer is too large to be passed on.");
      return json(200, lookup.json, noStore);
    case "nobody":
      throw refusal(404, ...nobody[what]);
    case "refused":
      throw refused(lookup.status, what);
    case "late":
      throw unanswered(504, "The union is late", "The union did not answer in time. Ask again.");
    case "failed":
      throw failed(lookup.why);
  }
}

const nobody: Readonly<Record<LookedUp, readonly [title: string, detail: string]>> = {
  numbers: [
    "No such member",
    "The union has no member with these numbers. Where both were given, they must be one person's.",
  ],
  token: ["No such member", "The union has no member for this token."],
  record: ["No such record", "The union has no record of a player with this UnionID in this club."],
};

function refused(status: 401 | 403, what: LookedUp): ProblemError {
  if (what === "token") {
    const type = "urn:scorecards:problem:token-refused";
    const detail =
      "The union did not accept the player's token for this account. Refresh it, or have the player sign in again; " +
      "if a new one is refused too, the account at the union is at fault: tell the operator.";
    // Never 401, which would mean that this request's own credentials are wrong.
    return refusal(403, "Token refused", detail, type);
  }
  if (status === 403) return forbidden(what);
  const type = "urn:scorecards:problem:union-credentials";
  const detail =
    "The union refuses this account's own credentials there, which the operator keeps: tell the operator. The ones " +
    "of this request are right.";
  return refusal(502, "Credentials at the union refused", detail, type);
}

function forbidden(what: "numbers" | "record"): ProblemError {
  const type = "urn:scorecards:problem:union-forbids";
  if (what === "record") {
    const detail =
      "The union does not let this account read this player's record. If it refuses the records of other players too, " +
      "it has not granted the account any: tell the operator.";
    return refusal(403, "Not this record", detail, type);
  }
  const detail =
    "The union does not let this account look this member up. It needs the club's agreement, or the player's " +
    "consent and the path Golfer_ByAccessToken.";
  return refusal(403, "Not this member", detail, type);
}

const failed = (why: string) =>
  unanswered(502, "The union failed", `${why} Nothing is wrong with the request. Ask again.`);

function unanswered(status: 502 | 504, title: string, detail: string): ProblemError {
  const type = "urn:scorecards:problem:union-unavailable";
  return refusal(status, title, detail, type, { "Retry-After": "5" });
}

function refusal(
  status: number,
  title: string,
  detail: string,
  type: ProblemType = "about:blank",
  headers: Record<string, string> = {},
): ProblemError {
  const options = {
    headers: { ...noStore, ...headers },
    ...(status >= 500 && { cause: new UnionUnavailableError(title) }),
  };
  return new ProblemError({ ...problem(status, title, detail), type }, options);
}
