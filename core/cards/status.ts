import type { CardPosts, CardRecord, CardStatus, DeliveryError, Paused } from "../../api/card-schemas.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { Finding } from "../golf/findings.ts";
import { unknownPlayer } from "../golf/member-warnings.ts";
import type { Breaker, OpenBreaker } from "./delivery/breaker.ts";
import { isMaybeStale, postsOf } from "./delivery/posts.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import {
  type DeliveryFailure,
  erasedHash,
  isMaybeDelivered,
  type RecordResult,
  type StoredCard,
} from "./life/card.ts";
import { laterFinding } from "./life/later-warnings.ts";
import { type CardState, isOpen, State } from "./life/states.ts";
import { notRecorded, recordedTwice } from "./not-recorded.ts";

/** A card's status by what is stored of it: cards that were refused are not. */
export type StoredStatus = CardStatus & { readonly state: CardState | "unknown" };

const time = (milliseconds: number) => new Date(milliseconds).toISOString();
const toError = ({ phase, isNamed: _, ...failure }: DeliveryFailure): DeliveryError => ({
  stage: phase,
  ...failure,
});

/** Why a vendor's circuit breaker is open. */
export const pausedBy = ({ since, failure, nextProbeAt }: OpenBreaker): Paused => ({
  since: time(since),
  lastError: toError(failure),
  nextAttemptAt: time(nextProbeAt),
});

/** The posts of a card that are known, the latest last. */
export function toCardPosts(card: StoredCard): CardPosts[] {
  const { version, state, since } = card;
  // Of the post of a run that died it is known neither when it ended nor how.
  const known = postsOf(card).filter(
    ({ from, answer, failure }) => from > 0 && (answer === "yes" || failure !== undefined),
  );
  const posts = known.map(({ version: of, from, to, posts, answer, failure }) => ({
    version: of,
    at: time(from),
    ...(posts > 1 && { until: time(to) }),
    posts,
    ...(failure !== undefined && answer !== "yes" && { error: toError(failure) }),
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
export function cardStatus(
  externalId: string,
  card: StoredCard | undefined,
  { open }: Breaker,
): StoredStatus {
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
    ...(failure !== undefined && { lastError: toError(failure) }),
    ...(nextAttemptAt !== undefined && isOpen(state) && { nextAttemptAt: time(nextAttemptAt) }),
    ...(paused !== undefined && { paused: pausedBy(paused) }),
    ...(isMaybeDelivered(card) && { maybeDelivered: true as const }),
    ...(isMaybeStale(card) && { maybeStale: true as const }),
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
): Promise<StoredStatus[]> {
  const { breaker, cards } = await table.readWithBreaker(apiSet, externalIds);
  const stored = new Map(cards.map((card) => [card.externalId, card]));
  return externalIds.map((externalId) => cardStatus(externalId, stored.get(externalId), breaker));
}
