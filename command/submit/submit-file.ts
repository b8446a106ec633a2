import pMap, { pMapSkip } from "p-map";
import {
  type CardFinding,
  type SubmissionEntry,
  submitCards,
  UnexpectedAnswer,
} from "../../client/vendor-api.ts";
import type { VendorAccess } from "../vendor-access.ts";
import type { CardFile, FileCard } from "./card-file.ts";
import type { Journal } from "./journal.ts";
import { submissionsOf } from "./submissions.ts";

/** A card that was not taken. */
export interface RefusedCard {
  /** 1 for the first card of the file. */
  readonly card: number;
  readonly externalId: string | undefined;
  readonly errors: readonly CardFinding[];
}

/** Cards so far, and in the end. */
export interface SubmitCounts {
  readonly accepted: number;
  /** By an earlier run; not sent this time. */
  readonly acceptedBefore: number;
  readonly refused: number;
  readonly warnings: number;
}

/** What submitting a file takes. */
export interface SubmitFileOptions {
  readonly access: VendorAccess;
  readonly file: CardFile;
  readonly journal: Journal;
  /** Submissions under way at the same time. */
  readonly parallel: number;
  /** How long an API that is busy or away is tried, per submission. */
  readonly patienceSeconds: number;
  readonly onRefused: (refused: RefusedCard) => void;
  readonly onProgress: (counts: SubmitCounts) => void;
  readonly signal: AbortSignal;
}

/** A card on its way. */
interface OutgoingCard {
  readonly number: number;
  readonly json: string;
  readonly externalId: string | undefined;
}

/**
 * Submits the cards of a file, several submissions at a time.
 *
 * Good cards are taken whatever is wrong with others. What is accepted is noted before the next card is sent, so that
 * a run that ends early can be begun again.
 *
 * @returns the counts, and why it ended early where it did
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

  /** What cannot be read ends the file: the cards before it are sent. */
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
    const taken: { externalId: string; json: string }[] = [];
    for (const [index, card] of cards.entries()) {
      const answer = entries[index];
      if (answer?.status !== 201) {
        refuse(card, answer?.errors ?? []);
        continue;
      }
      counts.accepted += 1;
      counts.warnings += answer.warnings?.length ?? 0;
      if (card.externalId !== undefined) taken.push({ externalId: card.externalId, json: card.json });
    }
    await journal.add(taken);
    onProgress({ ...counts });
  }

  /** Undefined where the submission has to be cut in two. */
  async function entriesFor(cards: readonly OutgoingCard[]): Promise<SubmissionEntry[] | undefined> {
    const { api, vendor } = access;
    const texts = cards.map(({ json }) => json);
    const deadline = performance.now() + options.patienceSeconds * 1000;
    try {
      return await submitCards(api, vendor, texts, deadline, signal);
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer) || error.status !== 413) throw error;
      return cards.length > 1 ? undefined : [{ index: 0, status: 422, errors: [tooLarge] }];
    }
  }

  await pMap(
    submissionsOf(unsent()),
    async (cards) => {
      // What is under way is waited for, since its cards may be taken.
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
  detail: "The card by itself is larger than a submission may be.",
};
