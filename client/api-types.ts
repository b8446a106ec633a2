// Generated from the OpenAPI document by `npm run client:types`. Change that document instead.

export type ScorecardEntry =
  | {
      index: number;
      externalId: string;
      status: 201;
      card: Scorecard;
      warnings: Finding[];
    }
  | {
      index: number;
      externalId?: string;
      status: 422;
      errors: Finding[];
    };
/**
 * A scorecard with its ID and every derived field filled in. TeeRating and TeeSlope are missing if the register has none.
 */
export type FilledScorecard = Scorecard & {
  Course?: {};
  Round?: {};
  Result?: {};
  Player?: {};
  Marker?: {};
};

/**
 * Every type of the API.
 */
export interface ApiTypes {
  Club: Club;
  Course: Course;
  Tee: Tee;
  Hole: Hole;
  Member: Member;
  Membership: Membership;
  Scorecard: Scorecard;
  ScorecardEntry: ScorecardEntry;
  Validation: Validation;
  Derivation: Derivation;
  CardStatus: CardStatus;
  CardStatusList: CardStatusList;
  Finding: Finding;
  Problem: Problem;
  FilledScorecard: FilledScorecard;
}
export interface Club {
  ID: string;
  UnionNumber: number;
  Name: string;
  ShortName: string;
  AddressLine1?: string | null;
  AddressLine2?: string | null;
  StreetNumber?: string | null;
  Floor?: string | null;
  Side?: string | null;
  ZipCode?: string | null;
  City?: string | null;
  PrimaryPhone?: string | null;
  PrimaryEmail?: string | null;
  Homepage?: string | null;
  [k: string]: unknown;
}
export interface Course {
  TemplateID: string;
  ClubID: string;
  Name: string;
  NumberOfHoles: number;
  ActivationDate: string;
  IsActive: boolean;
  IsHcpQualifying: boolean;
  IsVisible: boolean;
  Version: number;
  ID: string;
  Tees: Tee[];
  ExternalID?: string | null;
  RatedCourse?: string | null;
  Created?: string | null;
  [k: string]: unknown;
}
export interface Tee {
  ID?: string;
  Name: string;
  Gender: 1 | 2;
  TotalLength: number;
  CourseRating: number | string;
  SlopeRating: number;
  IsNineHole: boolean;
  Holes: Hole[];
  [k: string]: unknown;
}
export interface Hole {
  Name?: string | null;
  Number: number;
  Par: number;
  Index: number | null;
  Length: number;
  IdealTime?: number | null;
  [k: string]: unknown;
}
export interface Member {
  ID: string;
  LifeTimeID: string;
  FirstName: string;
  LastName: string;
  Gender: "Male" | "Female";
  BirthDate: string;
  RightToPlay: boolean;
  Status: 1 | 2;
  Handicap: number | string;
  HandicapStatus: 1 | 2 | 3 | 4 | 5 | 6 | 8 | 9;
  Memberships: Membership[];
  PlayerStatus?: number;
  Email?: string | null;
  HandicapDato?: string | null;
  [k: string]: unknown;
}
export interface Membership {
  ID: string;
  IsHomeClub: boolean;
  LocalRightToPlay: boolean;
  Type: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  UnionID: string;
  Club: {
    ID: string;
    Name: string;
    ShortName: string;
    UnionNumber: number;
    [k: string]: unknown;
  };
  HomeClub: {
    ID: string;
    Name: string;
    ShortName: string;
    UnionNumber: number;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface Scorecard {
  /**
   * If left out, it is filled in from the card's other fields.
   */
  ID?: string | null;
  CreateDateTime: string;
  ExternalID: string;
  /**
   * Handicap Index times 10,000.
   */
  HCP: number | string;
  CourseHandicap: number;
  /**
   * Playing Handicap. If left out, it is filled in from the card's other fields.
   */
  PHCP?: number | null;
  Comment?: string | null;
  Course: {
    /**
     * ID of a course version, or the TemplateID; left out on a course that is not the union's. If left out, it is filled in from the register, on a course of the union.
     */
    CourseID?: string | null;
    ExternalID?: string | null;
    /**
     * If left out, it is filled in from the register, on a course of the union.
     */
    ClubID?: string | null;
    /**
     * If left out, it is filled in from the register, on a course of the union.
     */
    ClubName?: string | null;
    /**
     * If left out, it is filled in from the register, on a course of the union.
     */
    Name?: string | null;
    /**
     * If left out, it is filled in from the union's settings.
     */
    Country?: string | null;
    /**
     * If left out, it is filled in from the register, on a course of the union.
     */
    TeeID?: string | null;
    /**
     * If left out, it is filled in from the register, on a course of the union.
     */
    TeeName?: string | null;
    /**
     * If left out, it is filled in from the register, on a course of the union.
     */
    TeePar?: number | null;
    /**
     * Course Rating times 10,000. If left out, it is filled in from the register, on a course of the union.
     */
    TeeRating?: (number | string) | null;
    /**
     * If left out, it is filled in from the register, on a course of the union.
     */
    TeeSlope?: number | string | null;
    /**
     * If left out, it is filled in from the register, on a course of the union.
     */
    Holes?:
      | {
          /**
           * If left out, it is filled in from the register, on a course of the union.
           */
          Number?: number | null;
          /**
           * If left out, it is filled in from the register, on a course of the union.
           */
          Par?: number | null;
          /**
           * Stroke index, 1 the hardest. If left out, it is filled in from the register, on a course of the union.
           */
          Index?: number | null;
          /**
           * Metres. If left out, it is filled in from the register, on a course of the union.
           */
          Length?: number | null;
          /**
           * Strokes received off the Playing Handicap. If left out, it is filled in from the rules.
           */
          SPH?: number | null;
        }[]
      | null;
  };
  Round: {
    /**
     * Length of the round; it may include holes that were not played.
     */
    HolesPlayed: number;
    /**
     * 1 general play, 2 tournament.
     */
    RoundType: 1 | 2;
    /**
     * Local time of the union's time zone.
     */
    StartTime: string;
    TournamentName?: string | null;
    TournamentRoundNumber?: number | null;
  };
  Result: {
    /**
     * If left out, it is filled in from the rules.
     */
    Points?: number[] | null;
    /**
     * 0 picked up, -1 not played.
     *
     * @maxItems 18
     */
    Strokes: number[];
    /**
     * If left out, it is filled in from the card's other fields.
     */
    TotalPoints?: number | null;
    /**
     * 0 after any pick-up. If left out, it is filled in from the card's other fields.
     */
    TotalStrokes?: number | null;
    /**
     * If left out, it is filled in from the rules.
     */
    NetDoubleBogeyGross?: number | null;
    IsQualifying: boolean;
  };
  Player: {
    FullName?: string | null;
    HomeClubName?: string | null;
    HomeClubCountry?: string | null;
    LifeTimeID?: string | null;
    UnionID: string;
  };
  Marker: {
    FullName?: string | null;
    HomeClubName?: string | null;
    LifeTimeID?: string | null;
    UnionID?: string | null;
  };
}
export interface Finding {
  /**
   * Index of the card in the array, from 0.
   */
  index: number;
  externalId?: string;
  /**
   * JSON pointer into the card; empty for the whole card.
   */
  pointer: string;
  /**
   * One of those in docs/faults.md; others may be added at any time.
   */
  code: string;
  /**
   * What is wrong and what to change.
   */
  detail: string;
  expected?: unknown;
  received?: unknown;
}
export interface Validation {
  accepted: boolean;
  /**
   * With `players=1`: how many players of the valid cards the union knows, does not know, and gave no answer about.
   */
  players?: {
    known: number;
    unknown: number;
    unanswered: number;
  };
  cards: (
    | {
        index: number;
        externalId: string;
        status: 201;
        card: Scorecard;
        warnings: Finding[];
        derivation?: Derivation;
      }
    | {
        index: number;
        externalId?: string;
        status: 422;
        errors: Finding[];
        errorsLeftOut?: number;
        warnings: Finding[];
      }
  )[];
}
export interface Derivation {
  courseHandicap: number;
  /**
   * Calculated from HCP, TeeRating, TeeSlope and TeePar; on nine holes with half of HCP, both rounded and exact.
   */
  courseHandicapByRule: number[];
  playingHandicap: number;
  /**
   * The nine holes that handicap strokes are allocated to in a nine-hole round on an 18-hole tee; else null.
   */
  nineHoles: number[] | null;
  holes: {
    number: number;
    par: number;
    strokeIndex: number;
    /**
     * 0 picked up, -1 not played.
     */
    strokes: number;
    receivedOffPlayingHandicap: number;
    receivedOffCourseHandicap: number;
    points: number;
    /**
     * Net double bogey, never more than par + 5.
     */
    maximum: number;
    /**
     * Null if the hole was not played.
     */
    counted: number | null;
  }[];
  totalPoints: number;
  /**
   * 0 after any pick-up.
   */
  totalStrokes: number;
  netDoubleBogeyGross: number | null;
}
export interface CardStatus {
  externalId: string;
  state: "queued" | "retrying" | "delivered" | "rejected" | "withdrawn" | "undelivered" | "unknown";
  /**
   * The card's ID at the union.
   */
  id?: unknown;
  acceptedAt?: string;
  /**
   * When the state was recorded.
   */
  since?: string;
  /**
   * Posts to the exchange so far.
   */
  attempts?: number;
  lastError?: {
    stage: "before" | "during" | "after";
    /**
     * HTTP status of the exchange.
     */
    status?: number;
    message: string;
  };
  nextAttemptAt?: string;
  /**
   * Present while nothing can be delivered for this vendor: since when, why, and when it is retried.
   */
  paused?: {
    since: string;
    lastError: {
      stage: "before" | "during" | "after";
      /**
       * HTTP status of the exchange.
       */
      status?: number;
      message: string;
    };
    nextAttemptAt: string;
  };
  warnings?: Finding[];
  /**
   * Outcomes of the cards that this one corrects, the latest last.
   */
  earlier?: {
    state: "queued" | "retrying" | "delivered" | "rejected" | "withdrawn" | "undelivered";
    at: string;
  }[];
}
export interface CardStatusList {
  cards: CardStatus[];
  /**
   * Query of the next page; absent on the last.
   */
  next?: string;
}
/**
 * RFC 9457, Problem Details for HTTP APIs.
 */
export interface Problem {
  /**
   * Type of the problem; about:blank if the status says it all.
   */
  type:
    | "about:blank"
    | "urn:scorecards:problem:invalid-cards"
    | "urn:scorecards:problem:too-large"
    | "urn:scorecards:problem:try-again"
    | "urn:scorecards:problem:token-refused"
    | "urn:scorecards:problem:union-forbids"
    | "urn:scorecards:problem:union-credentials"
    | "urn:scorecards:problem:union-unavailable";
  title: string;
  status: number;
  /**
   * What happened and what to do.
   */
  detail: string;
  /**
   * One entry per fault of a card.
   */
  errors?: Finding[];
  /**
   * Number of faults that do not fit into the response.
   */
  errorsLeftOut?: number;
  /**
   * The limit that the request exceeds.
   */
  limit?: string;
  /**
   * Every query parameter with a value that is not allowed.
   */
  parameters?: {
    parameter: string;
    detail: string;
    /**
     * Absent if it may be a person's number.
     */
    received?: string;
  }[];
  [k: string]: unknown;
}
