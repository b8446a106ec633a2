import {
  type EarlierOutcome,
  erasedHash,
  isMissedByWithdrawal,
  isSuspected,
  type LaterCode,
  type StoredCard,
} from "./card.ts";
import { type CardState, isFinal, isWithdrawal, State } from "./states.ts";

interface Outcome {
  /** The outcome that a late answer turned into this one. */
  readonly replaces?: Pick<EarlierOutcome, "state" | "at"> | undefined;
}

/** What each kind of event says besides its time. */
interface EventFacts {
  /** The card is new. */
  readonly accepted: object;
  /** The vendor sent other content. */
  readonly corrected: object;
  /** The same content was sent again after it was given up, rejected or withdrawn. */
  readonly resent: object;
  /** The vendor asked to withdraw the card. */
  readonly withdrawalBegun: object;
  /** The exchange may have the card, so delivery resumed. */
  readonly withdrawalFailed: object;
  /** A post failed, and the card is retried. */
  readonly failed: object;
  /** The card failed alone, beside others that went through: it may be at fault. */
  readonly suspected: object;
  /** The card is no longer suspected, and is still to be posted. */
  readonly cleared: object;
  readonly delivered: Outcome;
  readonly rejected: Outcome;
  readonly undelivered: Outcome;
  readonly withdrawn: Outcome;
  /** A post of the withdrawn card has reached the exchange, or may have. */
  readonly maybeDelivered: object;
  /** Something was found about the player, the marker or the round. `isFirst`: nothing had been found before. */
  readonly warned: { readonly codes: readonly LaterCode[]; readonly isFirst: boolean };
  /** The round is in the player's record. `before`: when a check did not find it there, milliseconds since 1970, UTC. */
  readonly recorded: { readonly before?: number | undefined };
  /** The round is not in the player's record. `before`: when a check found it there. */
  readonly notRecorded: { readonly before?: number | undefined };
  /** The union calculated another Score Differential for the recorded round, or took it off the record of a player before. */
  readonly rerated: object;
  /** A person was erased from the card. */
  readonly erased: object;
}

/** A kind of event. */
export type EventKind = keyof EventFacts;

/** A kind of event that gives a card its outcome, and has the name of the card's state from then on. */
export type OutcomeKind = Extract<EventKind, CardState>;

/** The kinds that give a card its outcome. */
export const outcomeKinds = [
  State.delivered,
  State.rejected,
  State.undelivered,
  State.withdrawn,
] as const satisfies readonly OutcomeKind[];

/** Something that happened to a card. `at` is in milliseconds since 1970, UTC. */
export type CardEvent<Kind extends EventKind = EventKind> = {
  readonly [K in Kind]: { readonly kind: K; readonly at: number } & EventFacts[K];
}[Kind];

/** What a view makes of the kinds of events that it names; of all others nothing. */
export type ViewByKind<Result, Context = void> = {
  readonly [K in EventKind]?: (event: CardEvent<K>, context: Context) => readonly Result[];
};

/** What a view makes of one event. */
export function viewOf<Result, Context>(
  view: ViewByKind<Result, Context>,
  event: CardEvent,
  context: Context,
): readonly Result[] {
  const make = view[event.kind] as ((event: CardEvent, context: Context) => readonly Result[]) | undefined;
  return make?.(event, context) ?? [];
}

/** A card before and after one change, from the table's stream. */
export interface CardUpdate {
  /** Position in the stream's shard, a number of up to 40 digits. */
  readonly sequenceNumber: string;
  readonly card: StoredCard;
  /** Undefined if the card is new. */
  readonly before: StoredCard | undefined;
}

/** A change of a card, and what happened by it. */
export interface CardHappening extends CardUpdate {
  readonly events: readonly CardEvent[];
}

/** Adds what happened to each change. */
export const happenings = (updates: readonly CardUpdate[]): CardHappening[] =>
  updates.map((update) => ({ ...update, events: happened(update.before, update.card) }));

