import { guidKey } from "../../../core/formats/identifiers.ts";
import type { AssessmentContext } from "../../../core/golf/assessed-card.ts";
import { withField } from "./change-card.ts";
import { accepted, cardAbroad, fullCard, type Json, minimalCard, nineHoleCard } from "./sample-cards.ts";
import {
  clubId,
  indexes,
  pars,
  red,
  redId,
  register,
  tee,
  templateId,
  version,
  versionIds,
  yellowId,
} from "./sample-courses.ts";

const [first = "", second = "", third = ""] = versionIds;
const otherClub = guidKey("00000000-0000-4000-8000-000000000000");
const played = (strokes: readonly number[]) => ({ Strokes: strokes, IsQualifying: true });
const round = (changes: Json) => ({
  HolesPlayed: 18,
  RoundType: 1,
  StartTime: "20250622T145700",
  ...changes,
});
const course = (changes: Json) => ({ CourseID: templateId, ClubID: clubId, TeeID: yellowId, ...changes });
const teeNamed = (TeeName: string, changes: Json = {}) => ({
  CourseID: templateId,
  ClubID: clubId,
  TeeName,
  ...changes,
});
const of = (...versions: Parameters<typeof register>) => ({ courses: register(...versions) });
const bogeys = pars.map((par) => par + 1);
const front = [...bogeys.slice(0, 9), ...Array<number>(9).fill(-1)];
const back = [...Array<number>(9).fill(-1), ...bogeys.slice(9)];

/** The version before the one in force: inactive since, with another rating and another stroke index of two holes. */
const before = () =>
  version({
    ID: first,
    IsActive: false,
    ActivationDate: "20230331T220000",
    Version: 1,
    Tees: [tee({ CourseRating: 715000 })],
  });
/** A register that has something else of a tee's fifth hole. */
const withFifthHole = (changes: Json) =>
  of(
    version({
      Tees: [
        tee({ Holes: tee().Holes.map((hole, place) => (place === 4 ? { ...hole, ...changes } : hole)) }),
      ],
    }),
  );
/** A course with a tee for its first nine holes beside the one of all eighteen. */
const withNineHoleTee = () => {
  const nine = { CourseRating: 356000, SlopeRating: 121, IsNineHole: true, Holes: tee().Holes.slice(0, 9) };
  return of(version({ Tees: [tee(), tee({ ID: redId, Name: "Yellow 1-9", ...nine })] }));
};
const current = (changes = {}) => version({ ID: second, Version: 2, ...changes });

/** A card that must be taken, and the warnings that it is taken with. */
export interface ValidCardCase {
  readonly card: () => Json;
  readonly warnings?: readonly string[];
  readonly context?: () => Partial<AssessmentContext>;
  /** The Playing Handicap that explains its points; PHCP or else the Course Handicap, if left out. */
  readonly playingHandicap?: number;
  /** The rating that the register has wrong, and that is not filled in. */
  readonly unrated?: "TeeRating" | "TeeSlope";
  /** Pointer of a field in another case, which a filled-in one replaces. */
  readonly replaced?: string;
}

