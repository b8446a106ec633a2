/** An ExternalID is part of the key of a stored card, which has bounds of its own. */
export const longestExternalId = 256;

/** Whether a text can name a card: not empty, not endless, and text that survives being stored and sent. */
export function isExternalId(text: string): boolean {
  return text.length > 0 && text.length <= longestExternalId && text.isWellFormed();
}
