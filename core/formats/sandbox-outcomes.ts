/** The outcomes that a vendor can force on the stage `test` by an ExternalID. @see docs/vendors.md, The sandbox */
export const sandboxOutcomes = [
  "rejected",
  "undelivered",
  "slow",
  "player-unknown",
  "not-recorded",
  "busy",
] as const;

const prefix = "sandbox:";

/**
 * The outcome that an ExternalID forces; undefined if it forces none. Such a card is posted to no exchange on any stage, and the union is
 * asked nothing about it.
 *
 * @example findSandboxOutcome("sandbox:slow-417") // "slow"
 */
export const findSandboxOutcome = (externalId: string): (typeof sandboxOutcomes)[number] | undefined =>
  sandboxOutcomes.find((outcome) => externalId.startsWith(prefix + outcome));

/** Why a card may not have its ExternalID; undefined if it may. @param hasSandbox whether the stage has a sandbox */
export function refuseSandboxId(externalId: string, hasSandbox: boolean): string | undefined {
  if (!externalId.toLowerCase().startsWith(prefix)) return undefined;
  if (!hasSandbox)
    return `The form ${prefix} forces an outcome on the stage test only. Send another ExternalID.`;
  if (findSandboxOutcome(externalId) !== undefined) return undefined;
  return `After ${prefix} comes one of ${sandboxOutcomes.join(", ")}. Send that, or another ExternalID.`;
}
