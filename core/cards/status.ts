import type { ApiSet } from "../accounts/account.ts";
import type { Finding } from "../golf/findings.ts";
import { laterFinding } from "../golf/later-warnings.ts";
import { notRecorded, recordedTwice } from "../golf/not-recorded.ts";
import { unknownPlayer } from "../golf/unknown-player.ts";
import type { Breaker, OpenBreaker } from "./delivery/breaker.ts";
import { postsOf } from "./delivery/posts.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import {
  type Arrival,
  type Correction,
  type DeliveryFailure,
  erasedHash,
  isMaybeDelivered,
  type RecordResult,
  type StoredCard,
} from "./life/card.ts";
import { type CardState, isOpen, State } from "./life/states.ts";

/** Why a post failed, in the API's terms: the phase is called `stage` there. */
export type DeliveryError = Omit<DeliveryFailure, "phase"> & { readonly stage: DeliveryFailure["phase"] };

/** Since when and why nothing is delivered for a vendor, and when that is tried next. Times are ISO 8601, UTC. */
export interface Paused {
  readonly since: string;
  readonly lastError: DeliveryError;
  readonly nextAttemptAt: string;
}

/** What the player's record at the union told of a delivered card. */
export interface CardRecord {
  readonly state: "recorded" | "not_recorded";
  /** When the record was read; ISO 8601, UTC. */
  readonly at: string;
  /** The union's Score Differential times 10,000; absent if it calculated none. */
  readonly differential?: number;
}

/** A card's status in the API. Times are ISO 8601, UTC. */
export interface CardStatus {
  readonly externalId: string;
  /** `unknown` if no such card has been accepted. */
  readonly state: CardState | "unknown";
  /** Counts the card's contents and withdrawals: of two statuses the one with the higher version is the later. */
  readonly version?: number;
  /** The card's ID at the union. */
  readonly id?: string;
  /** The same for the same content as it was sent; absent if a person was erased from the card. */
  readonly contentHash?: string;
  readonly acceptedAt?: string;
  /** When the state was recorded. */
  readonly since?: string;
  /** Posts to the exchange so far. */
  readonly attempts?: number;
  /** Whether a delivered card was there before midnight of its day of play; absent if that was not recorded. */
  readonly arrival?: Arrival;
  readonly lastError?: DeliveryError;
  readonly nextAttemptAt?: string;
  /** Set while the vendor's circuit breaker is open. */
  readonly paused?: Paused;
  /** Set for a card that is not delivered, and that the exchange has all the same, or may have, perhaps in an earlier content. */
  readonly maybeDelivered?: true;
  readonly warnings?: readonly Finding[];
  /** What the content changed of the one before; absent if there was none. */
  readonly corrects?: Correction;
  /** Whether a delivered card is in the player's record at the union; absent while that is not known. */
  readonly record?: CardRecord;
  /** Outcomes of earlier versions, the latest last. */
  readonly earlier?: readonly { readonly state: CardState; readonly at: string }[];
}

const time = (milliseconds: number) => new Date(milliseconds).toISOString();
const errorOf = ({ phase, ...failure }: DeliveryFailure): DeliveryError => ({ stage: phase, ...failure });

/** Why a vendor's circuit breaker is open. */
export const pausedBy = ({ since, failure, nextProbeAt }: OpenBreaker): Paused => ({
  since: time(since),
  lastError: errorOf(failure),
  nextAttemptAt: time(nextProbeAt),
});

/** Posts of a card to the exchange, one after the other with the same result. Times are ISO 8601, UTC. */
export interface CardPosts {
  readonly version: number;
  readonly at: string;
  /** Of the last, if there were several. */
  readonly until?: string;
  readonly posts: number;
  /** Absent if the exchange took the card. */
  readonly error?: DeliveryError;
}

/** The posts of a card that are known, the latest last. */
export function toCardPosts(card: StoredCard): CardPosts[] {
  const { version, state, since } = card;
  // Of the post of a run that died it is known neither when it ended nor how.
  const known = postsOf(card).filter(
    ({ from, answer, failure }) => from > 0 && (answer === "yes" || failure !== undefined),
  );
  const posts = known.map(({ version: of, from, to, posts, failure }) => ({
    version: of,
    at: time(from),
    ...(posts > 1 && { until: time(to) }),
    posts,
    ...(failure !== undefined && { error: errorOf(failure) }),
  }));
  // Items of an older form do not say when the card was taken.
  const isTaken = known.some(({ version: of, answer }) => of === version && answer === "yes");
  return state === State.delivered && !isTaken ? [...posts, { version, at: time(since), posts: 1 }] : posts;
}

/** The warnings of a card, with those that were found after its delivery. */
export function warningsOf(card: StoredCard): readonly Finding[] {
  const { externalId, content, playerUnknown, laterWarnings = [], record } = card;
  const ofSubmission = content.warnings();
  const later = laterWarnings.filter((one) => !ofSubmission.some(({ code }) => code === one.code));
  const warnings = [
    ...ofSubmission,
    ...(playerUnknown ? [unknownPlayer(0, externalId)] : []),
    ...later.map((one) => laterFinding(externalId, one)),
  ];
  if (record?.isTwice) return [...warnings, recordedTwice(externalId)];
  if (record === undefined || record.isRecorded) return warnings;
  return [...warnings, notRecorded(externalId, warnings, record.absence)];
}

const recordOf = ({ at, isRecorded, differential }: RecordResult): CardRecord => ({
  state: isRecorded ? "recorded" : "not_recorded",
  at: time(at),
  ...(differential !== undefined && { differential }),
});

/** A card's status; if the card waits because the vendor's circuit breaker is open, with the reason. */
export function cardStatus(externalId: string, card: StoredCard | undefined, { open }: Breaker): CardStatus {
  if (card === undefined) return { externalId, state: "unknown" };
  const { state, since, acceptedAt, attempts, arrival, failure, nextAttemptAt, earlier, record } = card;
  const warnings = warningsOf(card);
  const paused = !isOpen(state) || open === undefined ? undefined : open;
  return {
    externalId,
    version: card.version,
    id: (card.content.card() as { readonly ID: string }).ID,
    ...(card.contentHash !== erasedHash && { contentHash: card.contentHash }),
    acceptedAt: time(acceptedAt),
    state,
    since: time(since),
    ...((attempts > 0 || state === State.retrying) && { attempts }),
    ...(arrival !== undefined && { arrival }),
    ...(failure !== undefined && { lastError: errorOf(failure) }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: time(nextAttemptAt) }),
    ...(paused !== undefined && { paused: pausedBy(paused) }),
    ...(isMaybeDelivered(card) && { maybeDelivered: true as const }),
    ...(warnings.length > 0 && { warnings }),
    ...(card.corrects !== undefined && { corrects: card.corrects }),
    ...(record !== undefined && { record: recordOf(record) }),
    ...(earlier.length > 0 && { earlier: earlier.map(({ state, at }) => ({ state, at: time(at) })) }),
  };
}

/** Reads the statuses of a vendor's cards, in the order given. */
export async function readStatuses(
  table: Pick<ScorecardTable, "readWithBreaker">,
  apiSet: ApiSet,
  externalIds: readonly string[],
): Promise<CardStatus[]> {
  const { breaker, cards } = await table.readWithBreaker(apiSet, externalIds);
  const stored = new Map(cards.map((card) => [card.externalId, card]));
  return externalIds.map((externalId) => cardStatus(externalId, stored.get(externalId), breaker));
}
