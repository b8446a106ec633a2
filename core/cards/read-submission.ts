import { findExcess, jsonBreak, parseExactly } from "../formats/exact-json.ts";
import { deepestNesting } from "../golf/content.ts";
import { RefusalError } from "../golf/refusal.ts";

/** The most that one submission may have, and a validation that has the union asked for the players. @see docs/submitting.md */
export const submissionLimits = {
  cards: 1000,
  cardsWithPlayers: 100,
  bytes: 5 * 1024 * 1024,
  values: 500_000,
} as const;

/** Parsing five million brackets takes seconds. A card with more levels than a card may have is told so, up to this many. */
const jsonLimits = { values: submissionLimits.values, levels: 10_000 };
/** A shorter body is parsed before it can be counted. */
const minCharactersCounted = 128 * 1024;

/** Whether a submission with invalid cards is refused (strict) or accepted in part (lenient). @see RFC 7240, 4.4 */
export type Handling = "strict" | "lenient";

const hasPreference = (prefer: string | undefined, name: string, value: string) =>
  new RegExp(`(?:^|[,;])\\s*${name}\\s*=\\s*"?${value}"?\\s*(?:$|[,;])`, "i").test(prefer ?? "");

/** Reads `handling` from a Prefer header; strict if there is none. */
export const readHandling = (prefer: string | undefined): Handling =>
  hasPreference(prefer, "handling", "lenient") ? "lenient" : "strict";

/** Whether a Prefer header has `correction=any`: the cards also correct delivered ones of another player and round. */
export const allowsAnyCorrection = (prefer: string | undefined): boolean =>
  hasPreference(prefer, "correction", "any");

/** Whether a Prefer header has `return=minimal`: the answer has what was found, without the cards and their derivations. */
export const isMinimal = (prefer: string | undefined): boolean => hasPreference(prefer, "return", "minimal");

/** Whether a submission has a player's token. Clients send an empty header, too. */
export const hasToken = (token: string | undefined): boolean => (token ?? "").trim() !== "";

/** UTF-8, and ASCII as a part of it. */
const charsetsRead = ["utf-8", "utf8", "us-ascii"];

/**
 * Reads the body of a submission: a JSON array of scorecards.
 *
 * @param contentType the request's Content-Type
 * @throws RefusalError `unreadable` if it is not one or is nested too deep, `tooLarge`, `unsupportedMediaType` if its charset is
 *   not UTF-8
 */
export function readSubmission(
  body: string,
  contentType = "",
  limit: "cards" | "cardsWithPlayers" = "cards",
): readonly unknown[] {
  refuseOtherCharset(contentType);
  if (Buffer.byteLength(body) > submissionLimits.bytes) {
    throw new RefusalError({ kind: "tooLarge", limit: `${submissionLimits.bytes / 2 ** 20} MiB` });
  }
  if (body.length >= minCharactersCounted) refuseUnread(body);
  const cards = parse(body);
  if (!Array.isArray(cards)) throw unreadable("Not an array of scorecards", noArray);
  if (cards.length > submissionLimits[limit]) {
    const players = limit === "cards" ? "" : " with players=1";
    throw new RefusalError({ kind: "tooLarge", limit: `${submissionLimits[limit]} scorecards${players}` });
  }
  return cards;
}

/** Refuses a long body that would take seconds to parse only to be refused. */
function refuseUnread(body: string): void {
  if (!/^\ufeff?\s*\[/.test(body)) throw unreadable("Not an array of scorecards", noArray);
  const excess = findExcess(body, jsonLimits);
  if (excess === "levels") throw unreadable("Nested too deep", tooDeep);
  if (excess === undefined) return;
  throw new RefusalError({
    kind: "tooLarge",
    limit: `${submissionLimits.values.toLocaleString("en")} values`,
  });
}

/** API Gateway decodes every body as UTF-8: two ExternalIDs in another charset could become the same. */
function refuseOtherCharset(contentType: string): void {
  const charsets = contentType.toLowerCase().matchAll(/;\s*charset\s*=\s*["']?([^\s"';]+)/g);
  if (charsets.every(([, charset = ""]) => charsetsRead.includes(charset))) return;
  const detail =
    "Content-Type says that the body is not UTF-8. Send JSON in UTF-8, with Content-Type: application/json.";
  throw new RefusalError({ kind: "unsupportedMediaType", detail });
}

function parse(body: string): unknown {
  // Some clients begin with a byte order mark; the union ignores it, too.
  const text = body.replace(/^\ufeff/, "");
  try {
    return parseExactly(text);
  } catch (error) {
    // The body is JSON, but too deep for reading long numbers exactly; a less deep card gets `card_too_deep`.
    if (error instanceof RangeError) throw unreadable("Nested too deep", tooDeep);
    // The engine's message quotes the text around the fault, which may be a player's name: only the place is repeated.
    const position = jsonBreak(text);
    const where = position === undefined ? "" : `: it breaks ${describePlace(text, position)}`;
    throw unreadable("Not JSON", `The body is not JSON${where}. Send a JSON array of scorecards.`);
  }
}

function describePlace(text: string, position: number): string {
  const lines = text.slice(0, position).split("\n");
  return position === text.length
    ? "at its end"
    : `in line ${lines.length}, at character ${(lines.at(-1) ?? "").length + 1}`;
}

const tooDeep = `The body is nested too deep to be read. A scorecard may have ${deepestNesting} levels: send less in the fields that are not the union's.`;
const noArray = "The body must be a JSON array of scorecards, `[{…}, {…}]`, even for one card.";

const unreadable = (title: string, detail: string) => new RefusalError({ kind: "unreadable", title, detail });
