/** The most characters of an ExternalID: it is part of a stored card's key, whose size has a limit. */
export const longestExternalId = 256;

/** Whether a text can name a card: not empty, not too long, and without half characters, which UTF-8 cannot carry. */
export function isExternalId(text: string): boolean {
  return text.length > 0 && text.length <= longestExternalId && text.isWellFormed();
}
