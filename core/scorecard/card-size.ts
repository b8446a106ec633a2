import type { Findings } from "./findings.ts";

/** The most bytes of JSON that one card may have: a queue message has room for more. */
const mostBytes = 200 * 1024;
/** An upper bound for the names and punctuation of all known fields, which the content text leaves out. */
const namesOfFields = 4_096;
/** The most bytes that one character of JSON takes in UTF-8. */
const bytesPerCharacter = 3;

/** Whether a card is too large or nested too deep to be checked; if so, a fault is reported. */
export function isOversized(card: object, findings: Findings): boolean {
  if (isDeeperThan(card, deepestNesting)) {
    const detail = `The card is nested deeper than ${deepestNesting} levels. Send less in the fields that are not the union's.`;
    findings.fault("", "card_too_deep", detail, { expected: `at most ${deepestNesting}` });
    return true;
  }
  const bytes = Buffer.byteLength(JSON.stringify(card));
  if (bytes <= mostBytes) return false;
  const detail = `The card has ${bytes} bytes of JSON, and may have ${mostBytes}. Send less in the fields that are not the union's.`;
  findings.fault("", "card_too_large", detail, { expected: `at most ${mostBytes}`, received: bytes });
  return true;
}

/**
 * Whether the text of a card's content is so short that the card cannot be oversized.
 *
 * Nearly all cards are that small, and need not be written as JSON to be measured.
 */
export function isSurelySmall(content: string | undefined): boolean {
  return content !== undefined && content.length * bytesPerCharacter + namesOfFields <= mostBytes;
}

/** More levels than any real card has, and far fewer than would exhaust the stack of a program that walks it. */
export const deepestNesting = 32;

/** Whether a JSON value is nested deeper than a number of levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}
