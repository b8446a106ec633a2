import { parse, v5 } from "uuid";
import type { ApiSet } from "../accounts/api-set.ts";
import type { Guid } from "../formats/guid.ts";

/** Our own namespace for the IDs of cards. It must never change: a card sent again would get another ID. */
const cards = parse("5e0c9c57-4a54-4f3e-9d0f-0c3a8a1b7e64");

/**
 * The ID of a card whose sender gives it none: the same for the same vendor and ExternalID.
 *
 * @see RFC 9562, 5.5
 */
export function cardId(apiSet: ApiSet, externalId: string): Guid {
  return v5(Buffer.from(`${apiSet}/${externalId}`), cards) as Guid;
}
