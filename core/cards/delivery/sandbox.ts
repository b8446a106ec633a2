import type { ApiSet } from "../../accounts/account.ts";
import { findSandboxOutcome } from "../../formats/external-ids.ts";
import type { PostResult } from "../../union/exchange.ts";
import type { StoredCard } from "../life/card.ts";
import { State } from "../life/states.ts";
import { sameContentSince } from "./posts.ts";
import type { DeliveryDependencies, DeliveryMemory } from "./run.ts";
import { postTiming } from "./timing.ts";
import type { SeenPost } from "./verdict.ts";

/*
 * A card whose ExternalID forces an outcome is delivered as any other, but to an exchange that is in this file: by the same posts, waits
 * and verdicts. Each card has a run of its own, which sees a closed breaker and writes none.
 */

/** An undelivered card is given up after this time instead of two days. */
const giveUpMilliseconds = 10_000;
/** Posts of a slow card that fail first: with the shortest waits it is delivered after about 15 seconds. */
const failuresOfSlow = 4;
/** The exchange is here, and answers at once. */
const timing = postTiming(1);
/** The evidence that a rejection takes: as if so many cards went through beside each post. The third failure is certain then. */
const witnesses: readonly SeenPost[] = Array.from({ length: 400 }, () => ({
  at: Number.POSITIVE_INFINITY,
  wentThrough: true,
}));

/** The status that a post of a card is refused with; undefined if the card is taken. */
function refuse(card: StoredCard): number | undefined {
  const outcome = findSandboxOutcome(card.externalId);
  // A correction is taken.
  if (outcome === State.rejected) return sameContentSince(card) === 1 ? 422 : undefined;
  // So is a card that was sent on, as after an outage.
  if (outcome === State.undelivered) return card.version === 1 ? 503 : undefined;
  return outcome === "slow" && card.attempts < failuresOfSlow ? 503 : undefined;
}

const toResult = ({ externalId }: StoredCard, status: number | undefined): PostResult => ({
  phase: "after",
  status: status === undefined ? 200 : 207,
  bodyExcerpt: "",
  echoed: new Set(status === undefined ? [externalId] : []),
  ...(status !== undefined && { refused: new Map([[externalId, status]]) }),
});

/** What a run for one sandbox card uses in place of the exchange, the vendor's account, its breaker, and the metrics that alarms watch. */
export function sandboxDependencies(
  externalId: string,
  dependencies: DeliveryDependencies,
): DeliveryDependencies {
  const { settings, table, report } = dependencies;
  const isGivenUp = findSandboxOutcome(externalId) === State.undelivered;
  let read: readonly StoredCard[] = [];
  return {
    ...dependencies,
    settings: { ...settings, timing, ...(isGivenUp && { giveUpMilliseconds }) },
    table: {
      ...table,
      async tryRead(apiSet, externalIds) {
        const found = await table.tryRead(apiSet, externalIds);
        if (found.cards.length > 0) read = found.cards;
        return { ...found, breaker: { version: 0 } };
      },
      writeBreaker: async () => undefined,
    },
    account: async () => ({ username: "", password: "", unionApiSet: "", token: "" }),
    forgetAccount: () => undefined,
    async post() {
      const [card] = read;
      if (card === undefined) throw new Error("A sandbox card was not read before its post.");
      return toResult(card, refuse(card));
    },
    report: (event) => (event.kind === "failed" ? report(event) : undefined),
  };
}

/** What such a run remembers: that other cards of the vendor go through. */
export const sandboxMemory = (apiSet: ApiSet): DeliveryMemory => ({
  sizes: new Map(),
  paused: new Set(),
  seen: new Map([[apiSet, [...witnesses]]]),
  shapes: new Set(),
});
