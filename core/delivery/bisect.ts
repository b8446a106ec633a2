import type { DeliveryFailure } from "./card.ts";
import type { Outage, Response } from "./classify-response.ts";

/** Part of an array: from one index up to, and without, another. */
export type Range = readonly [from: number, to: number];

/** What became of one card in one run. */
export type CardResult =
  | { readonly kind: "delivered" }
  /** The exchange answered 2xx, but its echo does not hold the card. */
  | { readonly kind: "notEchoed" }
  /** `maybePosted`: an array with this card was answered with 500 before, and the exchange may have taken the card then. */
  | { readonly kind: "rejected"; readonly failure: DeliveryFailure; readonly maybePosted: boolean }
  /** The exchange answered the card alone with 500. */
  | { readonly kind: "serverError"; readonly failure: DeliveryFailure }
  | { readonly kind: "outage"; readonly failure: DeliveryFailure; readonly maybePosted: boolean }
  /** The card was not posted again after an array with it was answered with 500. */
  | { readonly kind: "maybePosted" };

/** The answers to an array's posts so far, by range. */
export type Answers = ReadonlyMap<string, Response>;

/** The key of a range's answer. */
export const rangeKey = ([from, to]: Range): string => `${from}-${to}`;

/** How far the posts of an array have come. */
export interface Progress {
  /** What is known by now, by index. */
  readonly results: ReadonlyMap<number, CardResult>;
  /** Indexes without a result of which an array was answered with 500. */
  readonly maybePosted: ReadonlySet<number>;
  /** What to post next; nothing if the array is done with, or there is an outage. */
  readonly next?: Range;
  readonly outage?: Outage;
}

/**
 * What is known of an array's cards by the answers so far, and what to post next.
 *
 * A refused array is halved until the refused card is found. One that is answered with 500 is halved too; if both halves get
 * it as well, and no other part got through, that is an outage.
 *
 * @param ids ExternalIDs of the array's cards
 */
export function bisect(ids: readonly string[], answers: Answers): Progress {
  const results = new Map<number, CardResult>();
  const maybe = new Set<number>();
  /** Once a part went through or was refused, what gets 500 is a bad card. */
  const works = [...answers.values()].some(({ kind }) => kind === "echoed" || kind === "refused");
  let next: Range | undefined;
  let outage: Outage | undefined;

  const settle = ([from, to]: Range, resultOf: (id: string) => CardResult) => {
    for (let index = from; index < to; index++) {
      results.set(index, resultOf(ids[index] ?? ""));
      maybe.delete(index);
    }
  };

  function walk(range: Range, maybePosted: boolean): void {
    const answer = answers.get(rangeKey(range));
    if (answer === undefined) {
      next ??= range;
      return;
    }
    const isOne = range[1] - range[0] === 1;
    const [first, second] = halves(range);
    switch (answer.kind) {
      case "echoed":
        settle(range, (id) => ({ kind: answer.ids.has(id) ? "delivered" : "notEchoed" }));
        return;
      case "outage":
        outage = answer;
        settle(range, () => ({ ...answer, maybePosted }));
        return;
      case "refused":
        if (isOne) settle(range, () => ({ kind: "rejected", failure: answer.failure, maybePosted }));
        else for (const half of [first, second]) walk(half, maybePosted);
        return;
      case "serverError": {
        if (isOne) {
          settle(range, () => answer);
          return;
        }
        const halfAnswers = [first, second].map((half) => answers.get(rangeKey(half)));
        if (!works && halfAnswers.every((half) => half?.kind === "serverError")) {
          outage = { failure: answer.failure };
          settle(range, () => ({ kind: "outage", failure: answer.failure, maybePosted: true }));
          return;
        }
        for (let index = range[0]; index < range[1]; index++) maybe.add(index);
        // Both halves are posted before either is searched: only then is it known whether this is an outage.
        const missing = halfAnswers.indexOf(undefined);
        next ??= [first, second][missing];
        for (const [n, half] of [first, second].entries()) {
          if (missing === -1 || halfAnswers[n]?.kind !== "serverError") walk(half, true);
        }
      }
    }
  }
  walk([0, ids.length], false);
  const maybePosted: ReadonlySet<number> = maybe;
  if (outage !== undefined) return { results, maybePosted, outage };
  return { results, maybePosted, ...(next !== undefined && { next }) };
}

function halves([from, to]: Range): readonly [Range, Range] {
  const middle = Math.ceil((from + to) / 2);
  return [
    [from, middle],
    [middle, to],
  ];
}
