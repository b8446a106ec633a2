import { bisect, type CardResult, type Range, rangeKey } from "./bisect.ts";
import type { Outage, Response } from "./classify-response.ts";
import type { DueCard, PostedCard } from "./settle.ts";

/** What posting an array needs. */
export interface ArrayPosting {
  /** Whether there is time for one more post and its record. */
  readonly hasTime: () => boolean;
  /** Those of the cards that are still to be posted, read again if they were read too long ago for one more post. */
  readonly refreshed: (cards: readonly DueCard[]) => Promise<readonly DueCard[]>;
  readonly post: (cards: readonly DueCard[]) => Promise<Response>;
  /** Whether other cards were delivered since this one was last tried. */
  readonly othersWentThrough: (card: DueCard) => boolean;
  /** Records results, after each post: a crash loses as little as can be. */
  readonly settle: (posted: readonly PostedCard[]) => Promise<void>;
}

/** How it ended. */
export interface ArrayEnd {
  /** Cards that are to be posted again: there was an outage, or no time. */
  readonly left: readonly DueCard[];
  readonly outage?: Outage | undefined;
  /** Posts that were made. */
  readonly posts: number;
}

/** Posts an array, and parts of it until each of its cards has a result, there is an outage, or the time is up. */
export async function postArray(array: readonly DueCard[], posting: ArrayPosting): Promise<ArrayEnd> {
  const ids = array.map(({ card }) => card.externalId);
  /** Cards that are still to be posted, by index. */
  const open = new Map(array.map((due, index) => [index, due]));
  const answers = new Map<string, Response>();

  /** Takes cards out, and records those of which something is known. */
  async function close(indexes: readonly number[], resultOf: (index: number) => CardResult | undefined) {
    const posted = indexes.flatMap((index): PostedCard[] => {
      const [due, result] = [open.get(index), resultOf(index)];
      open.delete(index);
      return due === undefined || result === undefined ? [] : [[due, result]];
    });
    await posting.settle(posted);
    return posted;
  }

  for (;;) {
    const { results, maybePosted, next, outage } = bisect(ids, answers);
    const unanswered = (index: number) => (maybePosted.has(index) ? maybeTaken : undefined);
    const [only] = array;
    const result = results.get(0);
    const isAlone = array.length === 1 && only?.isRepost === false;
    if (isAlone && result?.kind === "serverError" && !posting.othersWentThrough(only)) {
      // The card is bad or the exchange is down. It is noted as bad once, and nothing more is posted.
      const { failure } = result;
      const isNoted = only.card.serverErrors > 0;
      await close([0], () => (isNoted ? { kind: "outage", failure, maybePosted: true } : result));
      return { left: isNoted ? [only] : [], outage: { failure }, posts: answers.size };
    }
    const posted = await close([...results.keys()], (index) => results.get(index));
    const wanted = next === undefined ? [] : [...open.keys()].filter((index) => isIn(next, index));
    const cards = await posting.refreshed(wanted.flatMap((index) => open.get(index) ?? []));
    const fresh = new Map(cards.map((due) => [due.card.externalId, due]));
    for (const index of wanted) {
      const due = fresh.get(ids[index] ?? "");
      if (due !== undefined) open.set(index, due);
    }
    const dropped = wanted.filter((index) => !fresh.has(ids[index] ?? ""));
    if (dropped.length > 0) {
      await close(dropped, unanswered);
      // That may have taken long: the others may have to be read again.
      continue;
    }
    if (next === undefined || !posting.hasTime()) {
      const failed = posted.filter(([, { kind }]) => kind === "outage").map(([due]) => due);
      const left = [...failed, ...open.values()];
      await close([...open.keys()], unanswered);
      return { left, outage, posts: answers.size };
    }
    answers.set(rangeKey(next), cards.length > 0 ? await posting.post(cards) : nothingPosted);
  }
}

const isIn = ([from, to]: Range, index: number) => index >= from && index < to;
const nothingPosted: Response = { kind: "echoed", ids: new Set() };
const maybeTaken: CardResult = { kind: "maybePosted" };
