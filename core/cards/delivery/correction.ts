import { isDeepStrictEqual } from "node:util";
import type { AccountClub, ApiSet } from "../../accounts/account.ts";
import { guidKey, unionIdKey } from "../../formats/identifiers.ts";
import type { Assessment } from "../../golf/assess.ts";
import type { FaultCode, Finding } from "../../golf/findings.ts";
import { orUnavailable } from "../../golf/refusal.ts";
import { isScorecard, type Scorecard } from "../../golf/scorecard.ts";
import {
  type Correction,
  type CorrectionPart,
  correctionParts,
  isMaybeDelivered,
  type StoredCard,
} from "../life/card.ts";
import { type CardContent, type CardRound, clubOfRound, contentOf, roundOf } from "../life/card-content.ts";
import { State } from "../life/states.ts";
import { sameContentSince } from "./posts.ts";
import type { ScorecardTable } from "./scorecard-table.ts";

/** Whether two cards are of one player: somebody with two clubs has two UnionIDs, and one LifeTimeID. */
function isSamePlayer({ Player: one }: Scorecard, { Player: other }: Scorecard): boolean {
  if (unionIdKey(one.UnionID) === unionIdKey(other.UnionID)) return true;
  return one.LifeTimeID !== undefined && one.LifeTimeID === other.LifeTimeID;
}

const isSameGuid = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && guidKey(one) === guidKey(other);

/** Whether two cards are of one course, which may be named by a version, by its TemplateID, or by a tee. */
function isSameCourse({ Course: one }: Scorecard, { Course: other }: Scorecard): boolean {
  if (isSameGuid(one.CourseID, other.CourseID) || isSameGuid(one.TeeID, other.TeeID)) return true;
  return one.Name === other.Name && one.ClubName === other.ClubName && one.Country === other.Country;
}

function isSameTee({ Course: one }: Scorecard, { Course: other }: Scorecard): boolean {
  const numbers = ({ TeePar, TeeRating, TeeSlope, Holes = [] }: Scorecard["Course"]) => [
    Number(TeePar),
    Number(TeeRating),
    Number(TeeSlope),
    ...Holes.flatMap(({ Par, Index }) => [Par, Index]),
  ];
  const hasIds = one.TeeID !== undefined && other.TeeID !== undefined;
  const isNamedAlike = hasIds ? isSameGuid(one.TeeID, other.TeeID) : one.TeeName === other.TeeName;
  return isNamedAlike && isDeepStrictEqual(numbers(one), numbers(other));
}

const handicaps = ({ HCP, CourseHandicap, PHCP }: Scorecard) => [Number(HCP), CourseHandicap, PHCP];
const strokes = ({ Result, Round }: Scorecard) => [Result.Strokes, Round.HolesPlayed];

/** A card without what the other parts say, and what follows from it. A card that is made again has another CreateDateTime. */
function otherFields(card: Scorecard): object {
  const { CreateDateTime, HCP, CourseHandicap, PHCP, Player, Course, Round, Result, ...rest } = card;
  const { StartTime, HolesPlayed, ...round } = Round;
  const { Strokes, Points, TotalPoints, TotalStrokes, NetDoubleBogeyGross, ...result } = Result;
  return { ...rest, round, result };
}

/** What differs between two contents of a card, filled in; nothing if they are delivered alike. `other`: what has no name of its own. */
function changedParts(before: unknown, after: unknown): readonly CorrectionPart[] {
  // Erasing a person leaves fields out: what is left cannot be compared.
  if (!isScorecard(before) || !isScorecard(after)) return ["other"];
  if (isDeepStrictEqual(before, after)) return [];
  const changed = new Set<CorrectionPart>();
  const start = [before.Round.StartTime, after.Round.StartTime] as const;
  const isSameDay = start[0].slice(0, 8) === start[1].slice(0, 8);
  if (!isSamePlayer(before, after)) changed.add("player");
  else if (!isDeepStrictEqual(before.Player, after.Player)) changed.add("other");
  if (!isSameDay) changed.add("day");
  else if (start[0] !== start[1]) changed.add("other");
  if (!isSameCourse(before, after)) changed.add("course");
  else if (!isSameTee(before, after)) changed.add("tee");
  if (!isDeepStrictEqual(strokes(before), strokes(after))) changed.add("strokes");
  if (!isDeepStrictEqual(handicaps(before), handicaps(after))) changed.add("handicap");
  if (!isDeepStrictEqual(otherFields(before), otherFields(after))) changed.add("other");
  return changed.size === 0 ? ["other"] : correctionParts.filter((part) => changed.has(part));
}

/**
 * The round that the record of another player may keep. If the exchange cannot have the stored
 * content, no record has its round: then it is the round that the exchange got before.
 */
function formerRoundOf(stored: StoredCard, { Player }: Scorecard): CardRound | undefined {
  const { state, atExchange, maybeAtExchange } = stored;
  const isThere =
    state === State.delivered || Math.max(atExchange, maybeAtExchange) >= sameContentSince(stored);
  const former = isThere ? roundOf(stored.content) : stored.formerRound;
  return former?.unionId !== undefined && unionIdKey(former.unionId) === unionIdKey(Player.UnionID)
    ? undefined
    : former;
}

/** A submitted card, as far as it is compared with the one that is stored under its ExternalID. */
export interface ComparedCard {
  readonly index: number;
  readonly externalId: string;
  readonly contentHash: string;
  readonly content: Pick<CardContent, "card">;
}

/** What is told about a card that corrects another content; empty if it does not. */
export interface JudgedCorrection {
  readonly corrects?: Correction;
  /** The delivered round of the player before, which that player's record may keep. */
  readonly formerRound?: CardRound | undefined;
  readonly warning?: Finding;
  readonly fault?: Finding;
}

