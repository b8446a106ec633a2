import type { Finding } from "../scorecard/finding.ts";
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

/** Bytes of an answer that are kept for what is not a fault. */
const restOfProblem = 2_000;

/** 422: cards that the exchange would have lost, with every fault of every one, as far as an answer can carry them. */
export function invalidCards(faults: readonly Finding[], cards: number): Problem {
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

/** 413: over a limit of one submission. */
export function tooLarge(limit: string): Problem {
  return {
    type: "urn:scorecards:problem:too-large",
    title: "Submission too large",
    status: 413,
    detail: `A submission may have at most ${limit}. Send the cards in several submissions.`,
    limit,
  };
}

/**
 * 503, with the header that says when to come back: nothing is wrong with the request.
 *
 * @param detail what was not done, for the vendor's developer
 * @example throw serviceUnavailable("The scorecards could not be stored.", { cause });
 */
export function serviceUnavailable(
  detail: string,
  { retryAfterSeconds = 5, cause }: { retryAfterSeconds?: number; cause?: unknown } = {},
): ProblemError {
  const problem: Problem = {
    type: "urn:scorecards:problem:try-again",
    title: "Not now",
    status: 503,
    detail: `${detail} Send the same request again; what was already taken is not taken twice.`,
  };
  return new ProblemError(problem, { headers: { "Retry-After": String(retryAfterSeconds) }, cause });
}

/**
 * Turns what the queue or the table would not take into an answer to the vendor: nothing is lost by asking again.
 *
 * @param detail what was not done, for the vendor's developer
 * @throws ProblemError 503
 */
export async function orServiceUnavailable<T>(detail: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw serviceUnavailable(detail, { cause });
  }
}

/** 404 for a card that was never accepted. */
export const noSuchCard = () =>
  new ProblemError(problem(404, "No such card", "No card with this ExternalID has been accepted."));
