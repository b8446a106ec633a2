import pMap, { pMapSkip } from "p-map";
import {
  type CardFinding,
  type SubmissionEntry,
  submitCards,
  UnexpectedResponseError,
} from "../../client/vendor-api.ts";
import { submissionLimits } from "../../core/submission/read-submission.ts";
import type { VendorAccess } from "../vendor-access.ts";
import type { CardFile, FileCard } from "./card-file.ts";
import type { Journal } from "./journal.ts";

/** A card that was not accepted. */
export interface CardRefusal {
  /** 1 for the first card of the file. */
  readonly card: number;
  readonly externalId: string | undefined;
  readonly errors: readonly CardFinding[];
}

/** Numbers of cards so far. */
export interface SubmitCounts {
  readonly accepted: number;
  /** By an earlier run; not sent this time. */
  readonly acceptedBefore: number;
  readonly refused: number;
  readonly warnings: number;
}

/** What {@link submitFile} needs. */
interface SubmitFileOptions {
  readonly access: VendorAccess;
  readonly file: CardFile;
  readonly journal: Journal;
  /** Concurrent submissions. */
  readonly parallel: number;
  /** How long each submission is retried if the API is busy or unreachable. */
  readonly retrySeconds: number;
  readonly onRefused: (refused: CardRefusal) => void;
  readonly onProgress: (counts: SubmitCounts) => void;
  readonly signal: AbortSignal;
}

/** A card to be sent. */
interface OutgoingCard {
  readonly number: number;
  readonly json: string;
  readonly externalId: string | undefined;
}

/**
 * Submits the cards of a file, several submissions at a time.
 *
 * Valid cards are accepted even if others are not. Accepted cards are written to the journal before the next submission,
 * so that a run that ends early can be repeated.
 *
 * @returns the counts, and the error if it ended early
 */
export async function submitFile(
  options: SubmitFileOptions,
): Promise<SubmitCounts & { readonly failure?: unknown }> {
  const { access, file, journal, onRefused, onProgress, signal } = options;
  const counts = { accepted: 0, acceptedBefore: 0, refused: 0, warnings: 0 };
  const seen = new Set<string>();
  let failure: { readonly cause: unknown } | undefined;

  function refuse(card: Pick<OutgoingCard, "number" | "externalId">, errors: readonly CardFinding[]) {
    counts.refused += 1;
    onRefused({ card: card.number, externalId: card.externalId, errors });
  }

  /** Stops at the first card that cannot be read; the cards before it are sent. */
  async function* readable(): AsyncGenerator<FileCard> {
    try {
      yield* file.cards;
    } catch (cause) {
      failure ??= { cause };
    }
  }

  async function* unsent(): AsyncGenerator<OutgoingCard> {
    for await (const { number, json, value } of readable()) {
      if (failure !== undefined || signal.aborted) return;
      const externalId = externalIdOf(value);
      if (json === undefined) refuse({ number, externalId }, [notJson]);
      else if (externalId !== undefined && seen.has(externalId)) refuse({ number, externalId }, [repeated]);
      else if (externalId !== undefined && journal.has(externalId, json)) counts.acceptedBefore += 1;
      else yield { number, json, externalId };
      if (externalId !== undefined) seen.add(externalId);
    }
  }

  async function send(cards: readonly OutgoingCard[]): Promise<void> {
    const entries = await entriesFor(cards);
    if (entries === undefined) {
      const half = Math.ceil(cards.length / 2);
      await send(cards.slice(0, half));
      await send(cards.slice(half));
      return;
    }
    const accepted: { externalId: string; json: string }[] = [];
    for (const [index, card] of cards.entries()) {
      const answer = entries[index];
      if (answer?.status !== 201) {
        refuse(card, answer?.errors ?? []);
        continue;
      }
      counts.accepted += 1;
      counts.warnings += answer.warnings?.length ?? 0;
      if (card.externalId !== undefined) accepted.push({ externalId: card.externalId, json: card.json });
    }
    await journal.add(accepted);
    onProgress({ ...counts });
  }

  /** Undefined if the submission is too large and has to be split. */
  async function entriesFor(cards: readonly OutgoingCard[]): Promise<SubmissionEntry[] | undefined> {
    const { api, vendor } = access;
    const texts = cards.map(({ json }) => json);
    const deadline = performance.now() + options.retrySeconds * 1000;
    try {
      return await submitCards(api, vendor, texts, deadline, signal);
    } catch (error) {
      if (!(error instanceof UnexpectedResponseError) || error.status !== 413) throw error;
      return cards.length > 1 ? undefined : [{ index: 0, status: 422, errors: [tooLarge] }];
    }
  }

  await pMap(
    submissionsOf(unsent()),
    async (cards) => {
      // Submissions that have started are waited for, because the API may accept their cards.
      await send(cards).catch((cause: unknown) => {
        failure ??= { cause };
      });
      return pMapSkip;
    },
    { concurrency: options.parallel },
  );
  if (signal.aborted) failure = { cause: signal.reason };
  onProgress({ ...counts });
  return { ...counts, ...(failure !== undefined && { failure: failure.cause }) };
}

function externalIdOf(card: unknown): string | undefined {
  const { ExternalID } = (typeof card === "object" && card !== null ? card : {}) as { ExternalID?: unknown };
  return typeof ExternalID === "string" ? ExternalID : undefined;
}

const notJson: CardFinding = {
  code: "not_json",
  detail: "This line is not JSON. Write one scorecard a line.",
};
const repeated: CardFinding = {
  code: "duplicate_external_id",
  pointer: "/ExternalID",
  detail: "An earlier card of this file has the same ExternalID. Give each card its own.",
};
const tooLarge: CardFinding = {
  code: "too_large",
  detail: "This card alone exceeds the size limit of a submission. Make it smaller.",
};

/** A card for a submission. */
interface CardText {
  /** JSON text of the card. */
  readonly json: string;
}

/**
 * Groups cards into submissions of the largest size that the API accepts: 1,000 cards and 5 MiB. A card that is too
 * large becomes a submission of its own, which the API refuses.
 */
export async function* submissionsOf<Card extends CardText>(
  cards: AsyncIterable<Card>,
  limits: { readonly cards: number; readonly bytes: number } = submissionLimits,
): AsyncGenerator<Card[]> {
  let submission: Card[] = [];
  // The brackets of the array.
  let bytes = 2;
  for await (const card of cards) {
    const more = Buffer.byteLength(card.json) + 1;
    if (submission.length > 0 && (submission.length === limits.cards || bytes + more > limits.bytes)) {
      yield submission;
      submission = [];
      bytes = 2;
    }
    submission.push(card);
    bytes += more;
  }
  if (submission.length > 0) yield submission;
}
