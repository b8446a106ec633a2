import pMap from "p-map";
import { basicAuthorization } from "../core/accounts/basic-credentials.ts";
import type { CardState } from "../core/delivery/card.ts";
import { chunks } from "../core/dynamodb/chunks.ts";
import { fetchWithRetries, retryAfter, textOf } from "./fetch-with-retries.ts";

/** A vendor account. */
export interface Vendor {
  readonly username: string;
  readonly password: string;
  readonly apiSet: string;
}

/** A fault of a card, or a warning about it. */
export interface CardFinding {
  readonly code: string;
  /** JSON pointer into the card. */
  readonly pointer?: string;
  readonly detail?: string;
}

/** One entry of the response to a submission with lenient handling. */
export interface SubmissionEntry {
  readonly index: number;
  readonly externalId?: string;
  readonly status: 201 | 422;
  /** The card as it will be delivered. */
  readonly card?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly CardFinding[];
  readonly warnings?: readonly CardFinding[];
}

/** The state of a card. Times are ISO 8601 in UTC. */
export interface CardStatus {
  readonly externalId: string;
  readonly state: CardState | "unknown";
  readonly since?: string;
  /** Posts to the exchange so far. */
  readonly attempts?: number;
  readonly lastError?: { readonly message: string; readonly status?: number };
  readonly nextAttemptAt?: string;
  readonly warnings?: readonly CardFinding[];
  /** Why no card of the vendor is posted now; set while its circuit breaker is open. */
  readonly paused?: { readonly lastError: { readonly message: string; readonly status?: number } };
}

/** A response with another status than the expected one. */
export class UnexpectedResponseError extends Error {
  override readonly name = "UnexpectedResponseError";
  readonly status: number;
  /** Retry-After; undefined if the response has none. */
  readonly retryAfterMilliseconds: number | undefined;

  /**
   * @param api base address; the message names it if it may be wrong
   * @param text the body; the message includes the title and detail of a problem document
   */
  constructor(api: string, response: Response, text: string) {
    const { status } = response;
    const detail = detailIn(text);
    const message = `HTTP ${status}${detail}`;
    super(mayBeWrongAddress(status, detail) ? `${message.replace(/\.$/, "")}. ${addressHint(api)}` : message);
    this.status = status;
    this.retryAfterMilliseconds = retryAfter(response);
  }
}

/** Whether the base address may be wrong: there is no such path, or API Gateway refuses without a reason. */
const mayBeWrongAddress = (status: number, detail: string) =>
  status === 404 || (status === 403 && detail === "");

const addressHint = (api: string) =>
  `Check the base address ${api}: it has the form https://{host}/{stage}, without an API set.`;

function detailIn(text: string): string {
  try {
    const { title, detail } = JSON.parse(text) as { title?: unknown; detail?: unknown };
    const texts = [title, detail].filter((one) => typeof one === "string");
    return texts.length === 0 ? "" : `: ${texts.join(". ")}`;
  } catch {
    return "";
  }
}

/** The API's limit on the cards of one status query. */
const cardsPerQuery = 100;
const concurrentQueries = 4;

function headersOf(vendor: Vendor): Record<string, string> {
  return { Authorization: basicAuthorization(vendor), Accept: "application/json" };
}

/**
 * Reads from the API.
 *
 * @param path below the API set
 * @param deadline by the clock of `performance.now()`
 * @throws UnexpectedResponseError for any other status than 200; NoResponseError if there is no response
 */
export async function readFromApi(
  api: string,
  vendor: Vendor,
  path: string,
  deadline: number,
  signal: AbortSignal,
): Promise<unknown> {
  const url = `${api}/${encodeURIComponent(vendor.apiSet)}/${path}`;
  const response = await fetchWithRetries(url, { headers: headersOf(vendor) }, deadline, signal);
  const text = await textOf(response, signal);
  if (response.status !== 200) throw new UnexpectedResponseError(api, response, text);
  return JSON.parse(text);
}

/**
 * Submits cards; valid ones are accepted even if others are not.
 *
 * @param cards JSON text of each card
 * @param deadline by the clock of `performance.now()`
 * @returns one entry a card
 * @throws UnexpectedResponseError for any other status than 207; NoResponseError if there is no response
 */
export async function submitCards(
  api: string,
  vendor: Vendor,
  cards: readonly string[],
  deadline: number,
  signal: AbortSignal,
): Promise<SubmissionEntry[]> {
  const headers = { ...headersOf(vendor), "Content-Type": "application/json", Prefer: "handling=lenient" };
  const init = { method: "POST", headers, body: `[${cards.join(",")}]` };
  const url = `${api}/${encodeURIComponent(vendor.apiSet)}/ScorecardExchange`;
  const response = await fetchWithRetries(url, init, deadline, signal);
  const text = await textOf(response, signal);
  if (response.status !== 207) throw new UnexpectedResponseError(api, response, text);
  return JSON.parse(text) as SubmissionEntry[];
}

/**
 * Reads the states of cards.
 *
 * @param externalIds at most 100
 * @param deadline by the clock of `performance.now()`; 0 for no retry
 * @returns one a card, in order
 * @throws UnexpectedResponseError for any other status than 200; NoResponseError if there is no response
 */
export async function statusesOfCards(
  api: string,
  vendor: Vendor,
  externalIds: readonly string[],
  deadline: number,
  signal: AbortSignal,
): Promise<CardStatus[]> {
  const query = new URLSearchParams();
  for (const externalId of externalIds) query.append("ExternalID", externalId);
  const answer = await readFromApi(api, vendor, `ScorecardExchange?${query}`, deadline, signal);
  return (answer as { cards: CardStatus[] }).cards;
}

/** Reads the states of at most 100 cards of a vendor, without retries. */
export const statusReader =
  (api: string, vendor: Vendor) => (externalIds: readonly string[], signal: AbortSignal) =>
    statusesOfCards(api, vendor, externalIds, 0, signal);

/**
 * Splits any number of cards into batches that one status query may have.
 *
 * @param ask called with each batch
 * @returns the results, in the order of the cards
 */
export function inBatches<Answer>(
  externalIds: readonly string[],
  ask: (asked: readonly string[]) => Promise<Answer>,
): Promise<Answer[]> {
  return pMap(chunks(externalIds, cardsPerQuery), ask, { concurrency: concurrentQueries });
}
