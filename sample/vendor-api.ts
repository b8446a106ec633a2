import { patientFetch } from "./patient-fetch.ts";

/** A vendor account. */
export interface Vendor {
  readonly username: string;
  readonly password: string;
  readonly apiSet: string;
}

/** One entry of the answer to a submission with lenient handling. */
export interface SubmissionEntry {
  readonly index: number;
  readonly externalId?: string;
  readonly status: 201 | 422;
  /** As it will be delivered. */
  readonly card?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly code: string }[];
}

/** An answer other than the one that was asked for. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
}

/** The most cards that may be asked for at a time. */
export const mostCardsAsked = 100;

function headersOf({ username, password }: Vendor): Record<string, string> {
  const credentials = Buffer.from(`${username}:${password}`).toString("base64");
  return { Authorization: `Basic ${credentials}`, Accept: "application/json" };
}

const exchangeOf = (api: string, vendor: Vendor) =>
  `${api}/${encodeURIComponent(vendor.apiSet)}/ScorecardExchange`;

/**
 * Submits cards, the good ones of which are to be taken.
 *
 * @param deadline by the clock of `performance.now()`
 * @returns one entry a card
 * @throws UnexpectedAnswer for any other answer than 207; the connection's error where there is none
 */
export async function submitCards(
  api: string,
  vendor: Vendor,
  cards: readonly unknown[],
  deadline: number,
  signal: AbortSignal,
): Promise<SubmissionEntry[]> {
  const headers = { ...headersOf(vendor), "Content-Type": "application/json", Prefer: "handling=lenient" };
  const init = { method: "POST", headers, body: JSON.stringify(cards) };
  const response = await patientFetch(exchangeOf(api, vendor), init, deadline, signal);
  const text = await response.text();
  if (response.status !== 207) throw new UnexpectedAnswer(`HTTP ${response.status}`);
  return JSON.parse(text) as SubmissionEntry[];
}

/**
 * Asks what became of cards.
 *
 * @param externalIds at most `mostCardsAsked`
 * @returns state by ExternalID
 * @throws UnexpectedAnswer for any other answer than 200; the connection's error where there is none
 */
export async function statesOfCards(
  api: string,
  vendor: Vendor,
  externalIds: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const query = new URLSearchParams();
  for (const externalId of externalIds) query.append("ExternalID", externalId);
  const url = `${exchangeOf(api, vendor)}?${query}`;
  // Not tried again here: whoever asks comes back anyway.
  const response = await patientFetch(url, { headers: headersOf(vendor) }, 0, signal);
  const text = await response.text();
  if (response.status !== 200) throw new UnexpectedAnswer(`HTTP ${response.status}`);
  const { cards } = JSON.parse(text) as { cards: { externalId: string; state: string }[] };
  return new Map(cards.map(({ externalId, state }) => [externalId, state]));
}
