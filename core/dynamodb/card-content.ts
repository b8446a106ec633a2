import type { Finding } from "../scorecard/finding.ts";
import { packText, unpackText } from "./packed-json.ts";

/**
 * A card as the vendor got it back and the exchange gets it, with the warnings that the vendor got.
 *
 * A card is JSON text from the moment it is derived: what is answered, stored, sent through the queue and posted is the
 * same text, written once.
 */
export interface CardContent {
  /** JSON of the card. */
  readonly text: () => string;
  readonly warnings: () => readonly Finding[];
  /** Both as they are stored; packed when they are first asked for. */
  readonly packed: () => Uint8Array;
}

/** Between a card and its warnings: JSON has no line break of its own. */
const separator = "\n";

/** The content of a card that was derived just now. */
export function contentOf(card: object, warnings: readonly Finding[] = []): CardContent {
  const text = JSON.stringify(card);
  let packed: Uint8Array | undefined;
  return {
    text: () => text,
    warnings: () => warnings,
    packed() {
      packed ??= packText(warnings.length === 0 ? text : text + separator + JSON.stringify(warnings));
      return packed;
    },
  };
}

/**
 * The content of a card that was packed before.
 *
 * Asking for its card or its warnings throws where it was packed by somebody else.
 */
export function packedContent(packed: Uint8Array): CardContent {
  let parts: readonly string[] | undefined;
  const part = (place: 0 | 1): string | undefined => {
    parts ??= unpackText(packed).split(separator);
    return parts[place];
  };
  return {
    text: () => part(0) ?? "",
    warnings: () => JSON.parse(part(1) ?? "[]"),
    packed: () => packed,
  };
}
