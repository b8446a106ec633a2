import type { WriteResult } from "../../aws/batch.ts";
import type { Finding } from "../../golf/findings.ts";
import {
  type CardChange,
  type CardKey,
  type Correction,
  contentAcceptedAt,
  earlierOutcomes,
  type StoredCard,
} from "../life/card.ts";
import { type CardContent, withWarning } from "../life/card-content.ts";
import { asRead } from "../life/change-card.ts";
import { isFinal, isOpen, isResendable, isWithdrawal, State } from "../life/states.ts";
import { judgeCorrection } from "./correction.ts";
import {
  attemptAfter,
  contentsBefore,
  firstPostAt,
  noteMissed,
  retryWait,
  sameContentSince,
} from "./posts.ts";
import type { WakeUp, WakeUpCard } from "./queue.ts";
import type { ScorecardTable } from "./scorecard-table.ts";
import { clockDifference, delaySeconds, type PostTiming, recording, wokenAgainAfter } from "./timing.ts";

/** A card that can be accepted, serialized as it will be answered, stored and posted. */
export interface ValidCard {
  readonly valid: true;
  /** Its index in the submission. */
  readonly index: number;
  readonly externalId: string;
  readonly contentHash: string;
  readonly content: CardContent;
  /** What it changes of the card that is stored; absent if none is, or if that has the same content. */
  readonly corrects?: Correction;
}

/** When and by which request cards are accepted. */
export interface Acceptance {
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  readonly requestId: string;
  readonly timing: PostTiming;
  /** Whether the submission says that it corrects delivered cards of another player and round, too. */
  readonly allowsAnyCorrection?: boolean;
}

/** What to do with a submitted card. */
export type CardPlan =
  /** Its content is new, or it is resent. */
  | { readonly kind: "change"; readonly change: VersionChange }
  /** It is most likely another card under a used ExternalID. */
  | { readonly kind: "refuse"; readonly fault: Finding }
  /** It is stored already. If its wake-up may be lost, it is woken up again. */
  | { readonly kind: "repeat"; readonly stored: StoredCard; readonly again?: PlannedChange };

/** A change of a card, and the wake-ups that must be sent before it is written. */
export interface PlannedChange {
  readonly change: CardChange;
  readonly wakeUps: readonly WakeUp[];
}

/** A change that makes a new version, which needs a wake-up. */
export type VersionChange = CardChange & {
  readonly set: { readonly version: number; readonly acceptedAt: number };
};

