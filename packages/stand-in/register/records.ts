/*
 * The union's records as in its responses, with the fields that its document mentions only in passing. The pipeline has
 * its own types: two independent readings of the document reveal mistakes.
 */

/** A club. */
export interface UnionClub {
  readonly ID: string;
  readonly UnionNumber: number;
  readonly Name: string;
  /** Usually three letters; a few clubs have four or none. */
  readonly ShortName: string;
  readonly AddressLine1: string | null;
  readonly AddressLine2: string | null;
  readonly StreetNumber: string | null;
  readonly Floor: string | null;
  readonly Side: string | null;
  readonly ZipCode: string | null;
  readonly City: string | null;
  readonly PrimaryPhone: string | null;
  readonly PrimaryEmail: string | null;
  readonly Homepage: string | null;
  readonly Union: number;
}

/** One version of a course; TemplateID is the course. */
export interface UnionCourseVersion {
  readonly ID: string;
  readonly TemplateID: string;
  readonly ClubID: string;
  readonly ExternalID: string | null;
  readonly Name: string;
  readonly NumberOfHoles: number;
  /** Timestamp in UTC of a midnight in the union's time zone. */
  readonly ActivationDate: string;
  readonly IsActive: boolean;
  readonly IsHcpQualifying: boolean;
  readonly IsVisible: boolean;
  readonly Version: number;
  readonly RatedCourse: string;
  readonly Created: string;
  readonly Tees: readonly UnionTee[];
}

/** A tee as rated for one gender. */
export interface UnionTee {
  readonly ID: string;
  readonly Name: string;
  /** 1 female, 2 male. */
  readonly Gender: 1 | 2;
  /** Metres. */
  readonly TotalLength: number;
  /** Times 10,000; some records have it as a text. */
  readonly CourseRating: number | string;
  /** Times 10,000. */
  readonly BogeyRating: number;
  readonly SlopeRating: number;
  readonly IsNineHole: boolean;
  readonly RatedOn: string;
  readonly LastUpdateDate: string;
  readonly Holes: readonly UnionHole[];
}

/** A hole as played from one tee. */
export interface UnionHole {
  readonly ID: string;
  readonly Name: string | null;
  readonly Number: number;
  readonly Par: number;
  /** Null if the course has no stroke index. */
  readonly Index: number | null;
  /** Metres. */
  readonly Length: number;
  /** Minutes. */
  readonly IdealTime: number | null;
  readonly LastUpdateDate: string;
}

/** A person with all memberships. */
export interface UnionMember {
  readonly ID: string;
  readonly LifeTimeID: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly Gender: "Male" | "Female";
  readonly BirthDate: string;
  readonly Email: string;
  readonly RightToPlay: boolean;
  /** 1 amateur, 2 professional. */
  readonly Status: 1 | 2;
  readonly PlayerStatus: number;
  /** Handicap Index times 10,000. */
  readonly Handicap: string;
  readonly HandicapStatus: number;
  readonly HandicapDato: string;
  readonly Memberships: readonly Membership[];
}

/** A club as a membership names it. */
export type MembershipClub = Pick<UnionClub, "ID" | "Name" | "ShortName" | "UnionNumber" | "Union">;

/** A membership of one club. */
export interface Membership {
  readonly ID: string;
  readonly IsHomeClub: boolean;
  readonly LocalRightToPlay: boolean;
  /** 1 full to 7 former. */
  readonly Type: number;
  readonly UnionID: string;
  readonly Club: MembershipClub;
  readonly HomeClub: MembershipClub;
}
