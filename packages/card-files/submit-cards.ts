import type { ScorecardsClient, SubmissionEntry } from "@scorecard-pipeline/scorecards-client";
import type { CardFindings } from "./card-fault.ts";
import type { NamedCard } from "./named-cards.ts";
import type { SendingOptions } from "./preview-cards.ts";

/** Numbers of cards so far. */
export interface SubmitCounts {
  readonly accepted: number;
  /** By an earlier run; not sent this time. */
  readonly acceptedBefore: number;
  readonly refused: number;
  readonly warnings: number;
}

/** A card that was accepted, as it was sent. */
interface SentCard {
  readonly externalId: string;
  readonly json: string;
}

/** The cards to submit and the client, with callbacks. */
interface SubmitCardsOptions extends SendingOptions {
  readonly client: Pick<ScorecardsClient, "submitInParts">;
  /** Whether an earlier run has had a card accepted with this content. */
  readonly isAccepted?: (card: SentCard) => boolean;
  /** Called, and waited for, as soon as cards are accepted, so that a run that ends early can be repeated. */
  readonly onAccepted: (cards: readonly SentCard[]) => Promise<void> | void;
  /** Called with each card that was refused or accepted with warnings. */
  readonly onFound: (found: CardFindings) => void;
  readonly onProgress: (counts: SubmitCounts) => void;
  /** Once aborted, no further submission begins; the answers of those under way are waited for. */
  readonly signal: AbortSignal;
}

/** How long an interrupted run waits for answers: a little longer than one request may take. */
const lastAnswersMilliseconds = 35_000;

/** A card that is sent and not answered yet. */
type OutgoingCard = Pick<NamedCard, "number" | "externalId"> & { readonly json: string };

/** What a run has come to so far. */
interface SubmitRun {
  readonly counts: { -readonly [Count in keyof SubmitCounts]: number };
  /** Cards by their index among those that are sent. */
  readonly outgoing: Map<number, OutgoingCard>;
  failure: { readonly cause: unknown } | undefined;
}

/**
 * Submits cards, several submissions at a time. Valid cards are accepted even if others are not. The API may have accepted what an interrupted
 * run has sent, so its answers are counted, too.
 *
 * @returns the counts, and the error if it ended early
 */
export async function submitCards(
  options: SubmitCardsOptions,
): Promise<SubmitCounts & { readonly failure?: unknown }> {
  const { client, parallel, retrySeconds, anyCorrection = false, onAccepted, onProgress, signal } = options;
  const run: SubmitRun = {
    counts: { accepted: 0, acceptedBefore: 0, refused: 0, warnings: 0 },
    outgoing: new Map(),
    failure: undefined,
  };
  const giveUp = new AbortController();
  let lastAnswers: ReturnType<typeof setTimeout> | undefined;
  const waitForLastAnswers = () => {
    lastAnswers = setTimeout(() => giveUp.abort(signal.reason), lastAnswersMilliseconds);
  };
  signal.addEventListener("abort", waitForLastAnswers, { once: true });
  const form = { parallel, retrySeconds, anyCorrection, signal: giveUp.signal };
  try {
    for await (const entries of client.submitInParts(takeUnsent(options, run), form)) {
      await onAccepted(countAnswers(entries, options, run));
      onProgress({ ...run.counts });
    }
  } catch (cause) {
    run.failure ??= { cause };
  } finally {
    signal.removeEventListener("abort", waitForLastAnswers);
    clearTimeout(lastAnswers);
  }
  if (signal.aborted) run.failure = { cause: signal.reason };
  onProgress({ ...run.counts });
  return { ...run.counts, ...(run.failure !== undefined && { failure: run.failure.cause }) };
}

/** The cards that are to be sent. It stops at the first that cannot be read; the cards before it are sent. */
async function* takeUnsent(
  { cards, isAccepted, onFound, signal }: SubmitCardsOptions,
  run: SubmitRun,
): AsyncGenerator<string> {
  let index = 0;
  try {
    for await (const { number, json = "", externalId, fault } of cards) {
      // Thrown, because cards that were read and not sent yet would be sent at a mere end.
      signal.throwIfAborted();
      if (fault !== undefined) {
        run.counts.refused += 1;
        onFound({ card: number, externalId, errors: [fault] });
      } else if (externalId !== undefined && isAccepted?.({ externalId, json }))
        run.counts.acceptedBefore += 1;
      else {
        run.outgoing.set(index, { number, json, externalId });
        index += 1;
        yield json;
      }
    }
  } catch (cause) {
    if (signal.aborted) throw cause;
    run.failure ??= { cause };
  }
}

/** Counts what was answered. @returns the cards that were accepted */
function countAnswers(
  entries: readonly SubmissionEntry[],
  { onFound }: SubmitCardsOptions,
  { counts, outgoing }: SubmitRun,
): SentCard[] {
  return entries.flatMap((entry) => {
    const sent = outgoing.get(entry.index);
    outgoing.delete(entry.index);
    if (sent === undefined) return [];
    const { number, externalId, json } = sent;
    const card = { card: number, externalId };
    if (entry.status === 422) {
      counts.refused += 1;
      onFound({ ...card, errors: entry.errors });
      return [];
    }
    counts.accepted += 1;
    counts.warnings += entry.warnings.length;
    if (entry.warnings.length > 0) onFound({ ...card, warnings: entry.warnings });
    return externalId === undefined ? [] : [{ externalId, json }];
  });
}
