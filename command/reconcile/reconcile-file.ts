import { inBatches } from "@scorecard-pipeline/card-files/card-batches";
import type { FileCard } from "@scorecard-pipeline/card-files/card-fault";
import { namedCards } from "@scorecard-pipeline/card-files/named-cards";
import {
  ApiError,
  type CardStatus,
  type DaysQuery,
  inParallel,
  type ScorecardsClient,
  type Validation,
} from "@scorecard-pipeline/scorecards-client";
import { pointerStep } from "../../core/formats/json-pointer.ts";
import type { CardFile } from "../submit/card-file.ts";
import { belongsHere, type Discrepancy, type DiscrepancyKind, kindOf, toDoAbout } from "./discrepancy.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/**
 * Compares two cards as they are delivered. A figure is the same as a number and as a text.
 *
 * @returns JSON pointers to the fields that differ, or that one of them lacks
 */
function differingFields(one: unknown, other: unknown, pointer = ""): string[] {
  if (!isObject(one) || !isObject(other)) return String(one) === String(other) ? [] : [pointer];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    differingFields(one[name], other[name], `${pointer}/${pointerStep(name)}`),
  );
}

/** Numbers of cards so far. */
export type ReconcileCounts = Readonly<Record<DiscrepancyKind, number>> & {
  /** Cards of the file. */
  readonly cards: number;
  /** Cards that are delivered alike from the file and from the pipeline. */
  readonly same: number;
  /** The same cards, counted by their state at the pipeline. */
  readonly sameByState: Readonly<Record<string, number>>;
};

/** The file and the API to compare, with callbacks for results and progress. */
interface ReconcileOptions {
  readonly client: Pick<ScorecardsClient, "validate" | "statuses" | "card" | "cardsOfDays">;
  readonly file: CardFile;
  /** The days whose cards the file has completely; without them only the file's cards are compared. */
  readonly days: (DaysQuery & { readonly from: string }) | undefined;
  readonly onFound: (found: Discrepancy) => void;
  readonly onProgress: (counts: ReconcileCounts) => void;
  readonly signal: AbortSignal;
}

const parallelBatches = 4;
/** Cards of a batch that are read at the same time. */
const parallelCards = 4;

/** A card that is not in order, without the advice. */
type Found = Omit<Discrepancy, "toDo">;

/**
 * Compares the cards of a file with those that the pipeline has.
 *
 * Cards are read in batches, and only their ExternalIDs are kept, so their number does not matter.
 *
 * @throws Error if the file cannot be read to its end; ApiError, NoResponseError or the signal's reason
 */
export async function reconcileFile(options: ReconcileOptions): Promise<ReconcileCounts> {
  const { client, file, days, onFound, onProgress, signal } = options;
  const sameByState: Record<string, number> = {};
  const counts = { cards: 0, same: 0, missingThere: 0, missingHere: 0, differs: 0, refused: 0, erased: 0 };
  const countsSoFar = () => ({ ...counts, sameByState: { ...sameByState } });
  const seen = new Map<string, number>();

  function report(found: Found) {
    counts[found.kind] += 1;
    onFound({ ...found, toDo: toDoAbout(found.kind, found.state) });
  }

  /** The cards that Validate can judge; the others are reported. */
  async function* judgeable(): AsyncGenerator<FileCard> {
    for await (const card of namedCards(file.cards, seen)) {
      counts.cards += 1;
      const { number, externalId, fault } = card;
      if (fault === undefined) yield card;
      else {
        const errors = [{ code: fault.code, ...(fault.pointer && { pointer: fault.pointer }) }];
        report({ kind: "refused", card: number, externalId, state: "unknown", errors });
      }
    }
  }

  async function compare(cards: readonly FileCard[]): Promise<void> {
    for (const result of await compareCards(client, cards, signal)) {
      if ("kind" in result) report(result);
      else {
        counts.same += 1;
        sameByState[result.sameIn] = (sameByState[result.sameIn] ?? 0) + 1;
      }
    }
  }

  for await (const _ of inParallel(inBatches(judgeable()), parallelBatches, compare)) {
    onProgress(countsSoFar());
  }
  if (days === undefined) return countsSoFar();
  for await (const status of client.cardsOfDays(days, { signal })) {
    const { externalId, state } = status;
    if (!seen.has(externalId) && belongsHere(status)) {
      report({ kind: "missingHere", externalId, state });
    }
  }
  return countsSoFar();
}

/** Compares some cards, in the order of the file: each is not in order, or delivered alike from both in a state. */
async function compareCards(
  client: ReconcileOptions["client"],
  cards: readonly FileCard[],
  signal: AbortSignal,
): Promise<readonly (Found | { readonly sameIn: CardStatus["state"] })[]> {
  const texts = cards.map(({ json = "null" }) => json);
  const { cards: entries } = await client.validate(texts, { signal });
  const externalIds = entries.flatMap(({ externalId }) => externalId ?? []);
  const statuses = await client.statuses(externalIds, { signal });
  const byName = new Map(statuses.map((status) => [status.externalId, status]));
  const results: (Found | { readonly sameIn: CardStatus["state"] })[] = [];
  const compareOne = async (entry: Validation["cards"][number]): Promise<void> => {
    const { externalId, index } = entry;
    const unknown: Pick<CardStatus, "state" | "contentHash"> = { state: "unknown" };
    const status = byName.get(externalId ?? "") ?? unknown;
    const kind = kindOf(entry, status);
    const isRead = kind === "differs" && entry.status === 201;
    const fields = isRead ? await fieldsThatDiffer(client, entry, signal) : undefined;
    const { state } = status;
    if (kind === undefined || fields?.length === 0) {
      results[index] = { sameIn: state };
      return;
    }
    const number = cards[index]?.number;
    const errors = entry.status === 422 && entry.errors.map(({ code, pointer }) => ({ code, pointer }));
    results[index] = {
      kind,
      externalId,
      state,
      ...(number !== undefined && { card: number }),
      ...(fields && { fields }),
      ...(errors && { errors }),
    };
  };
  for await (const _ of inParallel(entries, parallelCards, compareOne));
  return results;
}

/**
 * A vendor may send cards without totals and keep them as the API returned them, with totals. So cards with different
 * fields are compared in the form in which they are delivered: Validate says so, and only those that differ then are read.
 */
async function fieldsThatDiffer(
  client: ReconcileOptions["client"],
  { externalId, card, corrects }: Extract<Validation["cards"][number], { readonly status: 201 }>,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  if (corrects?.changed.length === 0) return [];
  try {
    return differingFields(card, (await client.card(externalId, { signal })).card);
  } catch (error) {
    // The card was erased after its state was read.
    if (error instanceof ApiError && error.status === 410) return undefined;
    throw error;
  }
}
