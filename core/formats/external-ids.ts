/** The most characters of an ExternalID: it is part of a stored card's key, whose size has a limit. */
export const maxExternalIdLength = 256;

/** Whether a text can name a card: not empty, not too long, and without half characters, which UTF-8 cannot carry. */
export function isExternalId(text: string): boolean {
  return text.length > 0 && text.length <= maxExternalIdLength && text.isWellFormed();
}

/**
 * Names that no URL of a card can end in: `.` and `..` are folders, and the API has an operation at the others. Cards that were
 * accepted under one before it was refused can be asked for by the query parameter ExternalID.
 */
export const unreachableExternalIds = [".", "..", "Validate", "validate"] as const;

/** Whether the URL of a card can end in its ExternalID. */
export const isReachable = (externalId: string): boolean =>
  !unreachableExternalIds.some((one) => one === externalId);

/** Whether a text has U+FFFD, the sign that replaces bytes which are not UTF-8. The bytes themselves are lost. */
export const isGarbled = (text: string): boolean => text.includes("\ufffd");

/** Pattern of texts without that sign, for JSON Schema. It has the sign itself, since languages have other escapes for it. */
export const ungarbledPattern = "^[^\ufffd]*$";

/** The ExternalIDs of a submission's cards; invalid ones are skipped. */
export function externalIdsOf(cards: readonly unknown[]): string[] {
  return cards.flatMap((card) => externalIdOf(card) ?? []);
}

/** The ExternalID of a card that has not been checked; undefined if it has none, or an invalid one. */
export function externalIdOf(card: unknown): string | undefined {
  const { ExternalID } = (card ?? {}) as { readonly ExternalID?: unknown };
  const names = typeof ExternalID === "string" && isExternalId(ExternalID) && !isGarbled(ExternalID);
  return names ? ExternalID : undefined;
}

/** The outcomes that a vendor can force on the stage `test` by an ExternalID. @see docs/vendors.md, The sandbox */
export const sandboxOutcomes = [
  "rejected",
  "undelivered",
  "slow",
  "player-unknown",
  "not-recorded",
  "busy",
] as const;

/** An outcome that can be forced. */
export type SandboxOutcome = (typeof sandboxOutcomes)[number];

const prefix = "sandbox:";
const beginning = new RegExp(`^${prefix}`, "i");

/**
 * The outcome that an ExternalID forces; undefined if it forces none. Such a card is posted to no exchange on any stage, and the union is
 * asked nothing about it.
 *
 * @example findSandboxOutcome("sandbox:slow-417") // "slow"
 */
export const findSandboxOutcome = (externalId: string): SandboxOutcome | undefined =>
  sandboxOutcomes.find((outcome) => externalId.startsWith(prefix + outcome));

/** Why a card may not have its ExternalID; undefined if it may. @param hasSandbox whether the stage has a sandbox */
export function refuseSandboxId(externalId: string, hasSandbox: boolean): string | undefined {
  if (!beginning.test(externalId)) return undefined;
  if (!hasSandbox)
    return `The form ${prefix} forces an outcome on the stage test only. Send another ExternalID.`;
  if (findSandboxOutcome(externalId) !== undefined) return undefined;
  return `After ${prefix} comes one of ${sandboxOutcomes.join(", ")}. Send that, or another ExternalID.`;
}