/**
 * What happened to a card by one change, in order. Every view of the cards derives from this; nothing else compares a card with
 * what it was before.
 *
 * @param before the card before the change; undefined if it is new
 */
export function happened(before: StoredCard | undefined, card: StoredCard): CardEvent[] {
  /** This version before the change. */
  const same = before?.version === card.version ? before : undefined;
  return [
    ...newVersion(before, card),
    ...progress(same, card),
    ...outcome(same, card),
    ...laterWarnings(same, card),
    ...record(same, card),
    ...erasure(before, card),
  ];
}

function newVersion(before: StoredCard | undefined, card: StoredCard): CardEvent[] {
  if (before?.version === card.version) return [];
  if (before === undefined) return [{ kind: "accepted", at: card.since }];
  if (isWithdrawal(card.state)) return [{ kind: "withdrawalBegun", at: card.since }];
  const at = card.acceptedAt;
  if (card.contentHash !== before.contentHash) return [{ kind: "corrected", at }];
  return [{ kind: before.state === State.withdrawing ? "withdrawalFailed" : "resent", at }];
}

function progress(same: StoredCard | undefined, card: StoredCard): CardEvent[] {
  const { state, since: at } = card;
  const events: CardEvent[] = [];
  const isTried = state === State.retrying && !(same?.state === state && same.attempts === card.attempts);
  if (isTried) events.push({ kind: "failed", at });
  const wasSuspected = same !== undefined && isSuspected(same);
  if (isSuspected(card) && !wasSuspected) events.push({ kind: "suspected", at });
  if (wasSuspected && !isFinal(state) && !isSuspected(card)) events.push({ kind: "cleared", at });
  return events;
}

function outcome(same: StoredCard | undefined, card: StoredCard): CardEvent[] {
  const { state, since: at } = card;
  const events: CardEvent[] = [];
  // A post that was answered late can turn one outcome of a version into another.
  const replaces =
    same !== undefined && isFinal(same.state) ? { state: same.state, at: same.since } : undefined;
  const kind = outcomeKinds.find((name) => name === state && name !== same?.state);
  if (kind !== undefined) events.push({ kind, at, replaces });
  const wasMissed = same !== undefined && isMissedByWithdrawal(same);
  if (isMissedByWithdrawal(card) && !wasMissed) events.push({ kind: "maybeDelivered", at });
  return events;
}

/** The codes of the warnings that were found after a card's delivery; `not_recorded` apart, which is an event of its own. */
function laterCodes({ playerUnknown, laterWarnings = [], record: found }: StoredCard): LaterCode[] {
  const codes: LaterCode[] = laterWarnings.map(({ code }) => code);
  if (found?.isTwice) codes.push("recorded_twice");
  return [...new Set(playerUnknown ? ["player_unknown" as const, ...codes] : codes)];
}

function laterWarnings(same: StoredCard | undefined, card: StoredCard): CardEvent[] {
  const known = new Set(same && laterCodes(same));
  const codes = laterCodes(card).filter((code) => !known.has(code));
  return codes.length === 0 ? [] : [{ kind: "warned", at: card.since, codes, isFirst: known.size === 0 }];
}

function record(same: StoredCard | undefined, { record: found }: StoredCard): CardEvent[] {
  if (found === undefined) return [];
  const { at, isRecorded, differential } = found;
  const known = same?.record;
  if (known?.isRecorded !== isRecorded)
    return [{ kind: isRecorded ? "recorded" : "notRecorded", at, before: known?.at }];
  const isOther = known.differential !== differential || (known.isTwice === true && found.isTwice !== true);
  return isOther ? [{ kind: "rerated", at }] : [];
}

const erasure = (before: StoredCard | undefined, { contentHash, since }: StoredCard): CardEvent[] =>
  before !== undefined && contentHash === erasedHash && before.contentHash !== erasedHash
    ? [{ kind: "erased", at: since }]
    : [];