/** Decides what to do with a submitted card. */
export function planCard(
  { apiSet, externalId }: CardKey,
  card: Omit<ValidCard, "valid">,
  stored: StoredCard | undefined,
  acceptance: Acceptance,
): CardPlan {
  const { contentHash, content } = card;
  if (stored === undefined) {
    const { now, requestId } = acceptance;
    const set = {
      version: 1,
      state: State.queued,
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
    const isAny = acceptance.allowsAnyCorrection ?? false;
    const { fault, warning, ...correction } = judgeCorrection(card, stored, isAny);
    if (fault !== undefined) return { kind: "refuse", fault };
    const told = warning === undefined ? content : withWarning(content, warning);
    return {
      kind: "change",
      change: nextVersion(stored, acceptance, { contentHash, content: told, ...correction }),
    };
  }
  if (isResendable(stored.state)) return { kind: "change", change: nextVersion(stored, acceptance) };
  const wokenAt = Math.max(stored.since, stored.wokenAt ?? 0);
  const isOverdue = isOpen(stored.state) && acceptance.now - wokenAt > wokenAgainAfter;
  return { kind: "repeat", stored, ...(isOverdue && { again: wakeAgain(stored, acceptance) }) };
}

/**
 * A wake-up in place of the card's own. With two that count, two runs could post the card at the same time. So the older one is
 * void as soon as the change is written, and the newer one comes when a run that read the card before has ended its post: at once
 * if the next attempt was planned for later. Until the change is written, the older one counts and the newer one does not.
 */
export function wakeAgain(
  { apiSet, externalId, version, state, wokenAt = 0, nextAttemptAt = 0 }: StoredCard,
  { now, timing }: Pick<Acceptance, "now" | "timing">,
  maybePosted?: true,
): PlannedChange {
  const longest = timing.readToPostEnd + recording;
  // A run that claimed the card may be posting it.
  const lastRead = nextAttemptAt > now + longest + clockDifference ? wokenAt + clockDifference : now;
  const wait = Math.max(0, lastRead + longest - now);
  const mark = isFinal(state) ? "repost" : "inserted";
  return {
    wakeUps: [
      { apiSet, externalId, version, madeAt: now, mark, maybePosted, delaySeconds: delaySeconds(wait) },
    ],
    change: {
      apiSet,
      externalId,
      expects: { version, states: [state] },
      set: { wokenAt: now, nextAttemptAt: undefined },
    },
  };
}

/**
 * What a run does to a card before a post for which a message that comes twice, or another run, must not make a second one: it plans
 * the next attempt, whose wake-up makes all others void. Who writes the change posts the card; whoever reads it then waits. Nothing
 * more has to be stored if the post fails, or if the run dies.
 *
 * @param wakeUp the card's own; if a run died with it, the change says that the exchange may have the card
 * @param random from 0 to below 1
 */
export function claimCard(
  card: StoredCard,
  wakeUp: WakeUpCard,
  { now, timing }: Pick<Acceptance, "now" | "timing">,
  random: number,
): { readonly change: CardChange; readonly wakeUp: WakeUp } {
  const { apiSet, externalId, state, since, posts, suspicion, nextAttemptAt } = card;
  const isDelivered = isFinal(state);
  const isAlone = isDelivered || suspicion !== undefined;
  const age = now - (isDelivered ? since : (firstPostAt(card) ?? now));
  const postEnd = timing.readToPostEnd + recording + clockDifference;
  const next = Math.max(now + postEnd, isAlone ? attemptAfter(retryWait(age), now, random) : 0);
  return {
    change: {
      apiSet,
      externalId,
      expects: { ...asRead(card), ...(posts && { posts }), ...(nextAttemptAt && { nextAttemptAt }) },
      set: {
        wokenAt: now,
        nextAttemptAt: next,
        ...(wakeUp.maybePosted && !isDelivered && noteMissed(card, now)),
      },
    },
    wakeUp: {
      ...{ apiSet, externalId, version: card.version, madeAt: now, mark: wakeUp.mark ?? "inserted" },
      delaySeconds: delaySeconds(next - now),
    },
  };
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
  content: Pick<Partial<StoredCard>, "content" | "contentHash" | "corrects" | "formerRound"> = {},
): VersionChange {
  const { apiSet, externalId, state, since, maybeAtExchange } = stored;
  const version = stored.version + 1;
  const hasEnded = isFinal(state) && now - since >= timing.lateFinish;
  const isSame = content.contentHash === undefined;
  return {
    apiSet,
    externalId,
    // What the exchange may have of the version before is kept beside its content.
    expects: asRead(stored),
    set: {
      ...content,
      ...(isSame
        ? { contentSince: sameContentSince(stored), contentAt: contentAcceptedAt(stored) }
        : { contentSince: undefined, contentAt: undefined, earlierContents: contentsBefore(stored) }),
      version,
      state: State.queued,
      since: now,
      acceptedAt: now,
      wokenAt: undefined,
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
      ...(isSame && maybeAtExchange >= sameContentSince(stored) && { maybeAtExchange: version }),
    },
  };
}

/** The table, the queue and the clock that new versions are stored with. */
export interface EnqueueDependencies {
  readonly table: Pick<ScorecardTable, "write">;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly now: () => Date;
}

/** The first wake-up of a version. It counts only if this change is the one that makes the version, not another writer's. */
export function createFirstWakeUp({ apiSet, externalId, set }: VersionChange): WakeUp {
  const { version, acceptedAt } = set;
  return { apiSet, externalId, version, madeAt: acceptedAt, mark: "inserted", delaySeconds: 0 };
}

/**
 * Stores new versions of cards. Their wake-ups are sent first, so a stored version always has one; the wake-up of a version that
 * is never stored does no harm.
 *
 * @throws QueueBatchError or TableBatchError: some may be stored
 */
export async function enqueue(
  changes: readonly VersionChange[],
  { table, send }: Omit<EnqueueDependencies, "now">,
): Promise<WriteResult[]> {
  if (changes.length === 0) return [];
  await send(changes.map(createFirstWakeUp));
  return table.write(changes);
}
