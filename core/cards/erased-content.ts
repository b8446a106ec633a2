import { keyedDigest } from "../formats/keyed-digest.ts";
import type { ValidCard } from "./delivery/plan.ts";
import type { StoredCard } from "./life/card.ts";

/** The digest that stays of the content that a person is erased from. */
export const digestContent = (
  secret: string,
  { apiSet, externalId }: Pick<StoredCard, "apiSet" | "externalId">,
  contentHash: string,
): string => keyedDigest(secret, "erasedContent", apiSet, externalId, contentHash);

/**
 * Finds which submitted cards are those that a person was erased from: each of these gets its hash again, so that it counts as
 * stored. It is neither stored nor posted again.
 */
export async function recognizeErased(
  stored: ReadonlyMap<string, StoredCard>,
  sent: readonly Pick<ValidCard, "externalId" | "contentHash">[],
  readSecret: () => Promise<string>,
): Promise<ReadonlyMap<string, StoredCard>> {
  const recognized = new Map(stored);
  for (const { externalId, contentHash } of sent) {
    const card = stored.get(externalId);
    if (card?.erasedContent === undefined) continue;
    if (digestContent(await readSecret(), card, contentHash) === card.erasedContent)
      recognized.set(externalId, { ...card, contentHash });
  }
  return recognized;
}
