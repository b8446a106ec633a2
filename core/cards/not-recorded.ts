import type { Finding, WarningCode } from "../golf/findings.ts";

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

/** Why a card is not in a record, as far as the record itself shows it. */
export type Absence = keyof typeof told;

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
  absence: Absence | undefined,
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
