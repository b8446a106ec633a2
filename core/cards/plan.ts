import type { WriteResult } from "../aws/batch.ts";
import {
  type CardChange,
  type CardKey,
  type CardState,
  earlierOutcomes,
  isFinal,
  isOpen,
  isWithdrawal,
  openStates,
  type StoredCard,
} from "./card.ts";
import type { CardContent } from "./card-content.ts";
import type { WakeUp } from "./queue.ts";
import type { ScorecardTable } from "./scorecard-table.ts";
import { overdue, type PostTiming } from "./timing.ts";

/** A card that can be accepted, serialized as it will be answered, stored and posted. */
export interface ValidCard {
  readonly valid: true;
  readonly externalId: string;
  readonly contentHash: string;
  readonly content: CardContent;
}

/** When and by which request cards are accepted. */
export interface Acceptance {
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  readonly requestId: string;
  readonly timing: PostTiming;
}

/** What to do with a submitted card. */
export type CardPlan =
  /** Its content is new, or it is resent. */
  | { readonly kind: "change"; readonly change: VersionChange }
  /** It is stored already. If it is overdue, it gets another wake-up. */
  | { readonly kind: "repeat"; readonly stored: StoredCard; readonly isOverdue: boolean };

/** A change that makes a new version, which needs a wake-up. */
export type VersionChange = CardChange & {
  readonly set: { readonly version: number; readonly acceptedAt: number };
};

/** Whether the same content is posted once more if it is asked for: the card was given up, or its rejection may be wrong. */
export const isResendable = (state: CardState): boolean => state === "undelivered" || state === "rejected";

/** Compares a submitted card with the stored one. */
export function planCard(
  { apiSet, externalId }: CardKey,
  { contentHash, content }: Pick<ValidCard, "contentHash" | "content">,
  stored: StoredCard | undefined,
  acceptance: Acceptance,
): CardPlan {
  if (stored === undefined) {
    const { now, requestId } = acceptance;
    const set = {
      version: 1,
      state: "queued",
      since: now,
      acceptedAt: now,
      requestId,
      contentHash,
      content,
      mustWait: false,
      attempts: 0,
      atExchange: 0,
      maybeAtExchange: 0,
    } as const;
    return { kind: "change", change: { apiSet, externalId, set } };
  }
  if (stored.contentHash !== contentHash || isWithdrawal(stored.state)) {
    return { kind: "change", change: nextVersion(stored, acceptance, { contentHash, content }) };
  }
  if (isResendable(stored.state)) return { kind: "change", change: nextVersion(stored, acceptance) };
  const isOverdue = isOpen(stored.state) && acceptance.now - stored.since > overdue;
  return { kind: "repeat", stored, isOverdue };
}

/**
 * The next version of a card: a correction, or the same content again.
 *
 * It must wait if a post of an earlier version may still be under way, because that has no outcome yet or has had one only just
 * now; and if the version before had to wait, since that one will be posted once more.
 *
 * @param content the same if left out
 */
export function nextVersion(
  stored: StoredCard,
  { now, requestId, timing }: Acceptance,
  content: Pick<Partial<StoredCard>, "content" | "contentHash"> = {},
): VersionChange {
  const { apiSet, externalId, state, since, maybeAtExchange } = stored;
  const version = stored.version + 1;
  const hasEnded = isFinal(state) && now - since >= timing.lateFinish;
  const sameContentSince = isWithdrawal(state) ? stored.version - 1 : stored.version;
  return {
    apiSet,
    externalId,
    expects: { version: stored.version, states: [state] },
    set: {
      ...content,
      version,
      state: "queued",
      since: now,
      acceptedAt: now,
      requestId,
      mustWait: stored.mustWait || !hasEnded,
      attempts: 0,
      suspicion: undefined,
      nextAttemptAt: undefined,
      failure: undefined,
      arrival: undefined,
      playerUnknown: undefined,
      laterWarnings: undefined,
      record: undefined,
      earlier: earlierOutcomes(stored),
      // If the exchange may have the same content, it may have this version.
      ...(content.content === undefined &&
        maybeAtExchange >= sameContentSince && { maybeAtExchange: version }),
    },
  };
}

/** Makes a waiting card due at once. @param now milliseconds since 1970, UTC */
export function withoutWaiting({ apiSet, externalId, version }: StoredCard, now: number): CardChange {
  const set = { since: now, nextAttemptAt: undefined };
  return { apiSet, externalId, expects: { version, states: openStates }, set };
}

/** The table, the queue and the clock that new versions are stored with. */
export interface EnqueueDependencies {
  readonly table: Pick<ScorecardTable, "write">;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly now: () => Date;
}

/** The first wake-up of a version. */
export function wakeUpOf({ apiSet, externalId, set }: VersionChange, mark?: "inserted"): WakeUp {
  const { version, acceptedAt } = set;
  return { apiSet, externalId, version, madeAt: acceptedAt, delaySeconds: 0, ...(mark && { mark }) };
}

/**
 * Stores new versions of cards. Their wake-ups are sent first, so a stored version always has one; the wake-up of a version that
 * is never stored does no harm.
 *
 * @param mark if the cards have not been read, so that they may be stored already
 * @throws QueueBatchError or TableBatchError: some may be stored
 */
export async function enqueue(
  changes: readonly VersionChange[],
  { table, send }: Omit<EnqueueDependencies, "now">,
  mark?: "inserted",
): Promise<WriteResult[]> {
  if (changes.length === 0) return [];
  await send(changes.map((change) => wakeUpOf(change, mark)));
  return table.write(changes);
}