/** Each a card that must be taken, by what is odd about it. */
export const goodCards: Readonly<Record<string, ValidCardCase>> = {
  "the smallest": { card: minimalCard },
  "with every field": { card: fullCard },
  "on a nine-hole course with odd stroke indexes": { card: nineHoleCard },
  "on a course abroad": { card: cardAbroad },
  "on a nine-hole course abroad": {
    card: () => {
      const card = cardAbroad();
      const Holes = card.Course.Holes.slice(0, 9).map(({ SPH, ...hole }: Json) => hole);
      return {
        ...card,
        CourseHandicap: 5,
        PHCP: 5,
        Course: { ...card.Course, TeePar: 36, TeeRating: "358000", Holes },
        Result: played(bogeys.slice(0, 9)),
        Round: round({ HolesPlayed: 9 }),
      };
    },
  },
  "that names the version": { card: () => minimalCard({ Course: course({ CourseID: first }) }) },
  "with its GUIDs in lower case": {
    card: () =>
      minimalCard({
        Course: course({
          CourseID: templateId.toLowerCase(),
          ClubID: clubId.toLowerCase(),
          TeeID: yellowId.toLowerCase(),
        }),
      }),
  },
  "without the club": { card: () => minimalCard({ Course: { CourseID: templateId, TeeID: yellowId } }) },
  "with the tee by its name and TeeID null": {
    card: () => minimalCard({ Course: teeNamed("Red", { TeeID: null }), CourseHandicap: 12 }),
  },
  "with one of two tees of a name, told apart by the Course Handicap": {
    card: () => minimalCard({ Course: teeNamed("57"), CourseHandicap: 12 }),
    context: () => of(version({ Tees: [tee({ Name: "57" }), { ...red(), Name: "57" }] })),
  },
  "from a tee whose gender is wrong in the register": {
    card: minimalCard,
    context: () => of(version({ Tees: [tee({ Gender: 1 })] })),
  },
  "with the marker's UnionID only": { card: () => minimalCard({ Marker: { UnionID: "1016-100" } }) },
  "with the marker's LifeTimeID only": { card: () => minimalCard({ Marker: { LifeTimeID: "010156-012" } }) },
  "with the marker's name only": { card: () => minimalCard({ Marker: { FullName: "Marker One" } }) },
  "with what the marker has not as empty texts and nulls": {
    card: () => minimalCard({ Marker: { FullName: "Marker One", LifeTimeID: "", UnionID: null } }),
  },
  "of a beginner whose strokes are not those of 54.0": {
    card: () => minimalCard({ HCP: "720000", CourseHandicap: 76 }),
    warnings: ["course_handicap_differs"],
  },
  "with a Handicap Index that nobody has": {
    card: () => minimalCard({ HCP: "1580000", CourseHandicap: 170 }),
    warnings: ["handicap_unlikely"],
  },
  "of a plus player whom nobody equals": {
    card: () => minimalCard({ HCP: -210000, CourseHandicap: -22 }),
    warnings: ["handicap_unlikely"],
  },
  "with a total of points off 95 % of the Course Handicap": {
    card: () =>
      minimalCard({ HCP: "200000", CourseHandicap: 21, Result: { ...played(bogeys), TotalPoints: 38 } }),
    warnings: ["points_differ"],
    playingHandicap: 20,
  },
  "with the total of gross Stableford": {
    card: () =>
      minimalCard({ HCP: "200000", CourseHandicap: 21, Result: { ...played(bogeys), TotalPoints: 18 } }),
    warnings: ["points_differ"],
    playingHandicap: 0,
  },
  "of a plus player with the total of gross Stableford": {
    card: () =>
      minimalCard({ HCP: "-21000", CourseHandicap: -2, Result: { ...played(bogeys), TotalPoints: 18 } }),
    warnings: ["points_differ"],
    playingHandicap: 0,
  },
  "of stroke play, which has no points": {
    card: () => minimalCard({ Result: { ...played(bogeys), TotalPoints: 0 } }),
    warnings: ["points_differ"],
  },
  "with a total of points off the Course Handicap instead of the lower Playing Handicap": {
    card: () => minimalCard({ PHCP: 7, Result: { ...played(bogeys), TotalPoints: 27 } }),
    warnings: ["points_differ"],
  },
  "with a Playing Handicap that no allowance gives": {
    card: () => minimalCard({ HCP: "160000", CourseHandicap: 17, PHCP: 90 }),
    warnings: ["playing_handicap_unlikely"],
  },
  "with a Playing Handicap below all allowances": {
    card: () => minimalCard({ PHCP: -11 }),
    warnings: ["playing_handicap_unlikely"],
  },
  "with a Playing Handicap of tees that are ten strokes easier": { card: () => minimalCard({ PHCP: 19 }) },
  "with 99 strokes on a hole": {
    card: () => minimalCard({ Result: played(bogeys.with(3, 99)) }),
    warnings: ["strokes_unlikely"],
  },
  "with twenty strokes on a hole": { card: () => minimalCard({ Result: played(bogeys.with(3, 20)) }) },
  "of eighteen holes in one": {
    card: () => minimalCard({ Result: played(pars.map(() => 1)) }),
    warnings: ["strokes_unlikely"],
  },
  "of a round in 55 strokes": {
    card: () =>
      minimalCard({ Result: played(pars.map((par, hole) => (hole === 0 ? par : par - 1)).with(1, 4)) }),
    warnings: ["score_exceptional"],
  },
  "of nine holes whose stroke indexes an app numbers 1 to 9": {
    card: () => {
      const { card } = accepted(nineHoleCard());
      const ranks = [4, 2, 8, 5, 1, 6, 9, 3, 7];
      const Holes = card.Course.Holes?.map((hole, place) => ({ ...hole, Index: ranks[place] }));
      return { ...card, Course: { ...card.Course, Holes } };
    },
  },
  "with the strokes received of 95 % of the Course Handicap, and no points": {
    card: () => {
      const { PHCP, Result, ...card } = fullCard({ HCP: "200000", CourseHandicap: 21 });
      const { Strokes, IsQualifying } = Result;
      const Holes = card.Course.Holes.map((hole: Json) => ({ ...hole, SPH: hole.Index <= 2 ? 2 : 1 }));
      return { ...card, Course: { ...card.Course, Holes }, Result: { Strokes, IsQualifying } };
    },
    playingHandicap: 20,
  },
  "with the stroke indexes as Strokes": {
    card: () => minimalCard({ Result: played(indexes) }),
    warnings: ["strokes_unlikely"],
  },
  "with the numbers of the holes as Strokes": {
    card: () => minimalCard({ Result: played(pars.map((_, hole) => hole + 1)) }),
    warnings: ["strokes_unlikely"],
  },
  "with a form's default on every hole": {
    card: () => minimalCard({ Result: played(pars.map(() => 5)) }),
    warnings: ["strokes_unlikely"],
  },
  "with the pars of the holes as Strokes": {
    card: () => minimalCard({ HCP: "400000", CourseHandicap: 42, Result: played(pars) }),
    warnings: ["score_exceptional"],
  },
  "of a beginner who plays far better than 54.0": {
    card: () => minimalCard({ HCP: "540000", CourseHandicap: 57 }),
  },
  "with two holes in one": { card: () => minimalCard({ Result: played(bogeys.with(2, 1).with(6, 1)) }) },
  "created in the future": {
    card: () => minimalCard({ CreateDateTime: "20300101T000000" }),
    warnings: ["create_time_unlikely"],
  },
  "created the day before the round": {
    card: () => minimalCard({ CreateDateTime: "20250621T200000" }),
    warnings: ["create_time_unlikely"],
  },
  "created at the first tee, in UTC": { card: () => minimalCard({ CreateDateTime: "20250622T125700" }) },
  "with every hole picked up": {
    card: () => minimalCard({ Result: played(pars.map(() => 0)) }),
    warnings: ["picked_up_many"],
  },
  "with the last nine holes as 0": {
    card: () => minimalCard({ Result: played(front.map((taken) => (taken === -1 ? 0 : taken))) }),
    warnings: ["picked_up_many"],
  },
  "with three holes not played between others": {
    card: () => minimalCard({ Result: played(bogeys.with(3, -1).with(8, -1).with(12, -1)) }),
    warnings: ["not_played_between"],
  },
  "with a TotalStrokes of 0 beside a hole not played": {
    card: () => minimalCard({ Result: { ...played(bogeys.with(17, -1)), TotalStrokes: 0 } }),
    warnings: ["total_strokes_differ"],
  },
  "of the first nine of eighteen": {
    card: () => minimalCard({ CourseHandicap: 4, Result: played(front), Round: round({ HolesPlayed: 9 }) }),
    warnings: ["nine_holes_unrated"],
  },
  "of the last nine of eighteen": {
    card: () => minimalCard({ CourseHandicap: 4, Result: played(back), Round: round({ HolesPlayed: 9 }) }),
    warnings: ["nine_holes_unrated"],
  },
  "of any nine of eighteen": {
    card: () =>
      minimalCard({
        CourseHandicap: 4,
        Result: played(bogeys.map((strokes, hole) => (hole % 2 === 0 ? strokes : -1))),
        Round: round({ HolesPlayed: 9 }),
      }),
    warnings: ["nine_holes_unrated"],
  },
  "of nine of eighteen, of which two in either half were played": {
    card: () =>
      minimalCard({
        CourseHandicap: 4,
        Result: {
          ...played(bogeys.map((strokes, hole) => (hole % 9 < 2 ? strokes : -1))),
          IsQualifying: false,
        },
        Round: round({ HolesPlayed: 9 }),
      }),
  },
  "too short to qualify": {
    card: () => minimalCard({ Result: played(front), Round: round({}) }),
    warnings: ["round_too_short"],
  },
  "of five holes only": {
    card: () => minimalCard({ Result: played(bogeys.map((taken, hole) => (hole < 5 ? taken : -1))) }),
    warnings: ["round_too_short"],
  },
  "of a tournament without a name": {
    card: () =>
      minimalCard({ Round: round({ RoundType: 2, TournamentName: null, TournamentRoundNumber: null }) }),
  },
  "with fields that the union does not document": {
    card: () => {
      const card = fullCard();
      for (const hole of card.Course.Holes) hole.ID = versionIds[2];
      return {
        ...card,
        AppVersion: "4.1",
        Course: { ...card.Course, BogeyRating: "986000", RatedOn: "20240101T000000" },
        Round: { ...card.Round, Weather: { wind: 5 } },
      };
    },
  },
  "of a tee without stroke indexes, which does not count for handicapping": {
    card: () => minimalCard({ Result: { Strokes: bogeys, IsQualifying: false } }),
    context: () =>
      of(version({ Tees: [tee({ Holes: tee().Holes.map((hole) => ({ ...hole, Index: null })) })] })),
    warnings: ["tee_incomplete"],
  },
  "of a round that starts later today": {
    card: () => minimalCard({ Round: round({ StartTime: "20250701T235959" }) }),
    warnings: ["round_not_over", "create_time_unlikely"],
  },
  "of a round that started today in a country where tomorrow has begun": {
    card: () => cardAbroad({ Round: round({ StartTime: "20250702T003000" }) }),
    warnings: ["create_time_unlikely"],
  },
  "of the minute before a version, played on the one before, which is inactive now": {
    card: () => minimalCard({ Round: round({ StartTime: "20240331T235959" }) }),
    context: () => of(before(), current()),
    warnings: ["version_inactive"],
  },
  "of a round before two versions that are inactive now: the later one counts": {
    card: () => minimalCard({ Round: round({ StartTime: "20240620T100000" }) }),
    context: () =>
      of(
        before(),
        version({ ID: second, Version: 2, IsActive: false, ActivationDate: "20240614T220000" }),
        version({ ID: third, Version: 3, ActivationDate: "20250614T220000" }),
      ),
    warnings: ["version_inactive"],
  },
  "of a round that starts on the day its version was activated, but before": {
    card: () => minimalCard({ Round: round({ StartTime: "20240401T080000" }) }),
    context: () => of(version({ ActivationDate: "20240401T080000" })),
    warnings: ["version_activated_later"],
  },
  "that names a version which is inactive now": {
    card: () => minimalCard({ Course: course({ CourseID: first }) }),
    context: () => of(before(), current()),
    warnings: ["version_differs"],
  },
  "with numbers of another version": {
    card: () => minimalCard({ Course: course({ TeeRating: 715000 }) }),
    context: () => of(before(), current()),
    warnings: ["numbers_of_other_version"],
  },
  "with numbers of another version whose tees have other IDs and another gender": {
    card: () => minimalCard({ Course: course({ TeeRating: 715000 }) }),
    context: () =>
      of(version({ ...before(), Tees: [tee({ CourseRating: 715000, ID: redId, Gender: 1 })] }), current()),
    warnings: ["numbers_of_other_version"],
  },
  "with a tee of another version": {
    card: () => minimalCard({ Course: course({ TeeID: redId }), CourseHandicap: 12 }),
    context: () => of({ ...before(), Tees: [red()] }, current({ Tees: [tee()] })),
    warnings: ["tee_of_other_version"],
  },
  "with the name of a tee of another version": {
    card: () => minimalCard({ Course: teeNamed("Red"), CourseHandicap: 12 }),
    context: () => of({ ...before(), Tees: [red()] }, current({ Tees: [tee()] })),
    warnings: ["tee_of_other_version"],
  },
  "of another club that lists the course": {
    card: () => minimalCard({ Course: course({ ClubID: otherClub }) }),
    context: () => of(version({ ListedBy: [guidKey(clubId), otherClub] })),
    warnings: ["club_differs"],
  },
  "with other names than the register's": {
    card: () => minimalCard({ Course: course({ Name: "Old", ClubName: "Club", TeeName: "Gul" }) }),
    warnings: ["course_name_differs", "club_name_differs", "tee_name_differs"],
  },
  "with its holes from the tenth on": {
    card: () => {
      const card = fullCard();
      const turned = (list: readonly Json[]) => [...list.slice(9), ...list.slice(0, 9)];
      const { Strokes, Points } = card.Result;
      return {
        ...card,
        Course: { ...card.Course, Holes: turned(card.Course.Holes) },
        Result: { ...card.Result, Strokes: turned(Strokes), Points: turned(Points) },
      };
    },
    warnings: ["holes_rotated"],
  },
  "with its holes numbered otherwise": {
    card: () => withField(fullCard(), "/Course/Holes/17/Number", 19),
    warnings: ["hole_numbers_differ"],
  },
  "with holes that say their par only": {
    card: () => minimalCard({ Course: course({ Holes: pars.map((Par) => ({ Par })) }) }),
  },
  "on a tee without stroke indexes, which the card brings": {
    warnings: ["tee_incomplete"],
    card: () => minimalCard({ Course: { ...fullCard().Course, TeeID: yellowId } }),
    context: () =>
      of(version({ Tees: [tee({ Holes: tee().Holes.map((hole) => ({ ...hole, Index: null })) })] })),
  },
  "on a tee with a stroke index on two holes, where the card's own are right": {
    warnings: ["tee_incomplete"],
    card: fullCard,
    context: () => withFifthHole({ Index: 7 }),
  },
  "on a tee that lacks a hole, which the card brings": {
    warnings: ["tee_incomplete"],
    card: fullCard,
    context: () => of(version({ Tees: [tee({ Holes: tee().Holes.toSpliced(4, 1) })] })),
  },
  "on a tee without a rating, which the register writes as 0": {
    warnings: ["tee_unrated"],
    card: fullCard,
    context: () => of(version({ Tees: [tee({ CourseRating: 0, SlopeRating: 0 })] })),
  },
  "on a tee with figures of a hole that no hole has": {
    card: minimalCard,
    context: () => withFifthHole({ Number: 100, Length: -1 }),
  },
  "on a tee with a par that no hole has, where the card's own are right": {
    warnings: ["tee_incomplete"],
    card: fullCard,
    context: () => withFifthHole({ Par: 44 }),
  },
  "with holes numbered twice": {
    card: () => withField(fullCard(), "/Course/Holes/17/Number", 1),
    warnings: ["hole_numbers_repeated"],
  },
  "abroad with holes numbered twice": {
    card: () => withField(cardAbroad(), "/Course/Holes/17/Number", 1),
    warnings: ["hole_numbers_repeated"],
  },
  "abroad that begins at another hole": {
    card: () => {
      const card = cardAbroad();
      for (const [place, hole] of card.Course.Holes.entries()) hole.Number = ((place + 4) % 18) + 1;
      return card;
    },
    warnings: ["holes_rotated"],
  },
  "abroad on the last eighteen of 27 holes, indexed among all of them": {
    card: () => {
      const card = cardAbroad({ CourseHandicap: 9 });
      for (const [place, hole] of card.Course.Holes.entries()) {
        hole.Number = place + 10;
        hole.Index += 9;
      }
      return card;
    },
  },
  "without CourseID, where the tee names the course": {
    card: () => minimalCard({ Course: { ClubID: clubId, TeeID: yellowId } }),
  },
  "with CourseID null, where the tee names the course": {
    card: () => minimalCard({ Course: { CourseID: null, TeeID: yellowId.toLowerCase() } }),
  },
  "with CourseID misspelt, where the tee names the course": {
    card: () => minimalCard({ Course: { CourseId: templateId, ClubID: clubId, TeeID: yellowId } }),
    warnings: ["field_misspelt"],
    replaced: "/Course/CourseId",
  },
  "with a player's token": {
    card: () => minimalCard(),
    context: () => ({ hasToken: true }),
    warnings: ["token_not_used"],
  },
  "with a field of a hole in lower case": {
    card: () => withField(withField(fullCard(), "/Course/Holes/3/SPH", undefined), "/Course/Holes/3/sph", 7),
    warnings: ["field_misspelt"],
    replaced: "/Course/Holes/3/sph",
  },
  "with misspelt fields of a hole and of its own": {
    card: () => withField(withField(fullCard(), "/Course/Holes/3/Indx", 9), "/coment", "Wind"),
    warnings: ["field_misspelt", "field_misspelt"],
  },
  "of the union's country that names no course": {
    card: () => withField(cardAbroad(), "/Course/Country", "dk"),
    warnings: ["course_id_missing"],
  },
  "of the union's club that names no course": {
    card: () => withField(cardAbroad(), "/Course/ClubID", clubId),
    context: () => ({ clubs: { numbers: new Set([1016]), ids: new Set([clubId]) } }),
    warnings: ["course_id_missing"],
  },
  "on a tee without a Slope Rating, which is not filled in": {
    card: () => fullCard(),
    context: () => of(version({ Tees: [tee({ SlopeRating: 0 })] })),
    warnings: ["tee_unrated"],
  },
  "of a round before 2000, as an unset date is": {
    card: () => minimalCard({ Round: round({ StartTime: "19991231T235959" }) }),
    context: () => of(version({ ActivationDate: "19700101T000000" })),
    warnings: ["start_long_ago"],
  },
  "abroad with a par of 2": {
    card: () => withField(withField(cardAbroad(), "/Course/Holes/2/Par", 2), "/Course/TeePar", 71),
    warnings: ["par_unusual", "points_differ", "course_handicap_differs"],
  },
  "abroad with a Course Rating of two decimals": {
    card: () => withField(cardAbroad(), "/Course/TeeRating", "718400"),
    warnings: ["rating_not_a_tenth"],
  },
  "abroad with the Course Rating of nine holes": {
    card: () => withField(cardAbroad(), "/Course/TeeRating", "359000"),
    warnings: ["rating_unlikely"],
  },
  "on a tee with a Slope Rating that no tee has": {
    card: minimalCard,
    context: () => of(version({ Tees: [tee({ SlopeRating: 12 })] })),
    warnings: ["tee_unrated"],
    unrated: "TeeSlope",
  },
  "on a tee with the Course Rating of nine holes": {
    card: minimalCard,
    context: () => of(version({ Tees: [tee({ CourseRating: 359000 })] })),
    warnings: ["tee_unrated"],
    unrated: "TeeRating",
  },
  "of a player who is the marker, with another number of zeros": {
    card: () => minimalCard({ Marker: { UnionID: "1016-01" } }),
    warnings: ["marker_is_player"],
  },
  "of a player who is the marker": {
    card: () => minimalCard({ Marker: { FullName: "Somebody", UnionID: "1016-1" } }),
    warnings: ["marker_is_player"],
  },
  "of a player who is the marker by name, where no identifier can be compared": {
    card: () => withField(fullCard(), "/Marker", { FullName: " player one" }),
    warnings: ["marker_is_player"],
  },
  "of a player who is the marker by the last name first": {
    card: () => withField(fullCard(), "/Marker", { FullName: "One, Player" }),
    warnings: ["marker_is_player"],
  },
  "of a player who is the marker as a member of another club": {
    card: () => withField(fullCard(), "/Marker", { FullName: "Player One", UnionID: "1017-7" }),
    warnings: ["marker_is_player"],
  },
  "of a player with the name of the marker, who is another": {
    card: () => withField(fullCard(), "/Marker", { FullName: "Player One", UnionID: "1016-7" }),
  },
  "of a player with a club number that no club has": {
    card: () => minimalCard(),
    context: () => ({ clubs: { numbers: new Set([1017]), ids: new Set() } }),
    warnings: ["club_number_unknown", "club_number_unknown"],
  },
  "of a player of another union": {
    card: () => minimalCard({ Player: { UnionID: "9999-1", HomeClubCountry: "SE" } }),
    context: () => ({ clubs: { numbers: new Set([1016]), ids: new Set() } }),
    warnings: ["club_number_unknown"],
  },
  "of a player with a mistyped club number whose country is the union's": {
    card: () => minimalCard({ Player: { UnionID: "9999-1", HomeClubCountry: "Danmark" } }),
    context: () => ({ clubs: { numbers: new Set([1016]), ids: new Set() } }),
    warnings: ["club_number_unknown"],
  },
  "of a marker with a club number that no club has": {
    card: () => minimalCard({ Marker: { UnionID: "9999-1" } }),
    context: () => ({ clubs: { numbers: new Set([1016]), ids: new Set() } }),
    warnings: ["club_number_unknown"],
  },
  "with the club number of a club": {
    card: () => minimalCard(),
    context: () => ({ clubs: { numbers: new Set([1016]), ids: new Set() } }),
  },
  "whose club numbers cannot be checked, since there are no clubs yet": {
    card: () => minimalCard(),
    context: () => ({ clubs: { numbers: new Set(), ids: new Set() } }),
  },
  "of nine of eighteen with the Course Handicap of eighteen": {
    card: () => minimalCard({ Result: played(front), Round: round({ HolesPlayed: 9 }) }),
    warnings: ["nine_holes_unrated", "course_handicap_differs"],
  },
  "of nine of eighteen that have a tee of their own": {
    card: () => minimalCard({ CourseHandicap: 4, Result: played(front), Round: round({ HolesPlayed: 9 }) }),
    context: () => withNineHoleTee(),
  },
  "of nine of eighteen that have a tee of their own, with the Course Handicap of eighteen": {
    card: () => minimalCard({ Result: played(front), Round: round({ HolesPlayed: 9 }) }),
    context: () => withNineHoleTee(),
    warnings: ["course_handicap_differs"],
  },
  "of nine of eighteen of which only the others have a tee of their own": {
    card: () => minimalCard({ CourseHandicap: 4, Result: played(back), Round: round({ HolesPlayed: 9 }) }),
    context: () => withNineHoleTee(),
    warnings: ["nine_holes_unrated"],
  },
  "of nine of eighteen that is not to count": {
    card: () =>
      minimalCard({
        CourseHandicap: 4,
        Result: { Strokes: front, IsQualifying: false },
        Round: round({ HolesPlayed: 9 }),
      }),
  },
  "with a Course Handicap that is not the rules'": {
    card: () => minimalCard({ CourseHandicap: 11 }),
    warnings: ["course_handicap_differs"],
  },
  "with the half of a nine-hole Handicap Index rounded": {
    card: () => nineHoleCard({ HCP: "155000", CourseHandicap: 8 }),
  },
  "with a Handicap Index of two decimals": {
    card: () => minimalCard({ HCP: "90400" }),
    warnings: ["handicap_not_a_tenth"],
  },
  "with strokes allocated in another way": {
    card: () => {
      const card = fullCard();
      for (const [hole, { SPH }] of card.Course.Holes.entries()) card.Course.Holes[hole].SPH = 1 - SPH;
      return card;
    },
    warnings: ["strokes_received_differ"],
  },
  "of nine holes with the total of points by the stroke indexes as they are written": {
    // Four strokes go to the holes with the indexes 1, 3, 5 and 7, or to those up to 4: 1 and 3.
    card: () => withField(nineHoleCard(), "/Result/TotalPoints", 11),
    warnings: ["points_differ"],
  },
  "of the first nine of eighteen with the total of points by the stroke indexes as they are written": {
    card: () =>
      minimalCard({
        CourseHandicap: 4,
        Result: { ...played(front), TotalPoints: 11 },
        Round: round({ HolesPlayed: 9 }),
      }),
    warnings: ["nine_holes_unrated", "points_differ"],
  },
  "with points counted in another way": {
    card: () => {
      const card = fullCard();
      card.Result.Points[0] += 1;
      card.Result.TotalPoints += 1;
      return card;
    },
    warnings: ["points_differ"],
  },
  "with another adjusted gross score": {
    card: () => withField(fullCard(), "/Result/NetDoubleBogeyGross", 80),
    warnings: ["net_double_bogey_differs"],
  },
  "of a player whose name was not UTF-8": {
    card: () => withField(fullCard(), "/Player/FullName", "S\ufffdren K\ufffdr"),
    warnings: ["text_garbled"],
  },
  "with a field of the vendor's own that was not UTF-8": {
    card: () => withField(fullCard(), "/Course/Holes/3/remarks", [{ "~by/\ufffd": 1 }]),
    warnings: ["text_garbled"],
  },
  "on a course that is not approved for qualifying": {
    card: minimalCard,
    context: () => of(version({ IsHcpQualifying: false })),
    warnings: ["course_not_qualifying"],
  },
  "on a course that is not visible": { card: minimalCard, context: () => of(version({ IsVisible: false })) },
  "on a course whose register record lacks fields": {
    card: minimalCard,
    context: () => {
      const { ClubName, IsVisible, IsHcpQualifying, NumberOfHoles, ...bare } = version();
      return of(bare as Json);
    },
  },
};
