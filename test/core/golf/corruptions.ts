import { guidKey } from "../../../core/formats/identifiers.ts";
import type { AssessmentContext } from "../../../core/golf/assessed-card.ts";
import type { FaultCode } from "../../../core/golf/findings.ts";
import { withField } from "./change-card.ts";
import { cardAbroad, fullCard, type Json, nineHoleCard } from "./sample-cards.ts";
import { clubId, register, tee, version, yellowId } from "./sample-courses.ts";

/** One way to spoil a good card, and the only fault that it must be answered with. */
export interface Corruption {
  readonly code: FaultCode;
  readonly pointer: string;
  readonly spoil: (card: Json) => Json;
  /** The good card; with every field, on a course of the union, where left out. */
  readonly card?: () => Json;
  readonly context?: Partial<AssessmentContext>;
}

function setting(
  code: FaultCode,
  pointer: string,
  value: unknown,
  more: Pick<Corruption, "card" | "context"> = {},
): Corruption {
  return { code, pointer, spoil: (card) => withField(card, pointer, value), ...more };
}

const abroad = { card: cardAbroad };
const noSuch = "00000000-0000-4000-8000-000000000000";
const noStrokeIndex = version({
  Tees: [tee({ Holes: tee().Holes.map((hole) => ({ ...hole, Index: null })) })],
});

const earlierVersion = version({
  ID: "4FC90CA7-0000-4EB8-8A5E-290DAC67C77E",
  IsActive: false,
  ActivationDate: "20230331T220000",
  Tees: [tee({ CourseRating: 700000, SlopeRating: 113 })],
});

/** A card on a course of the union that brings nothing of the course but how it is named. */
function bare(): Json {
  const card = fullCard();
  const { CourseID, ClubID, TeeID } = card.Course;
  return { ...card, Course: { CourseID, ClubID, TeeID } };
}

/** A card that names its tee by its name only. */
function byTeeName(): Json {
  const { TeeID, TeeRating, TeeSlope, ...Course } = fullCard().Course;
  return fullCard({ Course });
}

/** A card that leaves out its points, but not their total. */
function withoutPoints(): Json {
  return withField(fullCard(), "/Result/Points", undefined);
}

const deep = Array.from({ length: 40 }).reduce<Json>((inner) => ({ inner }), {});

