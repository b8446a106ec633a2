import type { ApiSet } from "../account/api-set.ts";
import type { CardHistory, DeliveryRecord, ParcelKey, ParcelRecord } from "../store/scorecard-table.ts";
import { isFinal } from "../tracking/state.ts";
import { messageBackoff } from "./backoff.ts";
import type { DeliveryParts } from "./deliver.ts";
import { recordOf } from "./delivery-record.ts";
import type { KeptMessages } from "./kept-messages.ts";
import { writeMessage } from "./message.ts";
import type { Settled } from "./post-vendor.ts";
import { type DueCard, isRepeated } from "./sort-messages.ts";

/**
 * Records what became of one vendor's cards and keeps the messages of those that are tried again.
 *
 * @param until milliseconds since 1970; from then on a correction may be delivered, so nothing is recorded any more
 */
export type RecordOutcomes = (
  apiSet: ApiSet,
  settled: readonly Settled<DueCard>[],
  until: number,
  kept: KeptMessages,
) => Promise<void>;

/** A failure is recorded within so long of a look, or after another one. */
const failureLookMilliseconds = 500;
/** A record that was cut off may still be carried out so much later: its card is not tried again before. */
const stragglingMilliseconds = 5000;
/** A delivery that is recorded later than this is looked up again first: other content may have its outcome by then. */
const deliveryLookMilliseconds = 1000;
const attempts = 4;

/** An outcome to be recorded, and when the card's message is to come back where it does. */
interface Entry {
  readonly card: DueCard;
  readonly record: DeliveryRecord;
  readonly seconds: number;
}

/** Whether another run has recorded an outcome of the revision that is stored now, which is not the one of this run. */
function isOutdated({ queued }: DueCard, { card, delivery }: CardHistory): boolean {
  return (
    delivery !== undefined && delivery.revision !== queued.revision && delivery.revision === card?.revision
  );
}

/**
 * What a failure is worth by now. It is not recorded where the card is `settled`: another run has recorded an outcome, which
 * a failure must not undo; a second message of the same card can do that. Nor where the card has been `sent again`, with
 * the same content: such an outcome may then be recorded at any moment.
 */
type Worth = "recorded" | "settled" | "sent again";

function worthOf(received: DueCard, history: CardHistory): Worth {
  const { card, delivery } = history;
  const { revision } = received.queued;
  const hasOutcome = delivery?.revision === revision && isFinal(delivery.state);
  if (hasOutcome || isOutdated(received, history)) return "settled";
  return card?.revision === revision && isRepeated(received, history) ? "sent again" : "recorded";
}

/** The same entry, with its next attempt, if there is one, no earlier than so long after now. */
function postponed({ card, record, seconds }: Entry, milliseconds: number, now: number): Entry {
  const { nextAttemptAt } = record;
  const planned = nextAttemptAt !== undefined && {
    nextAttemptAt: Math.max(nextAttemptAt, now + milliseconds),
  };
  return { card, record: { ...record, ...planned }, seconds: Math.max(seconds, milliseconds / 1000) };
}

/** The parcels that records of these cards open. */
function parcelsToOpen(entries: readonly Entry[]): ParcelKey[] {
  const parcels = new Map<string, ParcelKey>();
  for (const { opens, queued } of entries.map(({ card }) => card)) {
    if (opens !== undefined) parcels.set(opens, { apiSet: queued.apiSet, parcel: opens });
  }
  return [...parcels.values()];
}

/**
 * Divides delivered cards: `whole` are the parcels whose cards are all here and were posted for the first time, `single`
 * all other cards.
 */
function wholeParcels(delivered: readonly Entry[]): {
  readonly whole: ParcelRecord[];
  readonly single: Entry[];
} {
  const whole: ParcelRecord[] = [];
  const single: Entry[] = [];
  for (const entries of Map.groupBy(delivered, ({ card }) => card.messageId).values()) {
    const [first] = entries;
    const parcel = first?.card.queued.parcel;
    const isWhole = entries.every(
      ({ card }) => card.together === entries.length && card.previous === undefined,
    );
    if (first === undefined || parcel === undefined || !isWhole) single.push(...entries);
    else {
      const cards = entries.map(({ record: { externalId, revision } }) => ({ externalId, revision }));
      whole.push({ apiSet: first.record.apiSet, parcel, cards, since: first.record.since });
    }
  }
  return { whole, single };
}

