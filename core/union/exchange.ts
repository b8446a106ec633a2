import type { UnionAccount } from "./account-secrets.ts";
import { askUnion, isTimeout, NotSentError, ResponseTooLargeError, type UnionResponse } from "./request.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** A card to post. */
export interface OutboundCard {
  readonly externalId: string;
  /** JSON of the card. */
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
  /** The exchange answered. */
  | {
      readonly phase: "after";
      readonly status: number;
      readonly bodyExcerpt: string;
      /** ExternalIDs of the cards that a 2xx response echoed. */
      readonly echoed: ReadonlySet<string>;
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

const nameOf = ({ externalId, card }: OutboundCard) => ({
  externalId,
  id: () => (JSON.parse(card) as { readonly ID?: unknown }).ID,
});

function responded(
  { status, headers, text }: UnionResponse,
  cards: readonly OutboundCard[],
  now: Date,
): PostResult {
  const wait = retryAfterSeconds(headers.get("Retry-After"), now);
  return {
    phase: "after",
    status,
    bodyExcerpt: text.trim().slice(0, 500),
    echoed: status >= 200 && status < 300 ? echoedCards(text, cards.map(nameOf)) : new Set(),
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

/** The identifiers of a posted card. */
export interface EchoedName {
  readonly externalId: string;
  /** The card's own ID, if it has one; read only if an echo has no ExternalID. */
  readonly id: () => unknown;
}

/** Reads a field whatever the case of its name, because the union's server ignores case. */
function field(element: unknown, name: string): string | undefined {
  if (typeof element !== "object" || element === null) return undefined;
  const value: unknown = Object.entries(element).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The elements of an echo: an array, one card by itself, or an object around an array. */
function elementsOf(text: string): readonly unknown[] {
  try {
    const echo: unknown = JSON.parse(text);
    if (Array.isArray(echo)) return echo;
    const inside = typeof echo === "object" && echo !== null ? Object.values(echo).filter(Array.isArray) : [];
    return [echo, ...inside.flat()];
  } catch {
    return [];
  }
}

/** ExternalIDs by keys in lower case, without the keys that several cards share. */
function byUniqueKey(keys: readonly (readonly [key: string, externalId: string])[]) {
  const groups = Map.groupBy(keys, ([key]) => key.toLowerCase());
  const unique = [...groups].filter(([, { length }]) => length === 1);
  return new Map(unique.map(([key, [only]]) => [key, only?.[1]]));
}

/**
 * Which of the posted cards a response echoes.
 *
 * The union's document does not show the exact body. So a card counts as echoed by its ExternalID, in another case too unless
 * that could be another card of the post; or by its ID if the echo has no ExternalID. Order, repetition, further fields and
 * unreadable elements do not matter.
 *
 * @returns ExternalIDs as they were posted
 * @see union-api, Scorecard submission
 */
export function echoedCards(text: string, posted: readonly EchoedName[]): ReadonlySet<string> {
  const exact = new Set(posted.map(({ externalId }) => externalId));
  const byExternalId = byUniqueKey(posted.map(({ externalId }) => [externalId, externalId]));
  let byId: ReturnType<typeof byUniqueKey> | undefined;
  const withId = (id: string | undefined) => {
    byId ??= byUniqueKey(
      posted.flatMap(({ externalId, id }) => {
        const own = id();
        return typeof own === "string" ? [[own, externalId] as const] : [];
      }),
    );
    return byId.get(id?.toLowerCase() ?? "");
  };
  const echoed = elementsOf(text).map((element) => {
    const externalId = field(element, "externalid");
    if (externalId === undefined) return withId(field(element, "id"));
    return exact.has(externalId) ? externalId : byExternalId.get(externalId.toLowerCase());
  });
  return new Set(echoed.filter((externalId) => externalId !== undefined));
}