/** What can be wrong with a card that is otherwise good, by what a vendor would call it. */
export const corruptions: Readonly<Record<string, Corruption>> = {
  "a list instead of a card": { code: "not_an_object", pointer: "", spoil: (card) => [card] },
  "a CourseID that is misspelt, without a tee that names its course": {
    code: "required",
    pointer: "/Course/CourseID",
    card: bare,
    spoil: (card) => {
      const { CourseID, TeeID, ...Course } = card.Course;
      return { ...card, Course: { ...Course, CourseId: CourseID, TeeName: "Yellow" } };
    },
  },
  "no CourseID, of a club of the union, with a tee that its register does not have": {
    code: "required",
    pointer: "/Course/CourseID",
    context: { clubs: { numbers: new Set(), ids: new Set([fullCard().Course.ClubID]) } },
    card: bare,
    spoil: (card) => ({ ...card, Course: { ...card.Course, CourseID: null, TeeID: noSuch } }),
  },
  "no time of creation": setting("required", "/CreateDateTime", undefined),
  "no ExternalID": setting("required", "/ExternalID", undefined),
  "an empty ExternalID": setting("external_id_invalid", "/ExternalID", ""),
  "an ExternalID that forces an outcome, on a stage without a sandbox": setting(
    "sandbox_id",
    "/ExternalID",
    "sandbox:slow",
  ),
  "an ExternalID that was not UTF-8": setting("external_id_garbled", "/ExternalID", "S\ufffd-1"),
  "no handicap": setting("required", "/HCP", undefined),
  "a Handicap Index that is not times 10,000": setting("ten_thousandths_invalid", "/HCP", "9.0"),
  "a Handicap Index that was not multiplied by 10,000": setting("out_of_range", "/HCP", "9"),
  "a Course Rating that was not multiplied by 10,000": setting(
    "ten_thousandths_invalid",
    "/Course/TeeRating",
    71.8,
  ),
  "a Course Handicap times 10,000": setting("out_of_range", "/CourseHandicap", 90_000),
  "a Handicap Index that is null": setting("ten_thousandths_invalid", "/HCP", null),
  "a player who has no Handicap Index": setting("ten_thousandths_invalid", "/HCP", "NH"),
  "a Handicap Index out of all bounds": setting("out_of_range", "/HCP", "12400000"),
  "no Course Handicap": setting("required", "/CourseHandicap", undefined),
  "a Course Handicap as a text": setting("wrong_type", "/CourseHandicap", "9"),
  "a Playing Handicap with a fraction": setting("wrong_type", "/PHCP", 8.5),
  "an ID that is no GUID": setting("guid_invalid", "/ID", "card-17"),
  "a field in another case beside the documented one": setting("field_twice", "/hcp", null),
  "no course": setting("required", "/Course", undefined),
  "a CourseID that is no GUID": setting("guid_invalid", "/Course/CourseID", "17"),
  "a course that the union does not have": setting("course_unknown", "/Course/CourseID", noSuch),
  "a course that the union has removed": setting("course_removed", "/Course/CourseID", noSuch, {
    context: {
      courses: register(version(), version({ ID: noSuch, TemplateID: noSuch, RemovedAt: Date.UTC(2025, 4) })),
    },
  }),
  "the club of another course": setting("club_mismatch", "/Course/ClubID", noSuch),
  "a round at another club than the account's": setting("other_club", "/Course/ClubID", clubId, {
    context: { club: { id: guidKey(noSuch), number: 1 } },
  }),
  "a tee of another course": setting("tee_unknown", "/Course/TeeID", noSuch),
  "no tee": {
    code: "required",
    pointer: "/Course/TeeID",
    card: bare,
    spoil: (card) => withField(card, "/Course/TeeID", undefined),
  },
  "a tee name that the course does not have": setting("tee_unknown", "/Course/TeeName", "Silver", {
    card: byTeeName,
  }),
  "a tee name that two tees have": setting("tee_ambiguous", "/Course/TeeName", "Both", {
    card: () => withField(byTeeName(), "/CourseHandicap", 10),
    context: {
      courses: register(
        version({ Tees: [tee(), tee({ Name: "Both" }), tee({ Name: "both", SlopeRating: 140 })] }),
      ),
    },
  }),
  "a round before the course was": {
    code: "version_not_in_force",
    pointer: "/Round/StartTime",
    spoil: (card) => withField(card, "/Round/StartTime", "20240331T120000"),
  },
  "a tee that the register does not know whole": {
    code: "course_register_incomplete",
    pointer: "/Course/TeeID",
    card: bare,
    context: { courses: register(noStrokeIndex) },
    spoil: (card) => card,
  },
  "a tee that the register does not know whole, by its name": {
    code: "course_register_incomplete",
    pointer: "/Course/TeeName",
    card: () => withField(withField(bare(), "/Course/TeeID", undefined), "/Course/TeeName", "Yellow"),
    context: { courses: register(noStrokeIndex) },
    spoil: (card) => card,
  },
  "a tee that the register has too few holes of": {
    code: "course_register_incomplete",
    pointer: "/Course/TeeID",
    card: bare,
    context: { courses: register(version({ Tees: [tee({ Holes: tee().Holes.slice(0, 8) })] })) },
    spoil: (card) => card,
  },
  "a tee that the register has twelve holes of, which the card brings": {
    code: "course_register_incomplete",
    pointer: "/Course/TeeID",
    context: { courses: register(version({ Tees: [tee({ Holes: tee().Holes.slice(0, 12) })] })) },
    card: bare,
    spoil: (card) => withField(card, "/Course/Holes", fullCard().Course.Holes.slice(0, 12)),
  },
  "a course that the register has no tees of": {
    code: "course_register_incomplete",
    pointer: "/Course/CourseID",
    context: { courses: register(version({ Tees: [] })) },
    spoil: (card) => card,
  },
  "a course that the register has no date of": {
    code: "course_register_incomplete",
    pointer: "/Course/CourseID",
    context: { courses: register(version({ ActivationDate: "" })) },
    spoil: (card) => card,
  },
  "a country's name for its code": setting("country_invalid", "/Course/Country", "Denmark"),
  "another Course Rating than the register's": setting("tee_rating_mismatch", "/Course/TeeRating", "700000"),
  "the Course Rating of another version, and the Slope Rating of this one": {
    code: "tee_rating_mismatch",
    pointer: "/Course/TeeRating",
    context: { courses: register(version({ Version: 2 }), earlierVersion) },
    spoil: (card) => withField(card, "/Course/TeeRating", 700000),
  },
  "another Slope Rating than the register's": setting("tee_slope_mismatch", "/Course/TeeSlope", 113),
  "a Slope Rating that is none": setting("slope_invalid", "/Course/TeeSlope", "steep"),
  "another par than the register's": setting("hole_par_mismatch", "/Course/Holes/0/Par", 5),
  "another stroke index than the register's": setting("hole_index_mismatch", "/Course/Holes/0/Index", 20),
  "the stroke index of another hole": setting("hole_index_mismatch", "/Course/Holes/0/Index", 15),
  "a stroke index on two holes of a tee without any": {
    code: "stroke_index_repeated",
    pointer: "/Course/Holes/4/Index",
    context: { courses: register(noStrokeIndex) },
    spoil: (card) => withField(card, "/Course/Holes/4/Index", 7),
  },
  "a comment that is no text": setting("wrong_type", "/Comment", 7),
  "a par as a text": setting("wrong_type", "/Course/Holes/12/Par", "5"),
  "a hole that is no object": setting("wrong_type", "/Course/Holes/12", 5),
  "points as a text": setting("wrong_type", "/Result/Points/12", "2"),
  "a hole missing": {
    code: "holes_count",
    pointer: "/Course/Holes",
    spoil: (card) => withField(card, "/Course/Holes", card.Course.Holes.slice(1)),
  },
  "a total par that is not the holes'": setting("total_mismatch", "/Course/TeePar", 71),
  "no rating of a course abroad": setting("required", "/Course/TeeRating", undefined, abroad),
  "no country of a course abroad": setting("required", "/Course/Country", undefined, abroad),
  "no stroke index of a hole abroad": setting("required", "/Course/Holes/4/Index", undefined, abroad),
  "a Slope Rating abroad that no course has": setting("out_of_range", "/Course/TeeSlope", 160, abroad),
  "a Course Rating abroad that is not times 10,000": setting(
    "out_of_range",
    "/Course/TeeRating",
    "718",
    abroad,
  ),
  "a stroke index abroad on two holes": setting("stroke_index_repeated", "/Course/Holes/4/Index", 7, abroad),
  "a total par abroad that is not the holes'": setting("total_mismatch", "/Course/TeePar", 70, abroad),
  "no round": setting("required", "/Round", undefined),
  "no length of the round": setting("required", "/Round/HolesPlayed", undefined),
  "fewer holes than were played": setting("holes_played_mismatch", "/Round/HolesPlayed", 17),
  "more holes than the tee has": setting("holes_played_mismatch", "/Round/HolesPlayed", 19),
  "a kind of round that there is not": setting("value_not_allowed", "/Round/RoundType", 3),
  "a time of another form": setting("timestamp_invalid", "/Round/StartTime", "2025-06-22T14:57:00"),
  "a time in UTC": setting("timestamp_invalid", "/Round/StartTime", "2025-06-22T12:57:00Z"),
  "a GUID in braces": setting("guid_invalid", "/Course/TeeID", "{629BDEEC-0000-4309-861E-08B072D9509A}"),
  "a Slope Rating times 10,000": setting("slope_invalid", "/Course/TeeSlope", 1_190_000),
  "the ID of a tee as CourseID": setting("course_unknown", "/Course/CourseID", yellowId),
  "30 February": setting("timestamp_invalid", "/Round/StartTime", "20250230T145700"),
  "a round tomorrow": setting("start_in_future", "/Round/StartTime", "20250702T000000"),
  "no strokes": setting("required", "/Result/Strokes", undefined),
  "a stroke missing": {
    code: "strokes_count",
    pointer: "/Result/Strokes",
    spoil: (card) => withField(card, "/Result/Strokes", card.Result.Strokes.slice(1)),
  },
  "a stroke too many": {
    code: "strokes_count",
    pointer: "/Result/Strokes",
    spoil: (card) => withField(card, "/Result/Strokes", [...card.Result.Strokes, 4]),
  },
  "strokes of eighteen holes on nine": {
    code: "strokes_count",
    pointer: "/Result/Strokes",
    card: nineHoleCard,
    spoil: (card) => withField(card, "/Result/Strokes", fullCard().Result.Strokes),
  },
  "fewer holes than were played, one of them not": {
    code: "holes_played_mismatch",
    pointer: "/Round/HolesPlayed",
    spoil: (card) => {
      const { TotalStrokes, TotalPoints, Points, NetDoubleBogeyGross, ...Result } = card.Result;
      return {
        ...card,
        Result: { ...Result, Strokes: Result.Strokes.with(0, -1) },
        Round: { ...card.Round, HolesPlayed: 16 },
      };
    },
  },
  "a hole too few abroad": {
    code: "holes_count",
    pointer: "/Course/Holes",
    card: () => withField(cardAbroad(), "/Course/TeePar", undefined),
    spoil: (card) => {
      const { Points, TotalPoints, ...Result } = card.Result;
      return { ...withField(card, "/Course/Holes", card.Course.Holes.slice(1)), Result };
    },
  },
  "a negative number of strokes": setting("out_of_range", "/Result/Strokes/3", -2),
  "strokes as a text": setting("wrong_type", "/Result/Strokes/12", "5"),
  "no hole played": {
    code: "no_hole_played",
    pointer: "/Result/Strokes",
    spoil: (card) => {
      const { TotalStrokes, Points, ...Result } = card.Result;
      return { ...card, Result: { ...Result, Strokes: Array(18).fill(-1) } };
    },
  },
  "points of a hole missing": {
    code: "points_count",
    pointer: "/Result/Points",
    spoil: (card) => {
      const points = [...card.Result.Points.slice(2), card.Result.Points[0] + card.Result.Points[1]];
      return withField(card, "/Result/Points", points);
    },
  },
  "total strokes that are not the strokes'": setting("total_mismatch", "/Result/TotalStrokes", 89),
  "total points that are not the points'": setting("total_mismatch", "/Result/TotalPoints", 30),
  "total points that no handicap gives": setting("total_mismatch", "/Result/TotalPoints", 99, {
    card: withoutPoints,
  }),
  "no word whether it qualifies": setting("required", "/Result/IsQualifying", undefined),
  "a word for yes instead of true": setting("wrong_type", "/Result/IsQualifying", "yes"),
  "no player": setting("required", "/Player", undefined),
  "a player without UnionID": setting("required", "/Player/UnionID", undefined),
  "a UnionID without a hyphen": setting("union_id_invalid", "/Player/UnionID", "10161"),
  "a LifeTimeID without a hyphen": setting("lifetime_id_invalid", "/Player/LifeTimeID", "160575026"),
  "no marker": setting("required", "/Marker", undefined),
  "a marker who is nobody": setting("marker_unidentified", "/Marker", { HomeClubName: "Test Club" }),
  "a marker of blanks": setting("marker_unidentified", "/Marker", { FullName: "  " }),
  "points of par/bogey": {
    code: "out_of_range",
    pointer: "/Result/Points/0",
    spoil: (card) => {
      const { Result } = card;
      const Points = Result.Points.map((_: number, hole: number) => (hole % 3) - 1);
      return { ...card, Result: { ...Result, Points, TotalPoints: -3 } };
    },
  },
  "a total of points below 0": { ...setting("out_of_range", "/Result/TotalPoints", -3), card: withoutPoints },
  "eighteen holes on the nine-hole tee of a course that has one of eighteen": {
    code: "strokes_count",
    pointer: "/Result/Strokes",
    card: bare,
    context: {
      courses: register(
        version({
          Tees: [
            tee({ Holes: tee().Holes.slice(0, 9), IsNineHole: true }),
            tee({ ID: noSuch, Name: "Yellow 18" }),
          ],
        }),
      ),
    },
    spoil: ({ Result, ...card }) => {
      const { Points, TotalPoints, ...rest } = Result;
      return { ...card, Result: rest };
    },
  },
  "a round on a course of twelve holes": {
    code: "strokes_count",
    pointer: "/Result/Strokes",
    card: bare,
    context: {
      courses: register(version({ NumberOfHoles: 12, Tees: [tee({ Holes: tee().Holes.slice(0, 12) })] })),
    },
    spoil: ({ Result, Round, ...card }) => ({
      ...card,
      Result: { Strokes: Result.Strokes.slice(0, 12), IsQualifying: true },
      Round: { ...Round, HolesPlayed: 12 },
    }),
  },
  "eighteen strokes on a course of twelve holes": {
    code: "course_register_incomplete",
    pointer: "/Course",
    card: bare,
    context: {
      courses: register(version({ NumberOfHoles: 12, Tees: [tee({ Holes: tee().Holes.slice(0, 12) })] })),
    },
    spoil: (card) => card,
  },
  "a card that is too large": {
    code: "card_too_large",
    pointer: "",
    spoil: (card) => ({ ...card, Photo: "x".repeat(300_000) }),
  },
  "a card that is too deep": { code: "card_too_deep", pointer: "", spoil: (card) => ({ ...card, deep }) },
};
