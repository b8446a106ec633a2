import type { Refusal, RefusalError } from "../../core/refusal.ts";
import type { Finding } from "../../core/scorecard/finding.ts";
import { firstThatFit, mostAnswerBytes } from "./answer-size.ts";

/** Problems that their status does not describe whole. docs/faults.md says of each what to do. */
export const problemTypes = [
  "urn:scorecards:problem:invalid-cards",
  "urn:scorecards:problem:too-large",
  "urn:scorecards:problem:try-again",
  "urn:scorecards:problem:token-refused",
  "urn:scorecards:problem:union-forbids",
  "urn:scorecards:problem:union-credentials",
  "urn:scorecards:problem:union-unavailable",
] as const satisfies readonly `urn:scorecards:problem:${string}`[];

/** What kind of problem: `about:blank` where the status says it all. */
export type ProblemType = "about:blank" | (typeof problemTypes)[number];

/**
 * An error as a document a program and a person can read.
 *
 * @see RFC 9457, Problem Details for HTTP APIs
 */
export interface Problem {
  readonly type: ProblemType;
  readonly title: string;
  readonly status: number;
  /** What happened and what to do, in words for the vendor's developer. */
  readonly detail: string;
  /** One entry per fault of a card. */
  readonly errors?: readonly Finding[];
  /** What was accepted all the same, or a limit: members of our own, as the RFC allows. */
  readonly [member: string]: unknown;
}

/** A problem thrown where a request cannot be done; the handler turns it into an answer. */
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

/** A problem that its status describes whole. */
export function problem(status: number, title: string, detail: string): Problem {
  return { type: "about:blank", title, status, detail };
}

/** Bytes of a response that are kept for what is not a fault. */
const restOfProblem = 2_000;

/** 422: cards that the exchange would have lost, with every fault of every one, as far as a response can carry them. */
function invalidCards(faults: readonly Finding[], cards: number): Problem {
  const bad = new Set(faults.map((fault) => fault.index)).size;
  const errors = firstThatFit(faults, mostAnswerBytes - restOfProblem);
  const leftOut = faults.length - errors.length;
  return {
    type: "urn:scorecards:problem:invalid-cards",
    title: "Scorecards not accepted",
    status: 422,
    detail:
      `${bad} of ${cards} scorecards cannot be accepted, so none was stored. Mend what \`errors\` names and ` +
      "send the array again, or send it with `Prefer: handling=lenient` to have the good ones accepted.",
    errors,
    ...(leftOut > 0 && { errorsLeftOut: leftOut }),
  };
}

function tooLarge(limit: string): Problem {
  return {
    type: "urn:scorecards:problem:too-large",
    title: "Submission too large",
    status: 413,
    detail: `A submission may have at most ${limit}. Send the cards in several submissions.`,
    limit,
  };
}

function tryAgain(detail: string): Problem {
  return {
    type: "urn:scorecards:problem:try-again",
    title: "Not now",
    status: 503,
    detail: `${detail} Send the same request again; what was already taken is not taken twice.`,
  };
}

function problemOfRefusal(refusal: Refusal): Problem {
  switch (refusal.kind) {
    case "unreadable":
      return problem(400, refusal.title, refusal.detail);
    case "unsupportedMediaType":
      return problem(415, "Unsupported media type", refusal.detail);
    case "tooLarge":
      return tooLarge(refusal.limit);
    case "invalidCards":
      return invalidCards(refusal.faults, refusal.cards);
    case "noSuchCard":
      return problem(404, "No such card", "No card with this ExternalID has been accepted.");
    case "conflict":
      return problem(409, refusal.title, refusal.detail);
    case "unavailable":
      return tryAgain(refusal.detail);
  }
}

/** A refusal of the core as the problem that the vendor is answered; 503 has the header that says when to come back. */
export function problemOf({ refusal, cause }: RefusalError): ProblemError {
  const headers: Record<string, string> =
    refusal.kind === "unavailable" ? { "Retry-After": String(refusal.retryAfterSeconds) } : {};
  return new ProblemError(problemOfRefusal(refusal), { headers, cause });
}
