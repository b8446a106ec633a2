import type { CardPosts, CardRecord, CardStatus, DeliveryError, Paused } from "../../api/card-schemas.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { Finding, WarningCode } from "../golf/findings.ts";
import { unknownPlayer } from "../golf/member-warnings.ts";
import type { Breaker, OpenBreaker } from "./delivery/breaker.ts";
import { isMaybeStale, postsOf } from "./delivery/posts.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import {
  type DeliveryFailure,
  erasedHash,
  isMaybeDelivered,
  laterFinding,
  type RecordResult,
  type StoredCard,
} from "./life/card.ts";
import { type CardState, isOpen, State } from "./life/states.ts";

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

/** Causes for which a round is missing in a player's record, by the warning that the card had. The likeliest comes first. */
const causes: Partial<Record<WarningCode, string>> = {
  player_unknown:
    "The likeliest cause is the player: the union knows nobody with this UnionID. Check the number, and send the card with the right one.",
  tee_unrated:
    "The likeliest cause is the tee: the union's register has no rating of it, so no handicap can come of the round. If the tee is the wrong one, send the card with the right one.",
  nine_holes_unrated:
    "The likeliest cause is that the register has no rating of these nine holes, so no handicap can come of the round. Nothing is to be corrected in the card; if the course has a tee of these nine holes, send it with that.",
  course_not_qualifying:
    "The likeliest cause is the course: by the union's register no handicap comes of rounds on this version of it. Nothing is to be corrected in the card.",
  round_too_short:
    "The likeliest cause is that too few holes were played for a handicap to come of the round. If more were played, send their strokes; otherwise nothing is to be corrected.",
  club_number_unknown:
    "The likeliest cause is the player's UnionID: no club of the union has its club number. Check the number, and send the card with the right one.",
  start_long_ago:
    "The likeliest cause is the round's StartTime, which is before 2000. Send the card with the time at which it was played.",
};

const told = {
  nobody:
    "The union knows no player with this number at the club that the number begins with. Check the number, and send the card with the right one.",
  otherTotals:
    "The record has a round at this StartTime with other totals: an earlier content of this card, or one that was entered elsewhere. Compare the two, and ask the union which one counts.",
};
const noCause =
  "The card itself gives no cause: the union may not have processed it yet, or has left it out. Ask the union, with the card's ID.";

/** The warning about a delivered card whose round is in the record of the player whom the card had before, too. */
export const recordedTwice = (externalId: string): Finding => ({
  index: 0,
  externalId,
  pointer: "/Player/UnionID",
  code: "recorded_twice",
  detail:
    "The round is in the player's record, and still in that of the player whom the card had before it was corrected: it may change both handicaps. Ask the first player's club to take it off; nothing is to be corrected in the card.",
});

/**
 * The warning about a delivered card that is not in the player's record.
 *
 * @param warnings the card's other warnings: they tell the likeliest cause
 * @param absence what the record told, if anything
 */
export function notRecorded(
  externalId: string,
  warnings: readonly Finding[],
  absence: RecordResult["absence"],
): Finding {
  const [, likely = noCause] =
    Object.entries(causes).find(([cause]) => warnings.some(({ code }) => code === cause)) ?? [];
  return {
    index: 0,
    externalId,
    pointer: "",
    code: "not_recorded",
    detail: `The exchange took the card, but it is not in the player's record. ${absence === undefined ? likely : told[absence]}`,
  };
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
