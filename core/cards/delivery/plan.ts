import type { AccountClub } from "../../accounts/account.ts";
import type { WriteResult } from "../../aws/batch.ts";
import type { Finding } from "../../golf/findings.ts";
import { unavailable } from "../../golf/refusal.ts";
import {
  asRead,
  type CardChange,
  type CardKey,
  type Correction,
  contentAcceptedAt,
  earlierOutcomes,
  erasedHash,
  type StoredCard,
} from "../life/card.ts";
import { type CardContent, withWarning } from "../life/card-content.ts";
import { isFinal, isOpen, isResendable, isWithdrawal, State } from "../life/states.ts";
import { judgeCorrection } from "./correction.ts";
import { contentsBefore, repostAt, sameContentSince } from "./posts.ts";
import type { WakeUp } from "./queue.ts";
import { withArrival } from "./record.ts";
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
  readonly now: number;
  readonly requestId: string;
  readonly timing: PostTiming;
  /** Whether the submission says that it corrects delivered cards of another player and round, too. */
  readonly allowsAnyCorrection?: boolean;
  /** The club to which the sender's account is bound. */
  readonly club?: AccountClub | undefined;
}

/** What to do with a submitted card. */
export type CardPlan =
  /** Its content is new, or it is resent. */
  | ({ readonly kind: "change" } & PlannedChange)
  /** It is most likely another card under a used ExternalID. */
  | { readonly kind: "refuse"; readonly fault: Finding }
  /** It is stored already. If its wake-up may be lost, it is woken up again. */
  | { readonly kind: "repeat"; readonly stored: StoredCard; readonly again?: PlannedChange };

/** A change of a card, and the wake-ups that must be sent before it is written. */
export interface PlannedChange {
  readonly change: CardChange;
  readonly wakeUps: readonly WakeUp[];
}

const queuedVersion = (version: number, now: number, requestId: string) =>
  ({ version, state: State.queued, since: now, acceptedAt: now, requestId, attempts: 0 }) as const;

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
    const nothing = { mustWait: false, atExchange: 0, maybeAtExchange: 0 };
    const set = { ...queuedVersion(1, now, requestId), contentHash, content, ...nothing };
    return { kind: "change", ...withFirstWakeUp({ apiSet, externalId, set }, 1, now) };
  }
  // The content that a person was erased from comes again: it is known, and not kept.
  if (stored.contentHash === contentHash && stored.erasedContent !== undefined)
    return { kind: "repeat", stored };
  if (stored.contentHash !== contentHash || isWithdrawal(stored.state)) {
    const isAny = acceptance.allowsAnyCorrection ?? false;
    const { fault, warning, ...correction } = judgeCorrection(card, stored, isAny, acceptance.club);
    if (fault !== undefined) return { kind: "refuse", fault };
    const told = warning === undefined ? content : withWarning(content, warning);
    return {
      kind: "change",
      ...nextVersion(stored, acceptance, { contentHash, content: told, ...correction }),
    };
  }
  if (isResendable(stored.state)) return { kind: "change", ...nextVersion(stored, acceptance) };
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
): PlannedChange {
  const { apiSet, externalId, state, since, maybeAtExchange } = stored;
  const version = stored.version + 1;
  const hasEnded = isFinal(state) && now - since >= timing.lateFinish;
  const isSame = content.contentHash === undefined;
  const set = {
    ...content,
    ...(isSame
      ? { contentSince: sameContentSince(stored), contentAt: contentAcceptedAt(stored) }
      : {
          ...{ contentSince: undefined, contentAt: undefined, erasedContent: undefined },
          earlierContents: contentsBefore(stored),
        }),
    ...queuedVersion(version, now, requestId),
    wokenAt: undefined,
    mustWait: stored.mustWait || !hasEnded,
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
  };
  // What the exchange may have of the version before is kept beside its content.
  return withFirstWakeUp({ apiSet, externalId, expects: asRead(stored), set }, version, now);
}

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

/** The table, the queue and the clock that changes are planned and made with. */
export interface EnqueueDependencies {
  readonly table: Pick<ScorecardTable, "write">;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly now: () => Date;
}

/** A change that makes a version, with its first wake-up, which counts only if this change makes the version, not another writer's. */
function withFirstWakeUp(change: CardChange, version: number, madeAt: number): PlannedChange {
  const { apiSet, externalId } = change;
  const wakeUp = { apiSet, externalId, version, madeAt, delaySeconds: 0 };
  return { change, wakeUps: [{ ...wakeUp, mark: "inserted" }] };
}

/**
 * Makes changes of cards. Their wake-ups are sent first, so a change that needs one always has it; the wake-up of a change that is never
 * made does no harm.
 *
 * @throws QueueBatchError or TableBatchError: some may be made
 */
export async function enqueue(
  planned: readonly PlannedChange[],
  { table, send }: Omit<EnqueueDependencies, "now">,
): Promise<WriteResult[]> {
  if (planned.length === 0) return [];
  const wakeUps = planned.flatMap((one) => one.wakeUps);
  if (wakeUps.length > 0) await send(wakeUps);
  return table.write(planned.map(({ change }) => change));
}

/** How often a change is tried if others change the card first. */
const maxWrites = 4;

/**
 * Compares and sets: decides by the card as it was read, and writes the change. If another request or run has changed the card
 * first, it is read and decided again.
 *
 * @param first the card as it was read last
 * @param decide without a change the card stays as it is; the result is that once the change is written
 * @throws what `decide` throws; RefusalError `unavailable` if others keep changing the card
 */
export async function changeCard<Read, Change, Result>(
  first: Read,
  // `write` returns false if the card is no longer as it was read.
  { read, write }: { read: () => Promise<Read>; write: (change: Change) => Promise<boolean> },
  decide: (card: Read) => { readonly change?: Change; readonly result: Result },
): Promise<Result> {
  let latest = first;
  for (let writes = 0; ; writes++) {
    const { change, result } = decide(latest);
    if (change === undefined) return result;
    if (writes === maxWrites) throw unavailable("Other requests and runs keep changing the card.");
    if (await write(change)) return result;
    latest = await read();
  }
}
