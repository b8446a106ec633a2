import {
  type CardChange,
  type CardKey,
  earlierOutcomes,
  isFinal,
  openStates,
  type StoredCard,
} from "../delivery/card.ts";
import { overdue, type PostTiming } from "../delivery/timing.ts";
import type { CardContent } from "../dynamodb/card-content.ts";

/** A card that can be taken, written as it will be answered, stored and posted. */
export interface ValidCard {
  readonly valid: true;
  readonly externalId: string;
  readonly contentHash: string;
  readonly content: CardContent;
}

/** What a change of a card begins with. */
export interface Acceptance {
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  readonly requestId: string;
  readonly timing: PostTiming;
}

/** How a submitted card relates to what is stored under its name. */
export type Plan =
  /** It says something new, or is sent on again. */
  | { readonly kind: "change"; readonly change: VersionChange }
  /** It is stored already. If it is overdue, it is woken up once more. */
  | { readonly kind: "repeat"; readonly stored: StoredCard; readonly isOverdue: boolean };

/** A change that makes a new version, which needs a wake-up. */
export type VersionChange = CardChange & { readonly set: { readonly version: number } };

/** Decides by what is stored what a submitted card is. */
export function planCard(
  { apiSet, externalId }: CardKey,
  { contentHash, content }: Pick<ValidCard, "contentHash" | "content">,
  stored: StoredCard | undefined,
  acceptance: Acceptance,
): Plan {
  if (stored === undefined) {
    const { now, requestId } = acceptance;
    const unposted = { mustWait: false, attempts: 0, serverErrors: 0, atExchange: 0, maybeAtExchange: 0 };
    const first = {
      version: 1,
      state: "queued",
      since: now,
      acceptedAt: now,
      requestId,
      ...unposted,
    } as const;
    return { kind: "change", change: { apiSet, externalId, set: { ...first, contentHash, content } } };
  }
  if (stored.contentHash !== contentHash || stored.state === "withdrawn") {
    return { kind: "change", change: nextVersion(stored, acceptance, { contentHash, content }) };
  }
  if (stored.state === "undelivered") return { kind: "change", change: nextVersion(stored, acceptance) };
  const isOverdue = !isFinal(stored.state) && acceptance.now - stored.since > overdue;
  return { kind: "repeat", stored, isOverdue };
}

/**
 * The next version of a card: a correction, or the same content again.
 *
 * It must wait if a post of an earlier version may still be under way: if that has no outcome yet, or had it only just now. It
 * must wait, too, if the version before had to: that one is posted once more at some time.
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
  const sameContentSince = state === "withdrawn" ? stored.version - 1 : stored.version;
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
      serverErrors: 0,
      nextAttemptAt: undefined,
      failure: undefined,
      earlier: earlierOutcomes(stored),
      // What the exchange may have of the same content it may have of this version.
      ...(content.content === undefined &&
        maybeAtExchange >= sameContentSince && { maybeAtExchange: version }),
    },
  };
}

/** Has a card that waits for its next attempt tried at once. @param now milliseconds since 1970, UTC */
export function withoutWaiting({ apiSet, externalId, version }: StoredCard, now: number): CardChange {
  const set = { since: now, nextAttemptAt: undefined };
  return { apiSet, externalId, expects: { version, states: openStates }, set };
}
