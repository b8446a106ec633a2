import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { withField } from "./change-card.ts";
import type { DrawnCard } from "./drawn-cards.ts";
import type { Json } from "./sample-cards.ts";

/** A mistake that one card gets, and the findings of which one must tell it. */
export interface PlantedFault {
  readonly codes: readonly string[];
  /** The card with the mistake; undefined if this one cannot have it. */
  readonly plant: (drawn: DrawnCard, random: SeededRandom) => Json | undefined;
}

const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
const noSuch = "00000000-0000-4000-8000-000000000000";

/** Places of holes with a score. */
const scored = ({ Result }: Json): number[] =>
  Result.Strokes.flatMap((taken: number, place: number) => (taken > 0 ? [place] : []));

/** The card without what follows from its strokes. */
function withoutTotals({ PHCP, ...card }: Json): Json {
  const { Strokes, IsQualifying } = card.Result;
  const { Holes, ...Course } = card.Course;
  const own = Holes && { Holes: Holes.map(({ SPH, ...hole }: Json) => hole) };
  return { ...card, Course: { ...Course, ...own }, Result: { Strokes, IsQualifying } };
}

/** Sets a field of cards on which the register has it, too. */
const ofRegister = (codes: readonly string[], change: (drawn: DrawnCard, random: SeededRandom) => Json) => ({
  codes,
  plant: (drawn: DrawnCard, random: SeededRandom) => (drawn.isAbroad ? undefined : change(drawn, random)),
});

function withHoles({ card, tee }: DrawnCard, change: (holes: Json[]) => void): Json {
  const holes = tee.tee.Holes.map((hole) => ({ ...hole }));
  change(holes);
  return withField(withoutTotals(card), "/Course/Holes", holes);
}

