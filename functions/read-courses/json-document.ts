import { hash } from "node:crypto";

/** An answer's text with its validator. */
export interface JsonDocument {
  readonly text: string;
  /** Entity tag, with its quotes. @see RFC 9110, 8.8.3 */
  readonly tag: string;
}

/** Writes a document as JSON, and tags it: the same content has the same tag, wherever and whenever it is written. */
export function jsonDocument(content: unknown): JsonDocument {
  const text = JSON.stringify(content);
  // Weak, since API Gateway may compress the text on its way.
  return { text, tag: `W/"${hash("sha256", text, "base64url").slice(0, 22)}"` };
}
