import { dayMilliseconds } from "../formats/days.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import type { ClubSync } from "./sync-state.ts";

/** So long the union's list and its answer for the club itself must agree that the club is gone. */
const agreementMilliseconds = dayMilliseconds;
/** A club that is in doubt for longer than this is the operator's to decide. */
const doubtMilliseconds = 2 * dayMilliseconds;
/** If more of the mirrored clubs than this share are missing from a list, an operator decides; a single club never needs one. */
const shareWithoutOperator = 0.02;

/**
 * What becomes of a mirrored club that the union's list lacks: `remove` it, `keep` it because that is not proven yet, or
 * keep it until an `operator` decides.
 */
export type UnlistedDecision = "remove" | "keep" | "operator";

/** What a decision about an unlisted club depends on. Times are in milliseconds since 1970, UTC. */
export interface UnlistedClub {
  readonly club: Pick<ClubSync, "unlisted" | "attemptedAt" | "failures">;
  /** Whether an operator has accepted that it is gone. */
  readonly isAccepted: boolean;
  /** Mirrored clubs, and how many of them the list lacks that no operator has accepted. */
  readonly mirrored: number;
  readonly lacking: number;
  /** When this sync began. */
  readonly beganAt: number;
}

/**
 * Decides about a club that a readable list of the union lacks.
 *
 * A list that leaves a club out proves nothing by itself: it may have been cut off. So the union is asked for the club as well,
 * in every sync; only if it says that it knows no such club, and has said so for a day, is the club removed.
 */
export function decideUnlisted({
  club,
  isAccepted,
  mirrored,
  lacking,
  beganAt,
}: UnlistedClub): UnlistedDecision {
  const { unlisted, attemptedAt, failures } = club;
  if (isAccepted) return "remove";
  if (lacking > Math.max(1, shareWithoutOperator * mirrored)) return "operator";
  const saidUnknownNow = unlisted?.unknownSince !== undefined && attemptedAt >= beganAt && failures === 0;
  if (saidUnknownNow && beganAt - unlisted.unknownSince >= agreementMilliseconds) return "remove";
  return beganAt - (unlisted?.since ?? beganAt) > doubtMilliseconds ? "operator" : "keep";
}

/** Decides about all clubs that the union does not list. @param accepted those that an operator has accepted as gone */
export function decideAllUnlisted(
  clubs: ReadonlyMap<GuidKey, ClubSync>,
  accepted: ReadonlySet<GuidKey>,
  beganAt: number,
): ReadonlyMap<GuidKey, UnlistedDecision> {
  const unlisted = [...clubs].filter(([, club]) => club.unlisted !== undefined);
  const sizes = { mirrored: clubs.size, lacking: unlisted.filter(([id]) => !accepted.has(id)).length };
  return new Map(
    unlisted.map(([id, club]) => [
      id,
      decideUnlisted({ club, isAccepted: accepted.has(id), ...sizes, beganAt }),
    ]),
  );
}
