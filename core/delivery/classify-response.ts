import type { PostResult } from "../union/exchange.ts";
import type { DeliveryFailure } from "./card.ts";

/** What an answer of the exchange means for the array that was posted. */
export type Response =
  /** Taken: those cards are delivered that the echo holds. */
  | { readonly kind: "echoed"; readonly ids: ReadonlySet<string> }
  /** One card at least is refused. */
  | { readonly kind: "refused"; readonly failure: DeliveryFailure }
  /** A bad card or an outage: the status does not say which. */
  | { readonly kind: "serverError"; readonly failure: DeliveryFailure }
  | ({ readonly kind: "outage" } & Outage);

/** Nothing can be delivered for the vendor now, whatever its cards are. */
export interface Outage {
  readonly failure: DeliveryFailure;
  readonly credentialsRefused?: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

const refusals = new Set([400, 404, 409, 413, 422]);

/**
 * Classifies the result of a post.
 *
 * A bare 500 is the only status that the union documents, so it may be a bad card. Every other failure that is not a refusal is
 * an outage or a limit, and repeating it at once would only add to it.
 */
export function classifyResponse(result: PostResult): Response {
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
