import type { Problem } from "../../api/problems.ts";
import type { Finding } from "../../core/golf/findings.ts";
import type { Refusal, RefusalError } from "../../core/golf/refusal.ts";
import { firstThatFit, type HttpResponse } from "./response.ts";

/** A problem to respond with; `vendorApi` catches it. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(problem: Problem, options: { headers?: Record<string, string>; cause?: unknown } = {}) {
    super(problem.title, { cause: options.cause });
    this.problem = problem;
    this.headers = options.headers ?? {};
  }
}

/** A problem of the type `about:blank`. */
export function problem(status: number, title: string, detail: string): Problem {
  return { type: "about:blank", title, status, detail };
}

/** 400: a parameter that is not from the link `next` of a page. */
export function unknownPlace(parameter: "after" | "cursor"): ProblemError {
  const detail = `${parameter} is not a place in the list: follow the link \`next\` of the page before, or leave it out.`;
  return new ProblemError(problem(400, "Unknown place", detail));
}

/** Bytes of faults in a response: nobody reads more of them at once, and clients read an error as a whole. */
const maxFaultBytes = 900_000;

/** 422: cards that the exchange would lose, with all faults that fit into a response. */
function invalidCards(faults: readonly Finding[], cards: number): Problem {
  const bad = new Set(faults.map((fault) => fault.index)).size;
  const errors = firstThatFit(faults, maxFaultBytes);
  const leftOut = faults.length - errors.length;
  return {
    type: "urn:scorecards:problem:invalid-cards",
    title: "Scorecards not accepted",
    status: 422,
    detail:
      `${bad} of ${cards} scorecards cannot be accepted, so none was stored. Fix what \`errors\` lists and ` +
      "send the array again, or send it with `Prefer: handling=lenient` to have the valid ones accepted.",
    errors,
    ...(leftOut > 0 && { errorsLeftOut: leftOut }),
  };
}

function problemOfRefusal(refusal: Refusal): Problem {
  switch (refusal.kind) {
    case "unreadable":
      return problem(400, refusal.title, refusal.detail);
    case "unsupportedMediaType":
      return problem(415, "Unsupported media type", refusal.detail);
    case "tooLarge":
      return {
        type: "urn:scorecards:problem:too-large",
        title: "Submission too large",
        status: 413,
        detail: `A submission may have at most ${refusal.limit}. Send the cards in several submissions.`,
        limit: refusal.limit,
      };
    case "invalidCards":
      return invalidCards(refusal.faults, refusal.cards);
    case "noSuchCard":
      return problem(404, "No such card", "No card with this ExternalID has been accepted.");
    case "conflict":
      return problem(409, refusal.title, refusal.detail);
    case "unavailable":
      return {
        type: "urn:scorecards:problem:try-again",
        title: "Not now",
        status: 503,
        detail: `${refusal.detail} Send the same request again; what was already taken is not taken twice.`,
      };
  }
}

/** The problem that reports a refusal of the core; a 503 has the header Retry-After. */
export function problemOf({ refusal, cause }: RefusalError): ProblemError {
  const headers: Record<string, string> =
    refusal.kind === "unavailable" ? { "Retry-After": String(refusal.retryAfterSeconds) } : {};
  return new ProblemError(problemOfRefusal(refusal), { headers, cause });
}

/** The response that carries a problem. */
export function problemResponse({ problem: body, headers }: ProblemError): HttpResponse {
  return {
    statusCode: body.status,
    headers: { "Content-Type": "application/problem+json", ...headers },
    body: JSON.stringify(body),
  };
}
