import { ProblemError, problem, tooLarge } from "../problem/problem.ts";
import { parseExactly } from "../wire/exact-json.ts";
import { submissionLimits } from "./limits.ts";

/**
 * Reads the body of a submission: a JSON array of scorecards.
 *
 * @throws ProblemError 400 where it is not one, 413 over a limit
 */
export function readSubmission(body: string): readonly unknown[] {
  if (Buffer.byteLength(body) > submissionLimits.bytes) {
    throw new ProblemError(tooLarge(`${submissionLimits.bytes / 2 ** 20} MiB`));
  }
  const cards = parse(body);
  if (!Array.isArray(cards)) {
    const detail = "The body must be a JSON array of scorecards, `[{…}, {…}]`, even for one card.";
    throw new ProblemError(problem(400, "Not an array of scorecards", detail));
  }
  if (cards.length > submissionLimits.cards) {
    throw new ProblemError(tooLarge(`${submissionLimits.cards} scorecards`));
  }
  return cards;
}

function parse(body: string): unknown {
  try {
    // Some clients begin with a byte order mark, which the union passes over.
    return parseExactly(body.replace(/^\ufeff/, ""));
  } catch (error) {
    // The engine's message quotes the text around the fault, which may be a player's name: only its place is kept.
    const place = /at position \d+/.exec(error instanceof Error ? error.message : "")?.[0] ?? "at its end";
    const detail = `The body is not JSON: it breaks ${place}. Send a JSON array of scorecards.`;
    throw new ProblemError(problem(400, "Not JSON", detail));
  }
}
