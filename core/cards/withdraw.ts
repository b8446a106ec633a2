import type { ApiSet } from "../accounts/account.ts";
import { conflict, orUnavailable, RefusalError, unavailable } from "../golf/refusal.ts";
import { isFinal, type StoredCard } from "./card.ts";
import { enqueue, nextVersion } from "./plan.ts";
import type { ResendDependencies } from "./resend.ts";
import { delaySeconds, recording } from "./timing.ts";

/** What withdrawing needs from outside. */
export interface WithdrawalDependencies extends ResendDependencies {
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

const delivered = "The card has been delivered to the exchange. Send a correction instead.";
const maybeDelivered =
  "The exchange has an earlier content of the card, or may have the card, since it did not answer a post. Delivery resumed; send a correction instead.";
const refused = "The exchange has refused the card already; there is nothing to withdraw.";
const sentAgain =
  "The card was submitted with other content while it was being withdrawn, and that will be delivered. Withdraw it again.";
const notStored = "The withdrawal could not be stored.";
const tooLate = (detail: string) => conflict("Too late to withdraw", detail);

/**
 * Withdraws a card that has not been delivered.
 *
 * The withdrawal is stored first, so no later run posts the card. A run that read the card before may still be posting it; so
 * this waits until no such post can be under way, and reads the card again. It misses a post that its run could not record,
 * because the run died or the table did not answer.
 *
 * @throws RefusalError `noSuchCard`, `conflict` if the exchange has it or may have it, or it was submitted again meanwhile,
 *   `unavailable` if it could not be stored
 */
export async function withdraw(
  apiSet: ApiSet,
  externalId: string,
  dependencies: WithdrawalDependencies,
): Promise<void> {
  const { table, now, wait, timing } = dependencies;
  const read = async (): Promise<StoredCard> => {
    const [card] = await orUnavailable(notStored, table.read([{ apiSet, externalId }]));
    if (card === undefined) throw new RefusalError({ kind: "noSuchCard" });
    return card;
  };

  const found = await read();
  if (found.state === "delivered") throw tooLate(delivered);
  if (found.state === "rejected") throw tooLate(refused);
  const withdrawn = found.state === "withdrawn" ? found : await storeWithdrawal(found, dependencies);
  // No run has posted a given-up card, or one whose next attempt is later, unless it read the card before that was recorded.
  const isIdle = isFinal(found.state) || (found.nextAttemptAt ?? 0) > withdrawn.since + recording;
  const lastRead = isIdle ? found.since : withdrawn.since;
  const remaining = lastRead + timing.readToPostEnd + recording - now().getTime();
  if (remaining > 0) await wait(remaining);

  const latest = await read();
  if (latest.version !== withdrawn.version) throw conflict("Sent again", sentAgain);
  if (latest.atExchange > 0 || latest.maybeAtExchange > 0) {
    await restore(latest, dependencies);
    throw tooLate(maybeDelivered);
  }
}

async function storeWithdrawal(card: StoredCard, { table, now }: ResendDependencies): Promise<StoredCard> {
  const { apiSet, externalId, version, state, since, atExchange, maybeAtExchange } = card;
  if (atExchange > 0 || maybeAtExchange > 0) throw tooLate(maybeDelivered);
  const set = {
    version: version + 1,
    state: "withdrawn",
    since: now().getTime(),
    nextAttemptAt: undefined,
  } as const;
  const expects = { version, states: [state], since, atExchange, maybeAtExchange };
  const [result] = await orUnavailable(notStored, table.write([{ apiSet, externalId, expects, set }]));
  if (result === "lost") throw unavailable("The card was being delivered just now.");
  return { ...card, ...set };
}

/** Undoes a withdrawal: the card is delivered if the exchange has it, and queued again if that is not known. */
async function restore(card: StoredCard, dependencies: ResendDependencies): Promise<void> {
  const { table, send, now, timing } = dependencies;
  const { apiSet, externalId, version, state, atExchange, requestId } = card;
  const at = now().getTime();
  if (atExchange !== version - 1) {
    const next = nextVersion(card, { now: at, requestId, timing });
    await orUnavailable(notStored, enqueue([next], dependencies));
    return;
  }
  if (card.mustWait) {
    const repost = { apiSet, externalId, version, madeAt: at, mark: "repost" } as const;
    await orUnavailable(notStored, send([{ ...repost, delaySeconds: delaySeconds(timing.lateFinish) }]));
  }
  const set = { state: "delivered", since: at } as const;
  const expects = { version, states: [state] };
  await orUnavailable(notStored, table.write([{ apiSet, externalId, expects, set }]));
}