/** Holes on which a corrected card may have other strokes, together with another day. */
const maxHolesCorrected = 2;

/** What shows that a card is of another round than the one of its name, in words; undefined if it may be a correction of that. */
function otherRoundInWords(
  before: Scorecard,
  after: Scorecard,
  changed: readonly CorrectionPart[],
): string | undefined {
  const others = after.Result.Strokes.filter((taken, hole) => taken !== before.Result.Strokes[hole]).length;
  if (changed.includes("player")) {
    const other = (["day", "course"] as const).find((part) => changed.includes(part));
    return other && `another player and another ${other}`;
  }
  if (changed.includes("course")) return "another course";
  return changed.includes("day") && others > maxHolesCorrected ? "another day and other strokes" : undefined;
}

const refuseName = (
  { index, externalId }: ComparedCard,
  code: FaultCode,
  detail: string,
): JudgedCorrection => ({
  fault: { index, externalId, pointer: "/ExternalID", code, detail },
});
const otherClub =
  "This account is bound to a club, and another club's card has this ExternalID. Give this card an ExternalID of its own.";

const refuseReused = (card: ComparedCard, other: string): JudgedCorrection =>
  refuseName(
    card,
    "external_id_reused",
    `A card with this ExternalID has been delivered, and has ${other}: it would be replaced. Give this card an ExternalID of its own. If it is meant as a correction, send it with Prefer: correction=any.`,
  );

/**
 * Compares a submitted card with the one that is stored under its ExternalID. After delivery, another course, another day with other
 * strokes, or another player on another day is most likely another card under a used name: row numbers, or a counter that began again.
 *
 * @param isMeant whether the submission says that it corrects such cards, too
 * @param club the club to which the sender's account is bound
 */
export function judgeCorrection(
  compared: ComparedCard,
  stored: StoredCard | undefined,
  isMeant: boolean,
  club?: AccountClub,
): JudgedCorrection {
  const { index, externalId, contentHash, content } = compared;
  if (stored === undefined || stored.contentHash === contentHash) return {};
  if (club && clubOfRound(stored.content) !== club.id) return refuseName(compared, "other_club", otherClub);
  const [before, after] = [stored.content.card(), content.card()];
  const changed = changedParts(before, after);
  const corrects = { version: stored.version, changed };
  const isThere = stored.state === State.delivered || isMaybeDelivered(stored);
  const other =
    isThere && isScorecard(before) && isScorecard(after) && otherRoundInWords(before, after, changed);
  if (other && !isMeant) return { corrects, ...refuseReused(compared, other) };
  if (!changed.includes("player")) return { corrects };
  const formerRound = isThere ? formerRoundOf(stored, after as Scorecard) : undefined;
  const record = formerRound
    ? " The exchange has the card of the player before, whose record may keep the round: ask that player's club to look."
    : "";
  const detail = `The card replaces one of another player under the same ExternalID.${record} If they are two cards, send each under its own ExternalID. If the player was mistyped before, nothing is to be corrected.`;
  return {
    corrects,
    ...(isThere && { formerRound }),
    warning: { index, externalId, pointer: "/Player/UnionID", code: "player_changed", detail },
  };
}

/**
 * Compares the cards of one submission with those stored. Several that give delivered cards another player are a counter that began
 * again.
 *
 * @returns one for each card, by its index in the submission
 */
export function judgeCorrections(
  cards: readonly ComparedCard[],
  stored: ReadonlyMap<string, StoredCard> | undefined,
  isMeant: boolean,
  club?: AccountClub,
): ReadonlyMap<number, JudgedCorrection> {
  const judged = new Map(
    cards.map((card) => [card.index, judgeCorrection(card, stored?.get(card.externalId), isMeant, club)]),
  );
  const changing = cards.filter(({ index }) => {
    const { warning, ...one } = judged.get(index) ?? {};
    return warning !== undefined && "formerRound" in one;
  });
  if (isMeant || changing.length < 2) return judged;
  const other = `another player, as have ${changing.length} cards of this submission`;
  for (const card of changing) judged.set(card.index, refuseReused(card, other));
  return judged;
}

/** An assessed card that is compared with the one that is stored under its ExternalID. */
export type ComparedAssessment = Assessment & { readonly corrects?: Correction };

/**
 * Compares assessed cards with those that are stored, as a submission does. Nothing is stored.
 *
 * @param allowsAnyCorrection as for `judgeCorrections`, and `club`
 * @throws RefusalError `unavailable` if the table cannot be read
 */
export async function compareAssessed(
  table: Pick<ScorecardTable, "read">,
  apiSet: ApiSet,
  assessments: readonly Assessment[],
  allowsAnyCorrection: boolean,
  club?: AccountClub,
): Promise<readonly ComparedAssessment[]> {
  const keys = assessments.flatMap((one) => (one.good ? [{ apiSet, externalId: one.externalId }] : []));
  const read = await orUnavailable("The stored scorecards could not be read.", table.read(keys));
  const stored = new Map(read.map((card) => [card.externalId, card]));
  const compared = assessments.flatMap((one) =>
    one.good && stored.has(one.externalId) ? [{ ...one, content: contentOf(one.card) }] : [],
  );
  const judged = judgeCorrections(compared, stored, allowsAnyCorrection, club);
  return assessments.map((assessment): ComparedAssessment => {
    if (!assessment.good) return assessment;
    const { index, externalId, warnings } = assessment;
    const { fault, warning, corrects } = judged.get(index) ?? {};
    if (fault !== undefined) return { good: false, index, externalId, faults: [fault], warnings };
    return {
      ...assessment,
      ...(warning !== undefined && { warnings: [...warnings, warning] }),
      ...(corrects !== undefined && { corrects }),
    };
  });
}
