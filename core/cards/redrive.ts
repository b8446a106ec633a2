import type { ApiSet } from "../accounts/account.ts";
import type { DeadLetterQueue } from "../aws/dead-letter-queue.ts";
import { readMessage } from "./delivery/queue.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import { erasedHash, type StoredCard } from "./life/card.ts";
import { type ResendableState, State } from "./life/states.ts";
import { type ResendDependencies, resend } from "./resend.ts";

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
  cards.filter(
    ({ apiSet, state, since, contentHash, record }) =>
      state === State.delivered &&
      contentHash !== erasedHash &&
      vendors.includes(apiSet) &&
      since >= from &&
      since < to &&
      (!notRecorded || record?.isRecorded === false),
  );

/** What a redrive has done. */
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
