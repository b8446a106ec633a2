import type { ApiSet } from "../accounts/account.ts";
import type { DeadLetterQueue } from "../aws/dead-letter-queue.ts";
import { conflict, orUnavailable, RefusalError, unavailable } from "../golf/refusal.ts";
import { type EnqueueDependencies, enqueue, nextVersion, wakeAgain } from "./delivery/plan.ts";
import { readMessage } from "./delivery/queue.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import { overdue, type PostTiming } from "./delivery/timing.ts";
import { erasedHash, type StoredCard } from "./life/card.ts";
import { isOpen, isResendable, type ResendableState, State } from "./life/states.ts";

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
  const { state, since, wokenAt = 0, nextAttemptAt } = card;
  if (isResendable(state)) {
    if (!isWhole(card)) throw conflict("Nothing to deliver", erased);
    const resent = await orUnavailable(notResent, resend([card], dependencies));
    if (resent === 0) throw unavailable("The card was changed meanwhile.");
    return;
  }
  if (!isOpen(state)) throw conflict("Nothing to deliver", nothingToDeliver[state] ?? "");
  // A wake-up is on the way. Another one would make it void, and come later.
  const acceptedAt = state === State.queued ? since : 0;
  const againAt = nextAttemptAt === undefined ? wokenAt : 0;
  if (now().getTime() - Math.max(acceptedAt, againAt) <= overdue) return;
  // The card's own wake-up counts until the change is written, so nothing is lost if this fails.
  // `since` stays: it is when the card's last post was recorded, which a withdrawal relies on.
  const again = wakeAgain(card, { now: now().getTime(), timing });
  await orUnavailable(notResent, enqueue([again], dependencies));
}

/** The tables and queues that cards are redriven with. */
export interface RedriveDependencies extends ResendDependencies {
  readonly table: Pick<ScorecardTable, "inState" | "read" | "write">;
  readonly deadLetters: DeadLetterQueue;
}

/** Which cards a redrive sends on. */
export interface RedriveChoice {
  readonly state: ResendableState;
  /** Only cards that have been in the state since then; milliseconds since 1970, UTC. */
  readonly since?: number | undefined;
  /** Only cards whose last post was answered with this status. */
  readonly status?: number | undefined;
}

/** Which delivered cards are posted again: the exchange has lost them. */
export interface DeliveredChoice {
  readonly vendors: readonly ApiSet[];
  /** Delivered from this time on and before the other one; milliseconds since 1970, UTC. */
  readonly from: number;
  readonly to: number;
  /** Only cards that a check did not find in the players' records. */
  readonly notRecorded: boolean;
}

/** The delivered cards among these that are posted again; none of which a person was erased. */
export const chooseDelivered = (
  cards: readonly StoredCard[],
  { vendors, from, to, notRecorded }: DeliveredChoice,
): StoredCard[] =>
  cards.filter(isWhole).filter(({ apiSet, state, since, record }) => {
    const isMeant = state === State.delivered && since >= from && since < to && vendors.includes(apiSet);
    return isMeant && (!notRecorded || record?.isRecorded === false);
  });

/** The counts of a redrive. */
export interface RedriveCounts {
  /** Given-up or rejected cards that are `queued` again. */
  readonly sentOn: number;
  /** Dead letters that were moved back to the delivery queue. */
  readonly moved: number;
  /** Dead letters that cannot be read; they stay. */
  readonly unreadable: number;
}

const pageSize = 100;

/**
 * Resends these vendors' given-up or rejected cards, and moves their dead letters back to the delivery queue. Both may be repeated
 * at any time: a card is changed only if it is still in its state, and a message only makes a run read its cards.
 *
 * @param choice given-up cards if left out
 */
export async function redrive(
  vendors: readonly ApiSet[],
  dependencies: RedriveDependencies,
  { state: wanted, since = 0, status }: RedriveChoice = { state: State.undelivered },
): Promise<RedriveCounts> {
  const { table, send, deadLetters } = dependencies;
  const counts = { sentOn: 0, moved: 0, unreadable: 0 };
  for (const apiSet of vendors) {
    let after: string | undefined;
    do {
      const page = await table.inState(apiSet, wanted, pageSize, after);
      const cards = await table.read(page.externalIds.map((externalId) => ({ apiSet, externalId })));
      const chosen = cards.filter(
        (card) =>
          card.state === wanted &&
          card.since >= since &&
          (status === undefined || card.failure?.status === status),
      );
      counts.sentOn += await resend(chosen, dependencies);
      after = page.next;
    } while (after !== undefined);
  }
  await deadLetters.each(async (letters) => {
    const read = letters.map((letter) => ({ letter, message: readMessage(letter.body) }));
    counts.unreadable += read.filter(({ message }) => message === undefined).length;
    const moved = read.flatMap(({ letter, message }) =>
      message !== undefined && vendors.includes(message.apiSet) ? [{ letter, message }] : [],
    );
    // The run that received the message may have died after a post.
    const wakeUps = moved.flatMap(({ message: { apiSet, cards } }) =>
      cards.map((card) => ({ ...card, apiSet, delaySeconds: 0, maybePosted: true })),
    );
    if (wakeUps.length > 0) await send(wakeUps);
    await deadLetters.remove(moved.map(({ letter }) => letter));
    counts.moved += moved.length;
  });
  return counts;
}
