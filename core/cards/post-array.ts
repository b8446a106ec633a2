import { bisect, type CardResult, type IndexRange, rangeKey } from "./bisect.ts";
import type { ArrayResponse, Outage } from "./classify-response.ts";
import { type CardAttempt, settle } from "./settle.ts";
import { type DueCard, hasTime, post, refresh, type VendorRun } from "./vendor-run.ts";

/** How the posts of an array ended. */
export interface ArrayEnd {
  /** Cards to be tried again: there was an outage, or no time. */
  readonly untried: readonly DueCard[];
  readonly outage?: Outage | undefined;
  /** How many posts were made. */
  readonly posts: number;
}

const nothingPosted: ArrayResponse = { kind: "echoed", ids: new Set() };
const maybePosted: CardResult = { kind: "maybePosted" };
const isIn = ([from, to]: IndexRange, index: number) => index >= from && index < to;

/**
 * Posts an array, and parts of it until each of its cards has a result, there is an outage, or the time is up. Results are
 * recorded after each post, so a crash loses as little as possible.
 */
export async function postArray(run: VendorRun, array: readonly DueCard[]): Promise<ArrayEnd> {
  const ids = array.map(({ card }) => card.externalId);
  /** Cards without a result, by index. */
  const open = new Map(array.map((due, index) => [index, due]));
  const responses = new Map<string, ArrayResponse>();

  /** Takes cards out of `open`, and records those with a result. */
  async function close(indexes: readonly number[], resultOf: (index: number) => CardResult | undefined) {
    const attempts = indexes.flatMap((index): CardAttempt[] => {
      const [due, result] = [open.get(index), resultOf(index)];
      open.delete(index);
      return due === undefined || result === undefined ? [] : [{ due, result }];
    });
    await settle(run, attempts);
    return attempts;
  }

  for (;;) {
    const progress = bisect(ids, responses);
    const { results, next, outage } = progress;
    const unanswered = (index: number) => (progress.maybePosted.has(index) ? maybePosted : undefined);
    const [only] = array;
    const result = results.get(0);
    const isAlone = array.length === 1 && only?.isRepost === false;
    if (isAlone && result?.kind === "serverError" && run.memory.wentThroughAt <= only.card.since) {
      // The card is bad or the exchange is down. This is recorded on the card only once, and posting ends.
      const { failure } = result;
      const isRecorded = only.card.serverErrors > 0;
      await close([0], () => (isRecorded ? { kind: "outage", failure, maybePosted: true } : result));
      return { untried: isRecorded ? [only] : [], outage: { failure }, posts: responses.size };
    }
    const attempts = await close([...results.keys()], (index) => results.get(index));
    const wanted = next === undefined ? [] : [...open.keys()].filter((index) => isIn(next, index));
    const cards = await refresh(
      run,
      wanted.flatMap((index) => open.get(index) ?? []),
    );
    const fresh = new Map(cards.map((due) => [due.card.externalId, due]));
    for (const index of wanted) {
      const due = fresh.get(ids[index] ?? "");
      if (due !== undefined) open.set(index, due);
    }
    const dropped = wanted.filter((index) => !fresh.has(ids[index] ?? ""));
    if (dropped.length > 0) {
      await close(dropped, unanswered);
      // Recording may have taken so long that the others must be read again.
      continue;
    }
    if (next === undefined || !hasTime(run)) {
      const failed = attempts.filter(({ result }) => result.kind === "outage").map(({ due }) => due);
      const untried = [...failed, ...open.values()];
      await close([...open.keys()], unanswered);
      return { untried, outage, posts: responses.size };
    }
    responses.set(rangeKey(next), cards.length > 0 ? await post(run, cards) : nothingPosted);
  }
}
