import type { DeliveryFailure } from "./card.ts";
import type { ArrayResponse, Outage } from "./classify-response.ts";

/** Part of an array: from one index up to, but without, another. */
export type IndexRange = readonly [from: number, to: number];

/** What a run has learned about one card. */
export type CardResult =
  | { readonly kind: "delivered" }
  /** The exchange answered 2xx, but its echo does not contain the card. */
  | { readonly kind: "notEchoed" }
  /** `maybePosted`: an array with this card got 500 before, and the exchange may have taken the card then. */
  | { readonly kind: "rejected"; readonly failure: DeliveryFailure; readonly maybePosted: boolean }
  /** The exchange answered the card alone with 500. */
  | { readonly kind: "serverError"; readonly failure: DeliveryFailure }
  | { readonly kind: "outage"; readonly failure: DeliveryFailure; readonly maybePosted: boolean }
  /** The card was not posted again after an array with it got 500. */
  | { readonly kind: "maybePosted" };

/** The key of a range's response. */
export const rangeKey = ([from, to]: IndexRange): string => `${from}-${to}`;

/** The state of an array's posts. */
export interface Bisection {
  /** Results so far, by index. */
  readonly results: ReadonlyMap<number, CardResult>;
  /** Indexes without a result that were in an array which got 500. */
  readonly maybePosted: ReadonlySet<number>;
  /** What to post next; undefined if all is done, or there is an outage. */
  readonly next?: IndexRange;
  readonly outage?: Outage;
}

/**
 * Derives the results of an array's cards from the responses so far, and what to post next.
 *
 * A refused array is halved until the refused card is found. One that gets 500 is halved, too; if both halves get 500 and no
 * other part went through, that is an outage.
 *
 * @param ids ExternalIDs of the array's cards
 * @param responses to the posts so far, by `rangeKey`
 */
export function bisect(ids: readonly string[], responses: ReadonlyMap<string, ArrayResponse>): Bisection {
  const results = new Map<number, CardResult>();
  const maybePosted = new Set<number>();
  /** Once a part went through or was refused, 500 means a bad card. */
  const works = [...responses.values()].some(({ kind }) => kind === "echoed" || kind === "refused");
  let next: IndexRange | undefined;
  let outage: Outage | undefined;

  const settle = ([from, to]: IndexRange, resultOf: (id: string) => CardResult) => {
    for (let index = from; index < to; index++) {
      results.set(index, resultOf(ids[index] ?? ""));
      maybePosted.delete(index);
    }
  };

  function walk(range: IndexRange, wasServerError: boolean): void {
    const response = responses.get(rangeKey(range));
    if (response === undefined) {
      next ??= range;
      return;
    }
    const [from, to] = range;
    const middle = Math.ceil((from + to) / 2);
    const halves: readonly IndexRange[] =
      to - from === 1
        ? []
        : [
            [from, middle],
            [middle, to],
          ];
    if (response.kind === "echoed") {
      settle(range, (id) => ({ kind: response.ids.has(id) ? "delivered" : "notEchoed" }));
    } else if (response.kind === "outage") {
      outage = response;
      settle(range, () => ({ ...response, maybePosted: wasServerError }));
    } else if (halves.length === 0) {
      const { kind, failure } = response;
      const rejected = { kind: "rejected", failure, maybePosted: wasServerError } as const;
      settle(range, () => (kind === "refused" ? rejected : response));
    } else if (response.kind === "refused") {
      for (const half of halves) walk(half, wasServerError);
    } else {
      const answers = halves.map((half) => responses.get(rangeKey(half)));
      if (!works && answers.every((answer) => answer?.kind === "serverError")) {
        const { failure } = response;
        outage = { failure };
        settle(range, () => ({ kind: "outage", failure, maybePosted: true }));
        return;
      }
      for (let index = from; index < to; index++) maybePosted.add(index);
      // Both halves are posted before either is bisected: only then is it known whether this is an outage.
      const missing = answers.indexOf(undefined);
      next ??= halves[missing];
      for (const [n, half] of halves.entries()) {
        if (missing === -1 || answers[n]?.kind !== "serverError") walk(half, true);
      }
    }
  }
  walk([0, ids.length], false);
  if (outage !== undefined) return { results, maybePosted, outage };
  return { results, maybePosted, ...(next !== undefined && { next }) };
}
