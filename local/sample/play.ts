import { setTimeout as delay } from "node:timers/promises";
import {
  CardState,
  type CardStatus,
  createClient,
  type ScorecardsClient,
  type SubmissionEntry,
} from "@scorecard-pipeline/scorecards-client";
import pMap from "p-map";
import type { ProgressState } from "../progress-display.ts";
import type { Expectation, SampleSubmission } from "./tournament.ts";

/** Progress of a sample. */
export interface PlayProgress {
  /** Cards whose submission was answered. */
  readonly submitted: number;
  readonly accepted: number;
  readonly refused: number;
  readonly delivered: number;
  readonly total: number;
}

interface Vendor {
  readonly username: string;
  readonly password: string;
  readonly apiSet: string;
}

/** Options of {@link play}. */
interface PlayOptions {
  /** Base address of the API with its stage, such as http://127.0.0.1:3000/test. */
  readonly api: string;
  /** In the order of the numbers in the submissions. */
  readonly vendors: readonly Vendor[];
  readonly submissions: readonly SampleSubmission[];
  readonly onProgress?: (progress: PlayProgress) => void;
  /** How long to retry if the API is busy or unreachable. */
  readonly submissionDeadlineMilliseconds?: number;
  /** Longest time to wait for deliveries after everything is submitted; by default three minutes. */
  readonly deliveryDeadlineMilliseconds?: number;
  /** Ends `play` early, which then rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Results of a sample. */
export interface PlayResult {
  readonly total: number;
  readonly submitted: number;
  readonly accepted: number;
  /** Cards by the code of the refusal. */
  readonly refused: Readonly<Record<string, number>>;
  readonly delivered: number;
  /** Delivered cards by the code of the warning that they were to get, and got. */
  readonly warned: Readonly<Record<string, number>>;
  /** Cards that did not end as expected. */
  readonly unexpected: readonly UnexpectedOutcome[];
  /** Cards as the API echoed them. */
  readonly acceptedCards: readonly AcceptedCard[];
  /** A repeated ExternalID is here for its later card, and among the accepted cards for its first. */
  readonly refusedExternalIds: readonly string[];
  readonly milliseconds: number;
}

/** A card with an unexpected outcome. Outcomes are texts such as `delivered` or `refused: tee_unknown`. */
interface UnexpectedOutcome {
  readonly externalId: string;
  readonly expected: string;
  readonly got: string;
}

/** A card that the API accepted, as it echoed it. */
export interface AcceptedCard {
  readonly apiSet: string;
  /** Last known state; undefined if none is known. */
  readonly state: CardStatus["state"] | undefined;
  readonly card: Readonly<Record<string, unknown>>;
}

/** The response to a card. */
interface Answered {
  readonly client: ScorecardsClient;
  readonly externalId: string;
  readonly expected: Expectation;
  readonly entry: SubmissionEntry | undefined;
  /** Why there is no entry. */
  readonly instead: string;
}

const parallelSubmissions = 4;
/** The union is asked for players after the deliveries, for a few seconds. */
const maxWaitForWarnings = 10_000;
/** Short, so that progress is shown steadily. */
const maxPauseSeconds = 0.25;

/**
 * Submits a sample to an API as its vendors would, and waits until every accepted card is settled.
 *
 * Errors of the API are not thrown: the cards that they affect are in `unexpected`.
 *
 * @throws the reason of the signal; RangeError if a submission's vendor is missing
 */
export async function play(options: PlayOptions): Promise<PlayResult> {
  const { api, submissions, onProgress, signal = new AbortController().signal } = options;
  const started = performance.now();
  const total = submissions.reduce((sum, { cards }) => sum + cards.length, 0);
  const counts = { submitted: 0, accepted: 0, refused: 0, delivered: 0, total };
  const report = (change: Partial<PlayProgress>) => {
    Object.assign(counts, change);
    onProgress?.({ ...counts });
  };

  const retrySeconds = (options.submissionDeadlineMilliseconds ?? 120_000) / 1_000;
  const clients = options.vendors.map((vendor) => createClient({ api, ...vendor, retrySeconds }));
  const answered = await pMap(
    submissions,
    async ({ vendor: number, cards }) => {
      const answers = await submit(chooseClient(clients, number), cards, signal);
      const accepted = answers.filter(isAccepted).length;
      const refused = answers.filter(({ entry }) => entry?.status === 422).length;
      report({
        submitted: counts.submitted + accepted + refused,
        accepted: counts.accepted + accepted,
        refused: counts.refused + refused,
      });
      return answers;
    },
    { concurrency: parallelSubmissions },
  );
  const answers = answered.flat();

  const end = performance.now() + (options.deliveryDeadlineMilliseconds ?? 180_000);
  const onDelivered = () => report({ delivered: counts.delivered + 1 });
  const states = await follow(answers.filter(isAccepted), end, onDelivered, signal);
  const delivered = answers.filter((answer) => states.get(answer) === CardState.delivered);
  const warned = await warnings(delivered, performance.now() + maxWaitForWarnings, signal);
  return { ...counts, ...outcome(answers, states), warned, milliseconds: performance.now() - started };
}

const isAccepted = ({ entry }: Answered) => entry?.status === 201;

function chooseClient(clients: readonly ScorecardsClient[], vendor: number): ScorecardsClient {
  const client = clients[vendor];
  if (client === undefined) throw new RangeError(`The sample needs a vendor number ${vendor}.`);
  return client;
}

async function submit(
  client: ScorecardsClient,
  cards: SampleSubmission["cards"],
  signal: AbortSignal,
): Promise<Answered[]> {
  let entries: readonly (SubmissionEntry | undefined)[] = [];
  let instead = "not in the answer";
  try {
    entries = await client.submit(
      cards.map(({ card }) => JSON.stringify(card)),
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    instead = error instanceof Error ? error.message : String(error);
  }
  return cards.map(({ card, expected }, index) => {
    return { client, externalId: card.ExternalID, expected, entry: entries[index], instead };
  });
}

/** The last known state of each accepted card; a card without a known state is missing. */
async function follow(
  answers: readonly Answered[],
  deadline: number,
  onDelivered: () => void,
  signal: AbortSignal,
): Promise<Map<Answered, CardStatus["state"]>> {
  const states = new Map<Answered, CardStatus["state"]>();
  const byClient = [...Map.groupBy(answers, ({ client }) => client)];
  const timeoutSeconds = (deadline - performance.now()) / 1_000;
  await pMap(byClient, async ([client, ofClient]) => {
    const byName = Map.groupBy(ofClient, ({ externalId }) => externalId);
    const options = { timeoutSeconds, maxPauseSeconds, signal };
    try {
      for await (const { externalId, state } of client.follow(byName.keys(), options)) {
        for (const answer of byName.get(externalId) ?? []) {
          states.set(answer, state);
          if (state === CardState.delivered) onDelivered();
        }
      }
    } catch {
      signal.throwIfAborted();
    }
  });
  return states;
}

/** Waits for the warnings that some delivered cards are to get. @returns how many have got theirs, by code */
async function warnings(delivered: readonly Answered[], deadline: number, signal: AbortSignal) {
  const warned: Record<string, number> = {};
  let open = delivered.filter(({ expected }) => expected.kind === "delivered" && expected.warning);
  for (;;) {
    const found = await pMap(open, async (answer) => {
      const { client, externalId, expected } = answer;
      const [status] = await client.statuses([externalId], { retrySeconds: 0, signal }).catch(() => []);
      const code = status?.warnings?.find(
        ({ code }) => "warning" in expected && code === expected.warning,
      )?.code;
      if (code !== undefined) warned[code] = (warned[code] ?? 0) + 1;
      return code === undefined ? [answer] : [];
    });
    open = found.flat();
    if (open.length === 0 || performance.now() >= deadline) return warned;
    await delay(maxPauseSeconds * 1_000, undefined, { signal });
  }
}

/** Counts and compares, card by card. */
function outcome(answers: readonly Answered[], states: ReadonlyMap<Answered, CardStatus["state"]>) {
  const refused: Record<string, number> = {};
  const unexpected: UnexpectedOutcome[] = [];
  const acceptedCards: AcceptedCard[] = [];
  const refusedExternalIds: string[] = [];
  for (const answer of answers) {
    const { entry, externalId, client } = answer;
    const state = states.get(answer);
    if (entry?.status === 201) acceptedCards.push({ apiSet: client.apiSet, state, card: { ...entry.card } });
    if (entry?.status === 422) {
      refusedExternalIds.push(externalId);
      const code = listCodes(entry)[0] ?? "without a code";
      refused[code] = (refused[code] ?? 0) + 1;
    }
    const expected = inWords(answer.expected);
    const got = gotInWords(answer, state);
    if (got !== expected) unexpected.push({ externalId, expected, got });
  }
  return { refused, unexpected, acceptedCards, refusedExternalIds };
}

const listCodes = (entry: SubmissionEntry) =>
  entry.status === 422 ? [...new Set(entry.errors.map(({ code }) => code))] : [];

function inWords(expected: Expectation): string {
  return expected.kind === "delivered" ? CardState.delivered : `refused: ${expected.code}`;
}

function gotInWords({ entry, instead }: Answered, state: string | undefined): string {
  if (entry === undefined) return instead;
  if (entry.status === 422) return `refused: ${listCodes(entry).join(", ")}`;
  return state ?? "unknown";
}

/** Progress by the share of the cards that were refused or delivered. */
export function playProgressState({
  submitted,
  accepted,
  refused,
  delivered,
  total,
}: PlayProgress): ProgressState {
  const settled = refused + delivered;
  return {
    done: settled,
    total,
    text: `submitted ${submitted}/${total} | refused ${refused} | delivered ${delivered}`,
    line: `Submitted ${submitted} of ${total} cards: ${accepted} accepted, ${refused} refused, ${delivered} delivered`,
    // One step for the first response, ten for submitting, ten for refused and delivered cards.
    step: 1 + Math.floor((10 * submitted) / total) + Math.floor((10 * settled) / total),
  };
}
