import { ApiError } from "./api-error.ts";
import type { Finding, ScorecardEntry, Validation } from "./api-types.ts";
import type { RequestOptions, SendRequest } from "./connection.ts";
import { toRequestId } from "./fetch-with-retries.ts";
import { inParallel } from "./in-parallel.ts";
import type { KnownScorecard } from "./scorecard.ts";

/** The type with all its members readonly, so that it also accepts readonly values. */
type DeepReadonly<Value> = Value extends object
  ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
  : Value;

/** A scorecard, or its JSON text, which is sent as it is, with every digit. */
export type CardInput = DeepReadonly<KnownScorecard> | string;

/** Any number of cards; they may come from a generator or a stream. */
export type CardInputs = Iterable<CardInput> | AsyncIterable<CardInput>;

/** The result of a submitted card: `status` 201 with the `card` as it will be delivered, or 422 with its `errors`. */
export type SubmissionEntry = ScorecardEntry & RequestIdentity;

/** What identifies the request of a result to the operator of the API; absent if no request was sent. */
export interface RequestIdentity {
  requestId?: string | undefined;
}

/** Options of every submission and validation. */
export interface CorrectionOptions extends RequestOptions {
  /** Correct delivered cards of another player and another day or course, too; else such a card is refused. */
  readonly anyCorrection?: boolean;
}

/** Options of submissions. */
export interface SubmissionOptions extends CorrectionOptions {
  /** Requests at the same time; 4 by default. */
  readonly parallel?: number;
}

/** Most cards and bytes of one request. @see docs/submitting.md */
export const requestLimits = { cards: 1_000, cardsWithPlayers: 100, bytes: 5 * 1_024 * 1_024 } as const;

/** A card with its place among all cards of a submission. */
interface IndexedCard {
  readonly index: number;
  readonly json: string;
  /** Undefined if it has none that is a text. */
  readonly externalId: string | undefined;
}

const toBody = (cards: readonly IndexedCard[]) => `[${cards.map(({ json }) => json).join(",")}]`;

/** Changes the index of a card and of its findings from that in the request to that among all cards. */
function reindex(card: { index: number; warnings?: Finding[]; errors?: Finding[] }, index: number): void {
  card.index = index;
  for (const finding of card.warnings ?? []) finding.index = index;
  for (const finding of card.errors ?? []) finding.index = index;
}

/**
 * Submits cards, in as many requests as they need. Valid ones are accepted even if others are not.
 *
 * @returns entries as they come, those of a request together; `index` is the card's place among all
 * @throws ApiError, NoResponseError, or the signal's reason, when the requests that had begun have ended
 */
export async function* submitInParts(
  send: SendRequest,
  cards: CardInputs,
  { parallel = 4, anyCorrection = false, ...options }: SubmissionOptions,
): AsyncGenerator<SubmissionEntry[]> {
  const refusals: SubmissionEntry[] = [];
  async function submit(part: readonly IndexedCard[]): Promise<SubmissionEntry[]> {
    try {
      const headers = { Prefer: `handling=lenient${anyCorrection ? ", correction=any" : ""}` };
      const { text, headers: received } = await send("ScorecardExchange", {
        ...options,
        method: "POST",
        headers,
        json: toBody(part),
        expected: 207,
      });
      const entries = JSON.parse(text) as SubmissionEntry[];
      for (const entry of entries) {
        if (entry.status === 201) entry.warnings ??= [];
        reindex(entry, part[entry.index]?.index ?? entry.index);
        entry.requestId = toRequestId(received);
      }
      return entries;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 413) throw error;
      if (part.length === 1) return part.map(tooLarge);
      // The response may be too large even if the request is not.
      const half = Math.ceil(part.length / 2);
      return [...(await submit(part.slice(0, half))), ...(await submit(part.slice(half)))];
    }
  }

  const isRepeated = repetition();
  const requests = inRequests(cards, (card) => {
    if (!isRepeated(card)) return true;
    refusals.push(repeated(card));
    return false;
  });
  for await (const entries of inParallel(requests, parallel, submit)) {
    yield [...refusals.splice(0), ...entries];
  }
  if (refusals.length > 0) yield refusals;
}

/** How cards are validated. */
export interface ValidationOptions extends CorrectionOptions {
  /** Whether the union is asked for the players. */
  readonly players?: boolean;
  /** Only what was found: no card and no derivation, less than a quarter of the bytes. */
  readonly minimal?: boolean;
}

function preferring(anyCorrection: boolean, minimal = false): Record<string, string> {
  const preferences = [...(anyCorrection ? ["correction=any"] : []), ...(minimal ? ["return=minimal"] : [])];
  return preferences.length === 0 ? {} : { Prefer: preferences.join(", ") };
}

