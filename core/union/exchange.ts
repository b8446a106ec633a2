import type { UnionAccount } from "./account-secrets.ts";
import { readEcho } from "./echo.ts";
import { askUnion, isTimeout, NotSentError, ResponseTooLargeError, type UnionResponse } from "./request.ts";
import { describeShape } from "./response-shape.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** A card to post. */
export interface OutboundCard {
  readonly externalId: string;
  readonly card: string;
  /** The vendor's request that submitted it, for logs; it is not sent. */
  readonly requestId?: string | undefined;
}

/** The result of posting an array of cards, by the phase in which it ended. */
export type PostResult =
  /** No connection: the exchange has received nothing. */
  | { readonly phase: "before"; readonly message: string }
  /** The connection broke or the post timed out: the exchange may have taken the cards. */
  | { readonly phase: "during"; readonly message: string }
  | {
      readonly phase: "after";
      readonly status: number;
      readonly bodyExcerpt: string;
      /** ExternalIDs of the cards that a 2xx response echoed. */
      readonly echoed: ReadonlySet<string>;
      /** Statuses of the cards that a 207 refuses, by ExternalID. */
      readonly refused?: ReadonlyMap<string, number>;
      /** Names and types of the fields of a 2xx response that does not say what became of each card. */
      readonly shape?: string;
      readonly retryAfterSeconds?: number;
    };

/** How an array is posted. */
export interface PostOptions {
  /** Whether the connection is closed afterwards: a card at which the exchange breaks may leave it broken for others. */
  readonly closesConnection: boolean;
}

/** Posts arrays of cards for one vendor. */
export type PostCards = (
  account: UnionAccount,
  cards: readonly OutboundCard[],
  options: PostOptions,
) => Promise<PostResult>;

function responded(
  { status, headers, text }: UnionResponse,
  cards: readonly OutboundCard[],
  now: Date,
): PostResult {
  const wait = retryAfterSeconds(headers.get("Retry-After"), now);
  const isSuccess = status >= 200 && status < 300;
  const echo = isSuccess ? readEcho(text, cards) : undefined;
  const refused = status === 207 ? echo?.refused : undefined;
  const isKnown = ({ externalId }: OutboundCard) => echo?.echoed.has(externalId) || refused?.has(externalId);
  const isUnknown = isSuccess && !cards.every(isKnown);
  return {
    phase: "after",
    status,
    bodyExcerpt: text.trim().slice(0, 500),
    echoed: echo?.echoed ?? new Set(),
    ...(refused !== undefined && { refused }),
    ...(isUnknown && {
      shape: describeShape(
        text,
        cards.map(({ card }) => card),
      ),
    }),
    ...(wait !== undefined && { retryAfterSeconds: wait }),
  };
}

function failed(error: unknown): PostResult {
  if (error instanceof NotSentError)
    return { phase: "before", message: `No connection to the exchange (${error.code}).` };
  if (isTimeout(error)) return { phase: "during", message: "The exchange did not answer in time." };
  if (error instanceof ResponseTooLargeError) return { phase: "during", message: error.message };
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  // Without a cause the request itself is invalid. The error quotes what is wrong, maybe a token, so it is not repeated.
  if (error instanceof TypeError && cause === undefined) {
    const message = "No connection to the exchange (its address or a header is not allowed).";
    return { phase: "before", message };
  }
  const reason = cause?.code ?? (cause?.message || "no reason given");
  return { phase: "during", message: `The connection to the exchange broke (${reason}).` };
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
  return async (account, cards, { closesConnection }) => {
    const body = `[${cards.map(({ card }) => card).join(",")}]`;
    const request = { method: "POST", path, body, timeoutMilliseconds, closesConnection } as const;
    // Only failures of the request: a bug in reading the response must not pass for a failed post.
    const response = await askUnion(baseAddress, account, request).catch(failed);
    return "phase" in response ? response : responded(response, cards, now());
  };
}
