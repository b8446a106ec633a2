import { parseExactly } from "../formats/exact-json.ts";
import { jsonBreak } from "../formats/json-break.ts";
import { RefusalError } from "../refusal.ts";
import { deepestNesting } from "../scorecard/nesting.ts";

/** What one submission may hold. @see README, Limits */
export const submissionLimits = {
  cards: 1000,
  bytes: 5 * 1024 * 1024,
} as const;

/** How a submission with bad cards is taken. @see RFC 7240, 4.4 */
export type Handling = "strict" | "lenient";

/** Reads `handling` from a Prefer header; strict if it says nothing of the kind, as the RFC wants it. */
export function readHandling(prefer: string | undefined): Handling {
  return /(?:^|[,;])\s*handling\s*=\s*"?lenient"?\s*(?:$|[,;])/i.test(prefer ?? "") ? "lenient" : "strict";
}

/** UTF-8 by its names, and what is part of it. */
const charsetsRead = ["utf-8", "utf8", "us-ascii"];

/**
 * Reads the body of a submission: a JSON array of scorecards.
 *
 * @param contentType what the request says that its body is
 * @throws RefusalError `unreadable` if it is not one or is nested too deep, `tooLarge`, `unsupportedMediaType` if it is not UTF-8
 */
export function readSubmission(body: string, contentType = ""): readonly unknown[] {
  refuseOtherCharset(contentType);
  if (Buffer.byteLength(body) > submissionLimits.bytes) {
    throw new RefusalError({ kind: "tooLarge", limit: `${submissionLimits.bytes / 2 ** 20} MiB` });
  }
  const cards = parse(body);
  if (!Array.isArray(cards)) {
    const detail = "The body must be a JSON array of scorecards, `[{…}, {…}]`, even for one card.";
    throw unreadable("Not an array of scorecards", detail);
  }
  if (cards.length > submissionLimits.cards) {
    throw new RefusalError({ kind: "tooLarge", limit: `${submissionLimits.cards} scorecards` });
  }
  return cards;
}

/** API Gateway reads every body as UTF-8: of any other, two ExternalIDs could come out as one. */
function refuseOtherCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
  if (charset === undefined || charsetsRead.includes(charset.toLowerCase())) return;
  const detail =
    "Content-Type says that the body is not UTF-8. Send JSON in UTF-8, with Content-Type: application/json.";
  throw new RefusalError({ kind: "unsupportedMediaType", detail });
}

function parse(body: string): unknown {
  // Some clients begin with a byte order mark, which the union passes over.
  const text = body.replace(/^\ufeff/, "");
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    // The engine's message quotes the text around the fault, which may be a player's name: only its place is said.
    throw unreadable("Not JSON", `The body is not JSON${breakOf(text)}. Send a JSON array of scorecards.`);
  }
}

/** It is JSON, but too deep for the walk that keeps long numbers; a less deep card gets `card_too_deep`. */
function tooDeep(): RefusalError {
  const detail = `The body is nested too deep to be read. A scorecard may have ${deepestNesting} levels: send less in the fields that are not the union's.`;
  return unreadable("Nested too deep", detail);
}

/** Where a text that is no JSON breaks, in words that follow "is not JSON". */
function breakOf(text: string): string {
  const place = jsonBreak(text);
  if (place === undefined) return "";
  return place === text.length ? ": it breaks at its end" : `: it breaks at position ${place}`;
}

const unreadable = (title: string, detail: string) => new RefusalError({ kind: "unreadable", title, detail });
