import type { PostResult } from "../../union/exchange.ts";
import type { DeliveryFailure } from "../life/card.ts";

/** What a response of the exchange means for the posted array. */
export type ArrayResponse =
  | EchoedArray
  /** Either a card or the exchange is at fault; `outage`: the exchange is. */
  | ({ readonly kind: "failed" | "outage" } & Outage);

/** The cards in the echo are delivered; there is at least one. */
export interface EchoedArray {
  readonly kind: "echoed";
  readonly ids: ReadonlySet<string>;
  /** Why another card of the post is not delivered. */
  readonly failureOf: (externalId: string) => DeliveryFailure;
}

/** Why nothing can be delivered for the vendor now. */
export interface Outage {
  readonly failure: DeliveryFailure;
  readonly retryAfterSeconds?: number | undefined;
}

/** The failure of a card that a 2xx response does not echo. The body may have data of persons, so it is not repeated. */
const notEchoed: DeliveryFailure = {
  phase: "after",
  message: "The exchange's echo did not hold the card.",
};

/**
 * Classifies the result of a post.
 *
 * Only answers that cannot be about a card are an outage at once: no connection, refused credentials, and the request to come
 * back later. Whose fault all others are is found by comparing posts.
 */
export function classifyResponse(result: PostResult): ArrayResponse {
  if (result.phase === "before") return { kind: "outage", failure: result };
  if (result.phase === "during") return { kind: "failed", failure: result };
  const { status, bodyExcerpt, echoed, refused, retryAfterSeconds } = result;
  const failureOf = (externalId: string): DeliveryFailure => {
    const own = refused?.get(externalId);
    if (own === undefined) return { ...notEchoed, status };
    return { phase: "after", status: own, message: "The exchange refused the card." };
  };
  if (echoed.size > 0) return { kind: "echoed", ids: echoed, failureOf };
  const [refusedFirst] = refused?.keys() ?? [];
  if (refusedFirst !== undefined) return { kind: "failed", failure: failureOf(refusedFirst) };
  const isSuccess = status >= 200 && status < 300;
  const failure: DeliveryFailure = isSuccess
    ? { ...notEchoed, status }
    : { phase: "after", status, message: bodyExcerpt };
  if (status === 401) {
    const message = "The exchange refused the vendor's credentials.";
    return { kind: "outage", failure: { ...failure, message } };
  }
  const isOutage = status === 429 || (status === 503 && retryAfterSeconds !== undefined);
  return { kind: isOutage ? "outage" : "failed", failure, retryAfterSeconds };
}
