import type { ApiSet } from "../accounts/account.ts";
import { conflict, orUnavailable, RefusalError, unavailable } from "../golf/refusal.ts";
import { type EnqueueDependencies, enqueue, nextVersion, wakeAgain } from "./delivery/plan.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import { overdue, type PostTiming } from "./delivery/timing.ts";
import { erasedHash, type StoredCard } from "./life/card.ts";
import { isOpen, isResendable, State } from "./life/states.ts";

/** The table, the queue and the times that cards are resent with. */
export interface ResendDependencies extends EnqueueDependencies {
  readonly table: Pick<ScorecardTable, "read" | "write">;
  readonly timing: PostTiming;
}

/**
 * Resends given-up or rejected cards as a new version of the same content; not those of which a person was erased, for the exchange
 * would take what is left for the card.
 *
 * @returns how many; others have been changed meanwhile
 */
export async function resend(
  cards: readonly StoredCard[],
  dependencies: ResendDependencies,
): Promise<number> {
  const { now, timing } = dependencies;
  const changes = cards
    .filter(isWhole)
    .map((card) => nextVersion(card, { now: now().getTime(), requestId: card.requestId, timing }));
  const results = await enqueue(changes, dependencies);
  return results.filter((result) => result === "written").length;
}

const isWhole = ({ contentHash }: StoredCard) => contentHash !== erasedHash;

const notResent = "The card could not be sent on.";

const erased = "A person was erased from the card. Submit it again to have it delivered.";
const nothingToDeliver: Partial<Record<StoredCard["state"], string>> = {
  delivered: "The card has been delivered. Send a correction if it is wrong.",
  withdrawing: "The card is being withdrawn. Ask again in a minute.",
  withdrawn: "The card was withdrawn. Submit it again to have it delivered.",
};

/**
 * Delivers a waiting, given-up or rejected card at once.
 *
 * @throws RefusalError `noSuchCard`, `conflict` if there is nothing to deliver, `unavailable` if it could not be resent
 */
export async function deliverNow(
  apiSet: ApiSet,
  externalId: string,
  dependencies: ResendDependencies,
): Promise<void> {
  const { table, now, timing } = dependencies;
  const [card] = await orUnavailable(notResent, table.read([{ apiSet, externalId }]));
  if (card === undefined) throw new RefusalError({ kind: "noSuchCard" });
  const { state } = card;
  if (isResendable(state)) {
    if (!isWhole(card)) throw conflict("Nothing to deliver", erased);
    const resent = await orUnavailable(notResent, resend([card], dependencies));
    if (resent === 0) throw unavailable("The card was changed meanwhile.");
    return;
  }
  // Its first wake-up is on the way.
  if (state === State.queued && now().getTime() - card.since <= overdue) return;
  if (!isOpen(state)) throw conflict("Nothing to deliver", nothingToDeliver[state] ?? "");
  // The card's own wake-up counts until the change is written, so nothing is lost if this fails.
  // `since` stays: it is when the card's last post was recorded, which a withdrawal relies on.
  const again = wakeAgain(card, { now: now().getTime(), timing });
  await orUnavailable(notResent, enqueue([again], dependencies));
}
