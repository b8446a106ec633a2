import type { UnionAccount } from "./account.ts";
import { echoedCards } from "./echo.ts";
import { AnswerTooLarge, askUnion, type UnionAnswer } from "./request.ts";

/** A card as it goes over the wire, its ExternalID beside it. */
export interface OutboundCard {
  readonly externalId: string;
  /** JSON of the card. */
  readonly card: string;
  /** The vendor's request that brought it; for logs, the exchange does not get it. */
  readonly requestId?: string | undefined;
}

/** What came of posting an array of cards, by the phase in which it ended. */
export type PostResult =
  /** No connection: the exchange has seen nothing. */
  | { readonly phase: "before"; readonly message: string }
  /** The connection broke or the time was up: the exchange may have taken the cards. */
  | { readonly phase: "during"; readonly message: string }
  /** The exchange answered. */
  | {
      readonly phase: "after";
      readonly status: number;
      /** The beginning of the answer's body. */
      readonly bodyExcerpt: string;
      /** ExternalIDs of those of the posted cards that a 2xx answer echoed. */
      readonly echoed: ReadonlySet<string>;
      readonly retryAfterSeconds?: number;
    };

/** Posts arrays of cards for one vendor. */
export type PostCards = (account: UnionAccount, cards: readonly OutboundCard[]) => Promise<PostResult>;

/** Codes and, where there is no code, words of failures before the first byte was sent. */
const neverConnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ERR_INVALID_URL",
  // A port that is blocked, or a scheme other than HTTP's. @see Fetch standard, port blocking
  "bad port",
  "unknown scheme",
]);

/** An exchange that asks for more is asked again after an hour: a wrong header must not stop a day's cards. */
const longestRetryAfterSeconds = 3600;

/** Whole seconds from a Retry-After header, in seconds or as a date; undefined where there is none. */
function retryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1000);
  return seconds >= 0 ? Math.min(seconds, longestRetryAfterSeconds) : undefined;
}

const nameOf = ({ externalId, card }: OutboundCard) => ({
  externalId,
  id: () => (JSON.parse(card) as { readonly ID?: unknown }).ID,
});

function answered(
  { status, headers, text }: UnionAnswer,
  cards: readonly OutboundCard[],
  now: Date,
): PostResult {
  const retryAfterSeconds = retryAfter(headers.get("Retry-After"), now);
  return {
    phase: "after",
    status,
    bodyExcerpt: text.trim().slice(0, 500),
    echoed: status >= 200 && status < 300 ? echoedCards(text, cards.map(nameOf)) : new Set(),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

function failed(error: unknown): PostResult {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return { phase: "during", message: "The exchange did not answer in time." };
  }
  if (error instanceof AnswerTooLarge) return { phase: "during", message: error.message };
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  // What has no cause is thrown when the request is made. It names what is wrong, which may be a token: it is not told.
  if (error instanceof TypeError && cause === undefined) {
    return {
      phase: "before",
      message: "No connection to the exchange (its address or a header is not allowed).",
    };
  }
  // Not all that has no code is before: fetch gives neither code nor words where the exchange answers 407.
  const reason = cause?.code ?? (cause?.message || "no reason given");
  return neverConnected.has(reason)
    ? { phase: "before", message: `No connection to the exchange (${reason}).` }
    : { phase: "during", message: `The connection to the exchange broke (${reason}).` };
}

/**
 * The union's Scorecard Exchange.
 *
 * @param path below the API set, e.g. `Clubs/Members/ExchangedScorecards`
 * @see union-api, Scorecard submission
 */
export function exchange(
  baseAddress: string,
  path: string,
  timeoutMilliseconds: number,
  now: () => Date,
): PostCards {
  return async (account, cards) => {
    const body = `[${cards.map(({ card }) => card).join(",")}]`;
    const request = { method: "POST", path, body, timeoutMilliseconds } as const;
    // What fails after the answer is no failure of the post, and is not told as one.
    const answer = await askUnion(baseAddress, account, request).catch(failed);
    return "phase" in answer ? answer : answered(answer, cards, now());
  };
}
