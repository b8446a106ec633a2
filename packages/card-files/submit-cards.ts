import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import type { CardFault, CardFindings } from "./card-fault.ts";
import type { Journal } from "./journal.ts";
import type { NamedCard } from "./named-cards.ts";

/** Numbers of cards so far. */
export interface SubmitCounts {
  readonly accepted: number;
  /** By an earlier run; not sent this time. */
  readonly acceptedBefore: number;
  readonly refused: number;
  readonly warnings: number;
}

/** The cards to submit, the client and the journal, with callbacks for refusals and progress. */
interface SubmitCardsOptions {
  readonly client: Pick<ScorecardsClient, "submitInParts">;
  readonly cards: AsyncIterable<NamedCard> | Iterable<NamedCard>;
  readonly journal: Journal;
  /** Concurrent submissions. */
  readonly parallel: number;
  /** Correct delivered cards of another player and round, too. */
  readonly anyCorrection?: boolean;
  /** How long each submission is retried if the API is busy or unreachable. */
  readonly retrySeconds: number;
  /** Called with each card that was refused or accepted with warnings. */
  readonly onFound: (found: CardFindings) => void;
  readonly onProgress: (counts: SubmitCounts) => void;
  /** Once aborted, no further submission begins; the answers of those under way are waited for. */
  readonly signal: AbortSignal;
}

/** How long an interrupted run waits for answers: a little longer than one request may take. */
const lastAnswersMilliseconds = 35_000;

/** A card that is sent and not answered yet. */
interface OutgoingCard {
  readonly number: number;
  readonly json: string;
  readonly externalId: string | undefined;
}

/**
 * Submits cards, several submissions at a time.
 *
 * Valid cards are accepted even if others are not. Accepted cards are written to the journal as soon as they are answered,
 * so that a run that ends early can be repeated. The API may have accepted what an interrupted run has sent, so its answers
 * are counted, too.
 *
 * @returns the counts, and the error if it ended early
 */
export async function submitCards(
  options: SubmitCardsOptions,
): Promise<SubmitCounts & { readonly failure?: unknown }> {
  const { client, cards, journal, parallel, retrySeconds, onFound, onProgress, signal } = options;
  const { anyCorrection = false } = options;
  const giveUp = new AbortController();
  let lastAnswers: ReturnType<typeof setTimeout> | undefined;
  const waitForLastAnswers = () => {
    lastAnswers = setTimeout(() => giveUp.abort(signal.reason), lastAnswersMilliseconds);
  };
  signal.addEventListener("abort", waitForLastAnswers, { once: true });
  const counts = { accepted: 0, acceptedBefore: 0, refused: 0, warnings: 0 };
  /** Cards by their index among those that are sent. */
  const outgoing = new Map<number, OutgoingCard>();
  let failure: { readonly cause: unknown } | undefined;

  function refuse({ number, externalId }: Omit<OutgoingCard, "json">, errors: readonly CardFault[]) {
    counts.refused += 1;
    onFound({ card: number, externalId, errors });
  }

  /** Stops at the first card that cannot be read; the cards before it are sent. */
  async function* readable(): AsyncGenerator<NamedCard> {
    try {
      yield* cards;
    } catch (cause) {
      failure ??= { cause };
    }
  }

  async function* unsent(): AsyncGenerator<string> {
    let index = 0;
    for await (const { number, json = "", externalId, fault } of readable()) {
      // Thrown, because cards that were read and not sent yet would be sent at a mere end.
      signal.throwIfAborted();
      if (fault !== undefined) refuse({ number, externalId }, [fault]);
      else if (externalId !== undefined && (await journal.has(externalId, json))) counts.acceptedBefore += 1;
      else {
        outgoing.set(index, { number, json, externalId });
        index += 1;
        yield json;
      }
    }
  }

  try {
    for await (const entries of client.submitInParts(unsent(), {
      parallel,
      retrySeconds,
      anyCorrection,
      signal: giveUp.signal,
    })) {
      const accepted: { externalId: string; json: string }[] = [];
      for (const entry of entries) {
        const card = outgoing.get(entry.index);
        outgoing.delete(entry.index);
        if (card === undefined) continue;
        if (entry.status === 422) {
          refuse(card, entry.errors);
          continue;
        }
        counts.accepted += 1;
        counts.warnings += entry.warnings.length;
        if (entry.warnings.length > 0) {
          onFound({ card: card.number, externalId: card.externalId, warnings: entry.warnings });
        }
        if (card.externalId !== undefined) accepted.push({ externalId: card.externalId, json: card.json });
      }
      await journal.add(accepted);
      onProgress({ ...counts });
    }
  } catch (cause) {
    failure ??= { cause };
  } finally {
    signal.removeEventListener("abort", waitForLastAnswers);
    clearTimeout(lastAnswers);
  }
  if (signal.aborted) failure = { cause: signal.reason };
  onProgress({ ...counts });
  return { ...counts, ...(failure !== undefined && { failure: failure.cause }) };
}
