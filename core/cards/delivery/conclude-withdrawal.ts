import { erasedHash, type StoredCard } from "../life/card.ts";
import { asRead } from "../life/change-card.ts";
import { State } from "../life/states.ts";
import { type Acceptance, nextVersion, type PlannedChange } from "./plan.ts";
import { repostAt, sameContentSince } from "./posts.ts";
import { withArrival } from "./record.ts";
import { delaySeconds } from "./timing.ts";

/**
 * What becomes of a card that is being withdrawn, once no post of it can be under way: it is withdrawn if the exchange cannot have
 * it, delivered if the exchange has it, and queued again if that is not known, or if the exchange has an earlier content.
 */
export function concludeWithdrawal(
  card: StoredCard,
  { now, timing, timeZone }: Pick<Acceptance, "now" | "timing"> & { readonly timeZone: string },
): PlannedChange {
  const { apiSet, externalId, version, atExchange, maybeAtExchange, requestId } = card;
  const expects = asRead(card);
  // Of an erased card nothing is posted any more.
  if (card.contentHash === erasedHash || (atExchange === 0 && maybeAtExchange === 0)) {
    const set = { state: State.withdrawn, since: now };
    return { change: { apiSet, externalId, expects, set }, wakeUps: [] };
  }
  if (atExchange === version - 1) {
    const wakeUp = { apiSet, externalId, version, madeAt: now, mark: "repost" } as const;
    // The run that posted it could not record that: the card was being withdrawn by then.
    const set = {
      state: State.delivered,
      since: now,
      attempts: card.attempts + 1,
      contentSince: sameContentSince(card),
    } as const;
    const at = repostAt({ ...card, ...set }, timing.lateFinish);
    return {
      change: { apiSet, externalId, ...withArrival({ expects, set }, card.content, timeZone) },
      wakeUps: at === undefined ? [] : [{ ...wakeUp, delaySeconds: delaySeconds(at - now) }],
    };
  }
  return nextVersion(card, { now, requestId, timing });
}
