import pMap from "p-map";
import { basicAuthorization } from "../core/accounts/basic-credentials.ts";
import type { CardState } from "../core/delivery/card.ts";
import { chunks } from "../core/dynamodb/chunks.ts";
import { patientFetch, retryAfter, textOf } from "./patient-fetch.ts";

/** A vendor account. */
export interface Vendor {
  readonly username: string;
  readonly password: string;
  readonly apiSet: string;
}

/** What is wrong with a card, or worth a look. */
export interface CardFinding {
  readonly code: string;
  /** JSON pointer into the card. */
  readonly pointer?: string;
  readonly detail?: string;
}

/** One entry of the answer to a submission with lenient handling. */
export interface SubmissionEntry {
  readonly index: number;
  readonly externalId?: string;
  readonly status: 201 | 422;
  /** As it will be delivered. */
  readonly card?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly CardFinding[];
  readonly warnings?: readonly CardFinding[];
}

/** What became of a card. Times are ISO 8601 in UTC. */
export interface CardStatus {
  readonly externalId: string;
  readonly state: CardState | "unknown";
  readonly since?: string;
  /** Posts to the exchange so far. */
  readonly attempts?: number;
  readonly lastError?: { readonly message: string; readonly status?: number };
  readonly nextAttemptAt?: string;
}

/** An answer other than the one that was asked for. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
  readonly status: number;
  /** How long it asks to wait; undefined where it does not say. */
  readonly retryAfterMilliseconds: number | undefined;

  /**
   * @param api base address that was asked; what is wrong with it is no answer's to say
   * @param text the body; the detail of a problem document is made part of the message
   */
  constructor(api: string, response: Response, text: string) {
    const { status } = response;
    const detail = detailIn(text);
    const told = `HTTP ${status}${detail}`;
    super(isOfAddress(status, detail) ? `${told.replace(/\.$/, "")}. ${questionAbout(api)}` : told);
    this.status = status;
    this.retryAfterMilliseconds = retryAfter(response);
  }
}

/** Whether the address may be at fault: no such path is there, or nobody there who explains why not. */
const isOfAddress = (status: number, detail: string) => status === 404 || (status === 403 && detail === "");

const questionAbout = (api: string) =>
  `Is ${api} the base address? That has the form https://{host}/{stage}, without an API set.`;

function detailIn(text: string): string {
  try {
    const { title, detail } = JSON.parse(text) as { title?: unknown; detail?: unknown };
    const said = [title, detail].filter((one) => typeof one === "string");
    return said.length === 0 ? "" : `: ${said.join(". ")}`;
  } catch {
    return "";
  }
}

/** The API's own limit on one question. */
const cardsPerQuestion = 100;
const parallelQuestions = 4;

function headersOf(vendor: Vendor): Record<string, string> {
  return { Authorization: basicAuthorization(vendor), Accept: "application/json" };
}

/**
 * Reads from the API.
 *
 * @param path below the API set
 * @param deadline by the clock of `performance.now()`
 * @throws UnexpectedAnswer for any other answer than 200; NoAnswer where there is none
 */
export async function readFromApi(
  api: string,
  vendor: Vendor,
  path: string,
  deadline: number,
  signal: AbortSignal,
): Promise<unknown> {
  const url = `${api}/${encodeURIComponent(vendor.apiSet)}/${path}`;
  const response = await patientFetch(url, { headers: headersOf(vendor) }, deadline, signal);
  const text = await textOf(response, signal);
  if (response.status !== 200) throw new UnexpectedAnswer(api, response, text);
  return JSON.parse(text);
}

/**
 * Submits cards; the good ones are taken whatever is wrong with others.
 *
 * @param cards JSON text of each card
 * @param deadline by the clock of `performance.now()`
 * @returns one entry a card
 * @throws UnexpectedAnswer for any other answer than 207; NoAnswer where there is none
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
  const response = await patientFetch(url, init, deadline, signal);
  const text = await textOf(response, signal);
  if (response.status !== 207) throw new UnexpectedAnswer(api, response, text);
  return JSON.parse(text) as SubmissionEntry[];
}

/**
 * Asks what became of cards.
 *
 * @param externalIds at most 100
 * @param deadline by the clock of `performance.now()`; 0 for asking once
 * @returns one a card, in order
 * @throws UnexpectedAnswer for any other answer than 200; NoAnswer where there is none
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

/**
 * Asks about any number of cards, in as many questions as that takes.
 *
 * @param ask is given as many ExternalIDs as one question may have
 * @returns the answers, in the order of the cards
 */
export function inQuestions<Answer>(
  externalIds: readonly string[],
  ask: (asked: readonly string[]) => Promise<Answer>,
): Promise<Answer[]> {
  return pMap(chunks(externalIds, cardsPerQuestion), ask, { concurrency: parallelQuestions });
}
