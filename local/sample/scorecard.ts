/** A scorecard as a vendor sends it; the fields of the minimal shape are required. @see union-api, Scorecard */
export interface SampleScorecard {
  readonly ID?: string;
  readonly CreateDateTime: string;
  readonly ExternalID: string;
  /** Handicap Index times 10,000. */
  readonly HCP: string | number;
  readonly CourseHandicap: number;
  readonly PHCP?: number;
  readonly Comment?: string;
  readonly Course: {
    readonly CourseID: string;
    readonly ClubID: string;
    readonly TeeID: string;
    readonly ClubName?: string;
    readonly Name?: string;
    readonly Country?: string;
    readonly TeeName?: string;
    readonly TeePar?: number;
    readonly TeeRating?: string;
    readonly TeeSlope?: number;
    readonly Holes?: readonly {
      readonly Number: number;
      readonly Par: number;
      readonly Index: number;
      readonly Length: number;
      readonly SPH: number;
    }[];
  };
  readonly Round: {
    readonly HolesPlayed: number;
    readonly RoundType: 1 | 2;
    /** Local time of the union's time zone. */
    readonly StartTime: string;
    readonly TournamentName?: string;
    readonly TournamentRoundNumber?: number;
  };
  readonly Result: {
    readonly Points?: readonly number[];
    /** 0 picked up. */
    readonly Strokes: readonly number[];
    readonly TotalPoints?: number;
    readonly TotalStrokes?: number;
    readonly NetDoubleBogeyGross?: number;
    readonly IsQualifying: boolean;
  };
  readonly Player: {
    readonly FullName?: string;
    readonly HomeClubName?: string;
    readonly HomeClubCountry?: string;
    readonly LifeTimeID?: string;
    readonly UnionID: string;
  };
  readonly Marker: {
    readonly FullName: string;
    readonly HomeClubName?: string;
    readonly LifeTimeID: string;
    readonly UnionID: string;
  };
}
