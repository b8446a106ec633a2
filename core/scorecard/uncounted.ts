import type { TeeNumbers } from "../courses/tee-numbers.ts";
import { oneStroke } from "../formats/ten-thousandths.ts";
import type { Findings } from "./findings.ts";
import type { Scorecard } from "./scorecard.ts";
import { sameName } from "./tee-of-card.ts";

/** What is known of the union's clubs. */
export interface KnownClubs {
  /** Official club numbers; empty while the mirror has none. */
  readonly numbers: ReadonlySet<number>;
  /** Those clubs, in upper case, that cards without CourseID name and the union has. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Warns of what the World Handicap System, or the union, cannot count. None of it proves that the card is wrong.
 *
 * @param card filled in, and without a fault
 * @param tee undefined on an unlisted course
 */
export function warnOfUncounted(
  card: Scorecard,
  tee: TeeNumbers | undefined,
  clubs: KnownClubs | undefined,
  findings: Findings,
): void {
  if (tee !== undefined) warnOfTee(card, tee, findings);
  const { StartTime: received } = card.Round;
  if (received < "2000") {
    const detail =
      "The round is from before 2000, as an unset date is. The union may calculate no handicap from it. Send the time at which it was played.";
    findings.warn("/Round/StartTime", "start_long_ago", detail, { received });
  }
  if (Number(card.Course.TeeRating) % (oneStroke / 10) !== 0 && card.Course.TeeRating !== undefined) {
    const detail =
      "Course/TeeRating has more than one decimal. It is the Course Rating times 10,000: 71.8 is 718000.";
    findings.warn("/Course/TeeRating", "rating_not_a_tenth", detail, { received: card.Course.TeeRating });
  }
  warnOfPar(card, findings);
  if (isMarkerThePlayer(card)) {
    const detail =
      "The marker is the player, but a score must be certified by somebody else (Rules of Handicapping 2.1). Send who marked the card.";
    findings.warn("/Marker", "marker_is_player", detail);
  }
  warnOfClubNumber(card, clubs, findings);
}

function warnOfPar({ Course }: Scorecard, findings: Findings): void {
  let hole = 0;
  // A loop costs half of what `findIndex` does, on each card.
  for (const { Par: received = 3 } of Course.Holes ?? []) {
    if (received < 3 || received > 6) {
      const detail =
        "The par of a hole is from 3 to 6; the union may calculate no handicap from another one.";
      findings.warn(`/Course/Holes/${hole}/Par`, "par_unusual", detail, { expected: "3 to 6", received });
      return;
    }
    hole++;
  }
}

function warnOfTee(card: Scorecard, { rating, slope, fault }: TeeNumbers, findings: Findings): void {
  const pointer = card.Course.TeeID === undefined ? "/Course/TeeName" : "/Course/TeeID";
  if (rating === undefined || slope === undefined) {
    const lacks = [rating === undefined && "Course Rating", slope === undefined && "Slope Rating"];
    const detail = `The union's register has no ${lacks.filter(Boolean).join(" and no ")} of this tee, so no handicap can be calculated from the round. Its club has to complete it; the card is not at fault.`;
    findings.warn(pointer, "tee_unrated", detail);
  }
  if (fault !== undefined) {
    const detail = `The union's register is incomplete for this tee: ${fault}. The card's own holes are used here, but the union may calculate no handicap until the club has completed it.`;
    findings.warn(pointer, "tee_incomplete", detail);
  }
}

/** Whether the marker has the player's identifier or, where no identifier of theirs can be compared, the player's name. */
function isMarkerThePlayer({ Player, Marker }: Scorecard): boolean {
  if (Marker.UnionID !== undefined && Marker.UnionID === Player.UnionID) return true;
  const { LifeTimeID } = Player;
  const isComparable = LifeTimeID !== undefined && Marker.LifeTimeID !== undefined;
  if (isComparable && LifeTimeID === Marker.LifeTimeID) return true;
  if (isComparable || Marker.UnionID !== undefined) return false;
  return Boolean(Player.FullName) && sameName(Player.FullName, Marker.FullName);
}

/** The marker's number does not matter: no handicap is calculated for the marker, who may be of another union. */
function warnOfClubNumber({ Player }: Scorecard, clubs: KnownClubs | undefined, findings: Findings): void {
  if (clubs === undefined || clubs.numbers.size === 0) return;
  if (clubs.numbers.has(Number.parseInt(Player.UnionID, 10))) return;
  const detail =
    "Player/UnionID begins with a club number that no club of the union has. Send the club's number and the member's number with a hyphen between.";
  findings.warn("/Player/UnionID", "club_number_unknown", detail);
}