/** Validates any number of cards. No card is stored or sent. */
export async function validateCards(
  send: SendRequest,
  cards: CardInputs,
  { players = false, anyCorrection = false, minimal = false, ...options }: ValidationOptions,
): Promise<Validation> {
  const { cards: most, cardsWithPlayers, bytes } = requestLimits;
  const limits = { cards: players ? cardsWithPlayers : most, bytes };
  const all: Validation = { accepted: true, cards: [] };
  const path = `ScorecardExchange/Validate${players ? "?players=1" : ""}`;
  for await (const request of inRequests(cards, () => true, limits)) {
    const { text } = await send(path, {
      ...options,
      method: "POST",
      headers: preferring(anyCorrection, minimal),
      json: toBody(request),
    });
    const validation = JSON.parse(text) as Validation;
    all.accepted &&= validation.accepted;
    if (validation.players !== undefined) {
      const { known = 0, unknown = 0, unanswered = 0 } = all.players ?? {};
      const more = validation.players;
      all.players = {
        known: known + more.known,
        unknown: unknown + more.unknown,
        unanswered: unanswered + more.unanswered,
      };
    }
    for (const card of validation.cards) {
      reindex(card, request[card.index]?.index ?? card.index);
      all.cards.push(card);
    }
  }
  return all;
}

/**
 * Returns a function that says whether an earlier card has the same ExternalID. In two requests, the later one would correct
 * the earlier.
 */
function repetition(): (card: IndexedCard) => boolean {
  const seen = new Set<string>();
  return ({ externalId }) => {
    if (externalId === undefined) return false;
    const isRepeated = seen.has(externalId);
    seen.add(externalId);
    return isRepeated;
  };
}

function indexed(card: CardInput, index: number): IndexedCard {
  const isText = typeof card === "string";
  return {
    index,
    json: isText ? card : JSON.stringify(card),
    externalId: externalIdOf(isText ? parsed(card) : card),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function externalIdOf(card: unknown): string | undefined {
  const { ExternalID } = (card ?? {}) as { ExternalID?: unknown };
  return typeof ExternalID === "string" ? ExternalID : undefined;
}

function refusal({ index, externalId }: IndexedCard, fault: Omit<Finding, "index">) {
  const card = { index, ...(externalId !== undefined && { externalId }) };
  return { ...card, status: 422 as const, errors: [{ ...card, ...fault }] };
}

const repeated = (card: IndexedCard) =>
  refusal(card, {
    pointer: "/ExternalID",
    code: "duplicate_external_id",
    detail: "An earlier card has the same ExternalID. Give each card its own.",
  });

const tooLarge = (card: IndexedCard) =>
  refusal(card, {
    pointer: "",
    code: "too_large",
    detail: "This card alone exceeds the size limit of a submission. Make it smaller.",
  });

/**
 * Groups cards into the largest requests that the API accepts. A card that is too large becomes a request of its own.
 *
 * @param isSent whether to send a card
 */
export async function* inRequests(
  cards: CardInputs,
  isSent: (card: IndexedCard) => boolean = () => true,
  limits: { readonly cards: number; readonly bytes: number } = requestLimits,
): AsyncGenerator<IndexedCard[]> {
  let index = 0;
  let request: IndexedCard[] = [];
  // Two bytes for the brackets of the array.
  let bytes = 2;

  /** Adds a card. @returns the request before it, if that is complete */
  function add(input: CardInput): IndexedCard[] | undefined {
    const card = indexed(input, index);
    index += 1;
    if (!isSent(card)) return undefined;
    const more = byteLength(card.json) + 1;
    const isFull = request.length === limits.cards || bytes + more > limits.bytes;
    const complete = isFull && request.length > 0 ? request : undefined;
    if (complete !== undefined) {
      request = [];
      bytes = 2;
    }
    request.push(card);
    bytes += more;
    return complete;
  }

  if (Symbol.asyncIterator in cards) {
    for await (const card of cards) {
      const complete = add(card);
      if (complete !== undefined) yield complete;
    }
  } else {
    // `await` for each card would double the time, so it is only used if the cards come asynchronously.
    for (const card of cards) {
      const complete = add(card);
      if (complete !== undefined) yield complete;
    }
  }
  if (request.length > 0) yield request;
}

const encoder = new TextEncoder();
const ascii = /^[\0-\x7f]*$/;

/** Bytes of a text in UTF-8. */
const byteLength = (text: string) => (ascii.test(text) ? text.length : encoder.encode(text).length);
