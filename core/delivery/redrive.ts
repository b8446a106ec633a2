import type { ApiSet } from "../account/api-set.ts";
import type { Redrive, RedriveTable } from "../store/redrives.ts";
import type { CardHistory, CardRecord, DeliveryRecord, ScorecardTable } from "../store/scorecard-table.ts";
import { isFinal } from "../tracking/state.ts";
import type { DeadLetter, DeadLetterQueue } from "./dead-letters.ts";
import { type QueuedCard, readMessage } from "./message.ts";
import type { OutgoingCard } from "./outgoing-messages.ts";

/** What sending given-up cards on again needs from outside. */
export interface RedriveParts {
  readonly cards: Pick<ScorecardTable, "inState" | "read" | "readRecords">;
  readonly redrives: RedriveTable;
  readonly send: (cards: readonly OutgoingCard[]) => Promise<void>;
  readonly deadLetters: DeadLetterQueue;
  readonly now: () => Date;
}

/** What became of what was given up. */
export interface RedriveCounts {
  /** Cards sent on their way again. */
  readonly sentOn: number;
  /** Cards that an earlier redrive sent on, and that have not been tried since. */
  readonly onTheWay: number;
  /** Dead letters that are done with. */
  readonly removed: number;
  /** Dead letters that nobody can read; they stay. */
  readonly unreadable: number;
}

const pageSize = 100;

/** Whether a card was given up as it is stored now: not one that was corrected or withdrawn since. */
function isGivenUp<Card extends CardRecord>(
  history: CardHistory<Card>,
): history is { readonly card: Card; readonly delivery: DeliveryRecord } {
  const { card, delivery } = history;
  if (card === undefined || delivery === undefined) return false;
  return delivery.state === "undelivered" && delivery.revision === card.revision;
}

/** Whether a card's content in a message is still to be delivered: it is what is stored, and the exchange has not had its say. */
function isOpen(queued: QueuedCard, { card, delivery }: CardHistory): boolean {
  if (card?.revision !== queued.revision) return false;
  return delivery === undefined || delivery.revision !== queued.revision || !isFinal(delivery.state);
}

/** Whether a redrive has sent this content on since its delivery was last recorded: its message is in the queue. */
function isOnTheWay(revision: string, { delivery }: CardHistory, redrive: Redrive | undefined): boolean {
  return redrive?.revision === revision && redrive.at >= (delivery?.since ?? 0);
}

/**
 * Makes the function that sends given-up cards on again.
 *
 * Their messages carry the stored content and the time of now, so that they are tried for as long as new ones. What
 * was corrected, withdrawn, delivered or refused meanwhile is left alone; and whatever happens after the look at what is
 * stored, delivery drops a card that is not the stored revision, or whose revision has its outcome. A card goes
 * out before that is noted, so that one that is noted is in the queue; a run that dies in between sends some twice, which
 * the same rule makes harmless. Last, the copies of these cards in the dead-letter queue are removed.
 *
 * @returns a function from vendors to what became of their cards. `again` sends also what an earlier redrive has sent
 * on, for when its messages are gone.
 */
export function createRedrive({ cards: table, redrives, send, deadLetters, now }: RedriveParts) {
  async function sendOn(cards: readonly QueuedCard[]): Promise<void> {
    if (cards.length === 0) return;
    const at = now().getTime();
    await send(
      cards.map((card) => ({ queued: { ...card, parcel: undefined, acceptedAt: at }, delaySeconds: 0 })),
    );
    await redrives.put(
      cards.map(({ apiSet, externalId, revision }) => ({ apiSet, externalId, revision, at })),
    );
  }

  async function redriveVendor(apiSet: ApiSet, again: boolean) {
    const counts = { sentOn: 0, onTheWay: 0 };
    let after: string | undefined;
    do {
      const page = await table.inState(apiSet, "undelivered", pageSize, after);
      const externalIds = page.deliveries.map(({ externalId }) => externalId);
      const histories = await table.read(apiSet, externalIds);
      const noted = await redrives.read(externalIds.map((externalId) => ({ apiSet, externalId })));
      const givenUp = externalIds.flatMap((externalId, index): QueuedCard[] => {
        const history = histories.get(externalId) ?? {};
        if (!isGivenUp(history)) return [];
        const { revision, acceptedAt, content } = history.card;
        if (!again && isOnTheWay(revision, history, noted[index])) {
          counts.onTheWay += 1;
          return [];
        }
        return [{ apiSet, externalId, revision, acceptedAt, card: content.text() }];
      });
      await sendOn(givenUp);
      counts.sentOn += givenUp.length;
      after = page.next;
    } while (after !== undefined);
    return counts;
  }

  /** Of one batch of dead letters: what is done with; what was still open is sent on first. */
  async function settle(letters: readonly DeadLetter[], vendors: ReadonlySet<ApiSet>) {
    const read = letters.map((letter) => ({ letter, cards: readMessage(letter.body) }));
    const unreadable = read.filter(({ cards }) => cards === undefined).length;
    const ours = read.flatMap(({ letter, cards }) =>
      cards?.[0] !== undefined && vendors.has(cards[0].apiSet) ? [{ letter, cards }] : [],
    );
    const queued = ours.flatMap(({ cards }) => cards);
    const [histories, noted] = await Promise.all([table.readRecords(queued), redrives.read(queued)]);
    const open = queued.filter((card, index) => {
      const history = histories[index] ?? {};
      return isOpen(card, history) && !isOnTheWay(card.revision, history, noted[index]);
    });
    const once = new Map(open.map((card) => [`${card.apiSet}#${card.externalId}`, card]));
    await sendOn([...once.values()]);
    await deadLetters.remove(ours.map(({ letter }) => letter));
    return { sentOn: once.size, removed: ours.length, unreadable };
  }

  return async function redrive(vendors: readonly ApiSet[], again = false): Promise<RedriveCounts> {
    const counts = { sentOn: 0, onTheWay: 0, removed: 0, unreadable: 0 };
    for (const vendor of vendors) {
      const { sentOn, onTheWay } = await redriveVendor(vendor, again);
      counts.sentOn += sentOn;
      counts.onTheWay += onTheWay;
    }
    await deadLetters.each(async (letters) => {
      const { sentOn, removed, unreadable } = await settle(letters, new Set(vendors));
      counts.sentOn += sentOn;
      counts.removed += removed;
      counts.unreadable += unreadable;
    });
    return counts;
  };
}