/** The mistakes of vendors, by what one would call them. */
export const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  "a total of points that is not the points'": {
    codes: ["total_mismatch"],
    plant: ({ card, expected }, random) => {
      const Points = expected.Points;
      const TotalPoints = expected.TotalPoints + 2 * Points.length + random.whole(1, 9);
      return { ...card, Result: { ...card.Result, Points, TotalPoints } };
    },
  },
  "a total of strokes that is not the strokes'": {
    codes: ["total_mismatch", "total_strokes_differ"],
    plant: ({ card, expected }, random) =>
      withField(card, "/Result/TotalStrokes", expected.TotalStrokes + random.whole(1, 9)),
  },
  "points of another hole": {
    codes: ["points_differ"],
    plant: ({ card, expected }) => {
      const Points = [...expected.Points.slice(1), expected.Points[0]];
      if (Points.every((one, hole) => one === expected.Points[hole])) return undefined;
      const { TotalPoints, ...Result } = card.Result;
      return { ...card, Result: { ...Result, Points } };
    },
  },
  "another adjusted gross score": {
    codes: ["net_double_bogey_differs"],
    plant: ({ card, expected, tee }, random) =>
      card.Result.Strokes.filter((taken: number) => taken !== -1).length === tee.places.length
        ? withField(card, "/Result/NetDoubleBogeyGross", expected.adjustedGross + random.whole(1, 9))
        : undefined,
  },
  "a Course Handicap of another tee": {
    codes: ["course_handicap_differs"],
    plant: ({ card, courseHandicap, tee }, random) =>
      tee.rated === tee.tee || tee.rated.Holes.length === 9
        ? { ...withoutTotals(card), CourseHandicap: courseHandicap + random.oneOf([-4, -3, 3, 4]) }
        : undefined,
  },
  "a Playing Handicap that no format gives": {
    codes: ["playing_handicap_unlikely"],
    plant: ({ card }, random) => ({ ...withoutTotals(card), PHCP: 90 + random.whole(0, 9) }),
  },
  "a Handicap Index that was not multiplied": {
    codes: ["out_of_range", "ten_thousandths_invalid"],
    plant: ({ card }) =>
      Number(card.HCP) === 0 ? undefined : { ...card, HCP: String(Number(card.HCP) / 10_000) },
  },
  "a Handicap Index with two decimals": {
    codes: ["handicap_not_a_tenth", "out_of_range"],
    plant: ({ card }, random) => ({ ...card, HCP: Number(card.HCP) + 100 * random.whole(1, 9) }),
  },
  "a stroke too few": {
    codes: ["strokes_count"],
    plant: ({ card }) => withField(card, "/Result/Strokes", card.Result.Strokes.slice(1)),
  },
  "fewer holes than were played": {
    codes: ["holes_played_mismatch"],
    plant: ({ card }) => {
      const played = card.Result.Strokes.filter((taken: number) => taken !== -1).length;
      return withField(withoutTotals(card), "/Round/HolesPlayed", played - 1);
    },
  },
  "0 for the last holes that were not played": {
    codes: ["picked_up_many"],
    plant: ({ card }) => {
      const strokes: number[] = card.Result.Strokes;
      const last = strokes.findLastIndex((taken) => taken !== -1);
      if (scored(card).length < 9) return undefined;
      const Strokes = strokes.map((taken, place) => (place > last - 6 && place <= last ? 0 : taken));
      return withField(withoutTotals(card), "/Result/Strokes", Strokes);
    },
  },
  "a dash for a ball picked up": {
    codes: ["not_played_between"],
    plant: ({ card, tee }, random) => {
      const places = scored(card);
      if (places.length !== 18 || tee.places.length !== 18) return undefined;
      const Strokes = card.Result.Strokes.with(random.whole(2, 8), -1).with(random.whole(10, 15), -1);
      return withField(withoutTotals(card), "/Result/Strokes", Strokes);
    },
  },
  "a digit typed twice": {
    codes: ["strokes_unlikely", "out_of_range"],
    plant: ({ card }, random) => {
      const place = random.oneOf(scored(card));
      return withField(
        withoutTotals(card),
        `/Result/Strokes/${place}`,
        11 * Math.max(2, card.Result.Strokes[place]),
      );
    },
  },
  "a round that is too short to count": {
    codes: ["round_too_short"],
    plant: ({ card, tee }) =>
      tee.places.length === 18 &&
      scored(card).length < 10 &&
      card.Result.Strokes.filter((one: number) => one !== -1).length < 10
        ? withField(card, "/Result/IsQualifying", true)
        : undefined,
  },
  "a round tomorrow": {
    codes: ["start_in_future"],
    plant: ({ card }) => withField(card, "/Round/StartTime", "20250704T090000"),
  },
  "a card that was made before the round": {
    codes: ["create_time_unlikely"],
    plant: ({ card }) => withField(card, "/CreateDateTime", "20250520T120000"),
  },
  "a marker who is the player": {
    codes: ["marker_is_player"],
    plant: ({ card }) => withField(card, "/Marker", { UnionID: card.Player.UnionID }),
  },
  "no marker": { codes: ["marker_unidentified"], plant: ({ card }) => withField(card, "/Marker", {}) },
  "a field by another name": {
    codes: ["field_misspelt", "field_twice"],
    plant: ({ card }) => ({ ...card, Phcp: 4 }),
  },
  "a tee that the course does not have": ofRegister(["tee_unknown"], ({ card, tee }) =>
    withField(withField(card, "/Course/TeeID", noSuch), "/Course/CourseID", tee.course.ID),
  ),
  "another club": ofRegister(["club_mismatch"], ({ card }) => withField(card, "/Course/ClubID", noSuch)),
  "the par of another tee": ofRegister(["total_mismatch"], ({ card, tee }, random) =>
    withField(
      card,
      "/Course/TeePar",
      sum(tee.tee.Holes.map(({ Par }) => Par ?? 0)) + random.oneOf([-2, -1, 1, 2]),
    ),
  ),
  "the rating of another tee": ofRegister(["tee_rating_mismatch"], ({ card, tee }, random) =>
    withField(card, "/Course/TeeRating", Number(tee.tee.CourseRating) + 1_000 * random.whole(1, 30)),
  ),
  "the slope of another tee": ofRegister(["tee_slope_mismatch"], ({ card, tee }, random) =>
    withField(card, "/Course/TeeSlope", tee.tee.SlopeRating - random.whole(1, 30)),
  ),
  "the par of another hole": ofRegister(["hole_par_mismatch", "total_mismatch"], (drawn, random) =>
    withHoles(drawn, (holes) => {
      const hole = random.oneOf(holes);
      hole.Par = hole.Par === 4 ? 5 : 4;
    }),
  ),
  "the stroke indexes of two holes exchanged": ofRegister(["hole_index_mismatch"], (drawn, random) =>
    withHoles(drawn, (holes) => {
      const [one, other] = random.shuffled(holes);
      [one.Index, other.Index] = [other.Index, one.Index];
    }),
  ),
  "a stroke index on two holes abroad": {
    codes: ["stroke_index_repeated"],
    plant: ({ card, isAbroad }) =>
      isAbroad ? withField(card, "/Course/Holes/3/Index", card.Course.Holes[0].Index) : undefined,
  },
  "strokes received of another handicap": {
    codes: ["strokes_received_differ"],
    plant: ({ card, tee, expected }, random) => {
      const more = random.oneOf([-1, 1]);
      const Holes = tee.tee.Holes.map((hole, place) => ({ ...hole, SPH: (expected.SPH[place] ?? 0) + more }));
      const { PHCP, CourseHandicap } = card;
      return { ...withoutTotals(card), PHCP: PHCP ?? CourseHandicap, Course: { ...card.Course, Holes } };
    },
  },
};
