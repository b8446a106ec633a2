import type { AccountClub } from "../accounts/account.ts";
import { clubOfUnionId, guidKey } from "../formats/identifiers.ts";
import { isOtherPerson } from "../formats/same-person.ts";
import type { Assessment } from "../golf/assess.ts";
import type { FindCourse } from "../golf/course.ts";
import {
  doubtsAboutMember,
  type MemberDoubt,
  memberWarning,
  type PlayersCard,
} from "../golf/member-warnings.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import { type AskForPlayer, askForPlayers, type PlayerAnswers } from "./ask-for-players.ts";
import { genderOfTee } from "./tee-gender.ts";

/** How many players of the valid cards the union knows, does not know, and was not asked for or did not answer. */
export interface PlayerCounts {
  readonly known: number;
  readonly unknown: number;
  readonly unanswered: number;
}

/** Assessments with the warnings about players whom the union does not know, or of whom it says something else. */
export interface CheckedPlayers {
  readonly assessments: readonly Assessment[];
  readonly players: PlayerCounts;
  readonly members: PlayerAnswers["members"];
}

/** The Gender of a card's tee in the register; undefined if the register does not have the tee. */
function genderOfCard({ Course: { TeeID, CourseID } }: Scorecard, courses: FindCourse): unknown {
  if (TeeID === undefined) return undefined;
  return genderOfTee(courses(guidKey(CourseID ?? TeeID)) ?? courses(guidKey(TeeID)) ?? [], TeeID);
}

/** What else the union's answers about players are compared with. */
export interface AssessedAgainst {
  readonly courses: FindCourse;
  readonly scoresForHandicap: number;
  /** Of an account that may look up the members of one club only. */
  readonly club?: AccountClub | undefined;
}

/** What the union's answers say about a card. @param scoresForHandicap that a player's first Handicap Index takes at the union */
export function doubtsAboutPlayers(
  card: PlayersCard,
  { isKnown, members }: PlayerAnswers,
  gender: unknown,
  scoresForHandicap: number,
): MemberDoubt[] {
  const { UnionID: player } = card.Player ?? {};
  const { UnionID: marker } = card.Marker ?? {};
  const doubts: MemberDoubt[] = [];
  if (typeof player === "string") {
    if (isKnown.get(player) === false) doubts.push({ code: "player_unknown" });
    const member = members.get(player);
    if (member !== undefined) doubts.push(...doubtsAboutMember(card, member, gender, scoresForHandicap));
  }
  if (typeof marker === "string") {
    if (isKnown.get(marker) === false) doubts.push({ code: "marker_unknown" });
    const member = members.get(marker);
    if (member !== undefined && isOtherPerson(card.Marker ?? {}, member))
      doubts.push({ code: "marker_differs" });
  }
  return doubts;
}

/**
 * Asks the union for the players and markers of valid cards, and warns of those whom it does not know or of whom it says
 * something else than the card.
 *
 * @param ask undefined if the union cannot be asked
 * @param left milliseconds that are left
 * @param given the courses of the cards, how many scores a player's first Handicap Index takes at the union, and the account's club
 */
export async function warnOfUnknownPlayers(
  assessments: readonly Assessment[],
  ask: AskForPlayer | undefined,
  left: () => number,
  { courses, scoresForHandicap, club }: AssessedAgainst,
): Promise<CheckedPlayers> {
  const valid = assessments.filter((one) => one.good);
  const players = [...new Set<string>(valid.map(({ card }) => card.Player.UnionID))];
  const markers = valid.flatMap(({ card }) => card.Marker.UnionID ?? []);
  // Players first: there may be no time for all. One of each club before a second one, the largest club first: one that refuses is asked
  // about once, and 25 that refuse end the questions only if no larger club has answered.
  const byClub = [...Map.groupBy(players, clubOfUnionId).values()];
  byClub.sort((one, other) => other.length - one.length);
  const ordered = byClub[0]?.flatMap((_, place) => byClub.flatMap((ofClub) => ofClub[place] ?? [])) ?? [];
  const unionIds = [...new Set<string>([...ordered, ...markers])].filter(
    (unionId) => club === undefined || clubOfUnionId(unionId) === club.number,
  );
  const nobody: PlayerAnswers = { isKnown: new Map(), members: new Map() };
  const answers = ask === undefined ? nobody : await askForPlayers(ask, unionIds, left);
  const answered = players.filter((unionId) => answers.isKnown.has(unionId));
  const known = answered.filter((unionId) => answers.isKnown.get(unionId)).length;
  return {
    assessments: assessments.map((assessment) => {
      if (!assessment.good) return assessment;
      const { card, index, externalId, warnings } = assessment;
      const doubts = doubtsAboutPlayers(card, answers, genderOfCard(card, courses), scoresForHandicap);
      if (doubts.length === 0) return assessment;
      const told = new Set(warnings.map(({ code }) => code));
      const found = doubts
        .map((doubt) => memberWarning(index, externalId, doubt))
        .filter(({ code }) => !told.has(code));
      return { ...assessment, warnings: [...warnings, ...found] };
    }),
    members: answers.members,
    players: { known, unknown: answered.length - known, unanswered: players.length - answered.length },
  };
}
