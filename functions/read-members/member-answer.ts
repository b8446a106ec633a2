import type { MemberLookup } from "../../core/union/member-register.ts";
import { UnionUnavailableError } from "../../core/union/register.ts";
import { ProblemError, type ProblemType, problem } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";

/** No cache may store personal data. */
const noStore = { "Cache-Control": "no-store" };

/** How the member was looked up. */
export type LookedUpBy = "numbers" | "token";

/**
 * The response to a lookup.
 *
 * @throws ProblemError 404 if the union has no such member; 502 if it fails, or refuses the vendor's credentials; 504 if it times
 *   out; 403 if it refuses the player's token, or forbids the vendor to see this member
 */
export function memberAnswer(lookup: MemberLookup, by: LookedUpBy): HttpResponse {
  switch (lookup.outcome) {
    case "found":
      return json(200, lookup.member, noStore);
    case "nobody":
      throw refusal(
        404,
        "No such member",
        by === "token"
          ? "The union has no member for this token."
          : "The union has no member with these numbers. Where both were given, they must be one person's.",
      );
    case "refused":
      throw refused(lookup.status, by);
    case "late":
      throw unanswered(504, "The union is late", "The union did not answer in time. Ask again.");
    case "failed":
      throw unanswered(
        502,
        "The union failed",
        `${lookup.why} Nothing is wrong with the request. Ask again.`,
      );
  }
}

function refused(status: 401 | 403, by: LookedUpBy): ProblemError {
  if (by === "token") {
    const type = "urn:scorecards:problem:token-refused";
    const detail =
      "The union did not accept the player's token for this account. Refresh it, or have the player sign in again; " +
      "if a new one is refused too, the account at the union is at fault: tell the operator.";
    // Never 401, which would mean that this request's own credentials are wrong.
    return refusal(403, "Token refused", detail, type);
  }
  if (status === 403) {
    const type = "urn:scorecards:problem:union-forbids";
    const detail =
      "The union does not let this account look this member up. It needs the club's agreement, or the player's " +
      "consent and the path Golfer_ByAccessToken.";
    return refusal(403, "Not this member", detail, type);
  }
  const type = "urn:scorecards:problem:union-credentials";
  const detail =
    "The union refuses this account's own credentials there, which the operator keeps: tell the operator. The ones " +
    "of this request are right.";
  return refusal(502, "Credentials at the union refused", detail, type);
}

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
