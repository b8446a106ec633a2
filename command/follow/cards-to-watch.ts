import { type CardStatus, readFromApi } from "../../client/vendor-api.ts";
import { requestDeadline } from "../request-deadline.ts";
import { openCardFile } from "../submit/card-file.ts";
import type { VendorAccess } from "../vendor-access.ts";

/** ExternalIDs of the cards of a file; a card without one is passed over. */
export async function externalIdsOfFile(path: string): Promise<string[]> {
  const externalIds: string[] = [];
  for await (const { value } of (await openCardFile(path)).cards) {
    const { ExternalID } = (value ?? {}) as { ExternalID?: unknown };
    if (typeof ExternalID === "string") externalIds.push(ExternalID);
  }
  return externalIds;
}

/** ExternalIDs of all of a vendor's cards that are in a state now, page by page. */
export async function externalIdsInState(
  { api, vendor }: VendorAccess,
  state: string,
  signal: AbortSignal,
): Promise<string[]> {
  const externalIds: string[] = [];
  let page: string | undefined = `?state=${state}`;
  while (page !== undefined) {
    const answer = await readFromApi(api, vendor, `ScorecardExchange${page}`, requestDeadline(), signal);
    const { cards, next } = answer as { cards: CardStatus[]; next?: string };
    externalIds.push(...cards.map(({ externalId }) => externalId));
    page = next;
  }
  return externalIds;
}
