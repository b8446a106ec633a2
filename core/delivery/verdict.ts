import type { DeliveryFailure } from "../tracking/state.ts";
import type { PostResult } from "../union/exchange.ts";

/** What an answer of the exchange means for the array that was posted. */
export type Verdict =
  /** Taken: each card is delivered that the echo holds. */
  | { readonly kind: "echoed"; readonly ids: ReadonlySet<string> }
  /** One card at least is refused. */
  | { readonly kind: "refused"; readonly failure: DeliveryFailure }
  /** A bad card or an outage: the status does not say which. */
  | { readonly kind: "broke"; readonly failure: DeliveryFailure }
  /** Not the cards' fault: nothing more is posted for this vendor now. */
  | {
      readonly kind: "stop";
      readonly failure: DeliveryFailure;
      readonly credentialsRefused: boolean;
      readonly retryAfterSeconds?: number | undefined;
    };

const refusals = new Set([400, 404, 409, 413, 422]);

/**
 * Reads what came of a post.
 *
 * A bare 500 is the only status that the union documents, so it may be a bad card; every other failure that is not
 * a refusal is an outage or a limit, and repeating it at once would only add to it.
 */
export function verdictOn(result: PostResult): Verdict {
  if (result.stage !== "after") return { kind: "stop", failure: result, credentialsRefused: false };
  const { status, words, echoed, retryAfterSeconds } = result;
  const failure = (message: string): DeliveryFailure => ({ stage: "after", status, message });
  if (status >= 200 && status < 300) return { kind: "echoed", ids: echoed };
  if (refusals.has(status)) return { kind: "refused", failure: failure(words) };
  if (status === 500) return { kind: "broke", failure: failure(words) };
  if (status === 401 || status === 403) {
    const message = "The exchange refused the vendor's credentials.";
    return { kind: "stop", failure: failure(message), credentialsRefused: true };
  }
  return { kind: "stop", failure: failure(words), credentialsRefused: false, retryAfterSeconds };
}
