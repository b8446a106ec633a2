import { ProblemError, problem, tooLarge } from "../problem/problem.ts";
import { parseExactly } from "../wire/exact-json.ts";
import { jsonBreak } from "../wire/json-break.ts";
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
  // Some clients begin with a byte order mark, which the union passes over.
  const text = body.replace(/^\ufeff/, "");
  try {
    return parseExactly(text);
  } catch {
    // The engine's message quotes the text around the fault, which may be a player's name: only its place is said.
    throw new ProblemError(
      problem(400, "Not JSON", `The body is not JSON${breakOf(text)}. Send a JSON array of scorecards.`),
    );
  }
}

/** Where a text that is no JSON breaks, in words that follow "is not JSON". */
function breakOf(text: string): string {
  const place = jsonBreak(text);
  if (place === undefined) return "";
  return place === text.length ? ": it breaks at its end" : `: it breaks at position ${place}`;
}
