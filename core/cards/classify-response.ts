import type { PostResult } from "../union/exchange.ts";
import type { DeliveryFailure } from "./card.ts";

/** What a response of the exchange means for the posted array. */
export type ArrayResponse =
  /** The cards in the echo are delivered. */
  | { readonly kind: "echoed"; readonly ids: ReadonlySet<string> }
  /** At least one card is refused. */
  | { readonly kind: "refused"; readonly failure: DeliveryFailure }
  /** Either a bad card or an outage. */
  | { readonly kind: "serverError"; readonly failure: DeliveryFailure }
  | ({ readonly kind: "outage" } & Outage);

/** Nothing can be delivered for the vendor now. */
export interface Outage {
  readonly failure: DeliveryFailure;
  readonly credentialsRefused?: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

const refusals = new Set([400, 404, 409, 413, 422]);

/**
 * Classifies the result of a post.
 *
 * 500 is the only error that the union documents, so it may mean a bad card. All others but refusals are outages or limits, which
 * an immediate retry would make worse.
 */
export function classifyResponse(result: PostResult): ArrayResponse {
  if (result.phase !== "after") return { kind: "outage", failure: result };
  const { status, bodyExcerpt, echoed, retryAfterSeconds } = result;
  const failure: DeliveryFailure = { phase: "after", status, message: bodyExcerpt };
  if (status >= 200 && status < 300) return { kind: "echoed", ids: echoed };
  if (refusals.has(status)) return { kind: "refused", failure };
  if (status === 500) return { kind: "serverError", failure };
  if (status === 401 || status === 403) {
    const message = "The exchange refused the vendor's credentials.";
    return { kind: "outage", failure: { ...failure, message }, credentialsRefused: true };
  }
  return { kind: "outage", failure, retryAfterSeconds };
}