/** Makes the function that records outcomes; it remembers when each vendor's cards last went through. */
export function outcomeRecorder({
  settings,
  cards: table,
  sendToDeadLetters,
  now,
  random,
  log,
}: Pick<
  DeliveryParts,
  "settings" | "cards" | "sendToDeadLetters" | "now" | "random" | "log"
>): RecordOutcomes {
  /** So that a card failing alone can be told from an outage. */
  const lastDelivered = new Map<ApiSet, number>();

  /** Entries, each with what another look shows of its card. */
  async function lookedUp(entries: readonly Entry[]) {
    const histories = await table.readRecords(entries.map(({ card }) => card.queued));
    return entries.map((entry, index) => ({ entry, history: histories[index] ?? {} }));
  }

  /** A parcel is opened before the first of its cards has a record: in one that is whole nobody looks for it. */
  async function put(entries: readonly Entry[], signal: AbortSignal): Promise<void> {
    if (entries.length === 0) return;
    await table.openParcels(parcelsToOpen(entries), now().getTime(), signal);
    await table.putDeliveries(
      entries.map(({ record }) => record),
      signal,
    );
  }
  /** Aborted from then on; at once where it is too late, since a request that has begun may be carried out all the same. */
  function signalAt(milliseconds: number): AbortSignal {
    const left = milliseconds - now().getTime();
    return left > 0 ? AbortSignal.timeout(left) : AbortSignal.abort();
  }

  /**
   * Records what is no delivery, and so must not undo another run's: a look and the record right after it, or both
   * again.
   *
   * @returns those that are to come back: tried again later, or not recorded
   */
  async function recordFailures(
    apiSet: ApiSet,
    entries: readonly Entry[],
    until: number,
  ): Promise<readonly Entry[]> {
    let standing = await setAside(apiSet, entries);
    const back = entries.filter((entry) => !standing.includes(entry));
    /** Whether a record that was cut off may still be carried out: then what another run has recorded may not last. */
    let isStraggling = false;
    for (let attempt = 0; attempt < attempts && now().getTime() < until; attempt++) {
      const lookedAt = now().getTime();
      try {
        const looks = await lookedUp(standing);
        const ofWorth = (worth: Worth) =>
          looks
            .filter(({ entry, history }) => worthOf(entry.card, history) === worth)
            .map(({ entry }) => entry);
        back.push(...ofWorth("sent again"), ...(isStraggling ? ofWorth("settled") : []));
        standing = ofWorth("recorded");
        await put(standing, signalAt(Math.min(until, lookedAt + failureLookMilliseconds)));
        return [...back, ...standing.filter(({ record }) => record.state === "retrying")];
      } catch {
        // Refused, or too late after the look.
        isStraggling = true;
        standing = standing.map((entry) => postponed(entry, stragglingMilliseconds, now().getTime()));
      }
    }
    log({ message: "outcomes could not be recorded", apiSet, cards: standing.length });
    return [...back, ...standing];
  }

  /** @returns those that are to come back: an outcome that is not recorded did not happen */
  async function recordDeliveries(
    apiSet: ApiSet,
    entries: readonly Entry[],
    until: number,
  ): Promise<readonly Entry[]> {
    const { whole, single } = wholeParcels(entries);
    const lookedAt = until - settings.correction.deliveringMilliseconds;
    const putSingle = async () => {
      const isRecent = now().getTime() < lookedAt + deliveryLookMilliseconds;
      // What was delivered is recorded also where the table cannot be asked: else it would be posted once more.
      const standing = async () =>
        (await lookedUp(single))
          .filter(({ entry, history }) => !isOutdated(entry.card, history))
          .map(({ entry }) => entry);
      await put(isRecent ? single : await standing().catch(() => single), signalAt(until));
    };
    const recorded = await Promise.allSettled([table.putParcels(whole, signalAt(until)), putSingle()]);
    if (recorded.every(({ status }) => status === "fulfilled")) return [];
    log({ message: "outcomes could not be recorded", apiSet, cards: entries.length });
    return entries;
  }

  /** Those without the given-up ones, unless these could be put where an operator finds them. */
  async function setAside(apiSet: ApiSet, entries: readonly Entry[]): Promise<readonly Entry[]> {
    const givenUp = entries.filter(({ record }) => record.state === "undelivered");
    if (givenUp.length === 0) return entries;
    try {
      await sendToDeadLetters(
        givenUp.map(({ card: { queued } }) => writeMessage({ ...queued, parcel: undefined }, [queued])),
      );
      log({ message: "cards were given up", apiSet, cards: givenUp.length });
      return entries;
    } catch {
      return entries.filter((entry) => !givenUp.includes(entry));
    }
  }

  return async (apiSet, settled, until, kept) => {
    const at = now().getTime();
    if (settled.some(({ outcome }) => outcome.kind === "delivered")) lastDelivered.set(apiSet, at);

    const backoff = messageBackoff(settings.backoffCapSeconds, random);
    const entries = settled.flatMap(({ card, outcome }) => {
      if (outcome.kind === "untouched") {
        kept.keep(card, 0);
        return [];
      }
      const seconds = Math.max(backoff(card), outcome.kind === "retry" ? (outcome.afterSeconds ?? 0) : 0);
      const record = recordOf(card, outcome, {
        at,
        nextAttemptAt: at + seconds * 1000,
        giveUpMilliseconds: settings.giveUpMilliseconds,
        othersWentThrough: (lastDelivered.get(apiSet) ?? 0) > (card.previous?.since ?? card.sentAt),
      });
      return [{ card, record, seconds }];
    });

    const delivered = entries.filter(({ record }) => record.state === "delivered");
    const others = entries.filter((entry) => !delivered.includes(entry));
    const back = await Promise.all([
      delivered.length > 0 ? recordDeliveries(apiSet, delivered, until) : [],
      others.length > 0 ? recordFailures(apiSet, others, until) : [],
    ]);
    for (const { card, record, seconds } of back.flat()) {
      kept.keep(card, record.state === "retrying" ? seconds : undefined);
    }
  };
}
