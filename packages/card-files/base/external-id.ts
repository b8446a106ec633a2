/** The most characters of an ExternalID that the API takes. */
export const maxExternalIdLength = 256;

/**
 * The ExternalID of a card of a file, before anything has checked the card.
 *
 * @returns undefined if the card has none, or one that the API refuses: too long, or with characters that were lost (U+FFFD)
 */
export function externalIdOf(card: unknown): string | undefined {
  const { ExternalID } = (card ?? {}) as { readonly ExternalID?: unknown };
  if (typeof ExternalID !== "string" || ExternalID.length === 0) return undefined;
  const isNameable =
    ExternalID.length <= maxExternalIdLength && ExternalID.isWellFormed() && !ExternalID.includes("\ufffd");
  return isNameable ? ExternalID : undefined;
}
