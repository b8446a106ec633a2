import { isGarbled } from "../formats/garbled-text.ts";
import type { Findings } from "./findings.ts";
import type { Scorecard } from "./scorecard.ts";

/**
 * Warns where something of a card's texts was not UTF-8. A player's name with a letter lost is no reason to refuse a
 * round.
 *
 * @param card as it was sent
 * @param content the text of its content: only where that is garbled is the card looked through
 */
export function warnOfGarbledText(card: Scorecard, content: string, findings: Findings): void {
  if (!isGarbled(content)) return;
  const detail =
    "The text holds U+FFFD, and others of the card may: it stands for what is not UTF-8. The body was probably written in another encoding. Send it in UTF-8. The text is passed on as it was read.";
  findings.warn(garbledPlace(card) ?? "", "text_garbled", detail);
}

/** JSON pointer of the first value that is garbled, or whose name is. @see RFC 6901 */
function garbledPlace(value: unknown): string | undefined {
  if (typeof value === "string") return isGarbled(value) ? "" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, entry] of Object.entries(value)) {
    const place = isGarbled(name) ? "" : garbledPlace(entry);
    if (place !== undefined) return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}${place}`;
  }
  return undefined;
}
