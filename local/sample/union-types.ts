/** A club, as far as the sample needs it. @see union-api, Club */
export interface Club {
  readonly ID: string;
  readonly Name: string;
}

/** A hole. @see union-api, Hole */
interface Hole {
  readonly Number: number;
  /** Missing from a few records of the register. */
  readonly Par: number | null;
  readonly Index: number | null;
  /** Metres. */
  readonly Length: number;
}

/** A tee. @see union-api, Tee */
export interface Tee {
  readonly ID?: string | undefined;
  readonly Name: string;
  /** 1 female, 2 male. */
  readonly Gender: number;
  /** Times 10,000; the union sends it as a number or as text. */
  readonly CourseRating: number | string;
  readonly SlopeRating: number;
  readonly Holes: readonly Hole[];
}

/** One version of a course. @see union-api, Course */
export interface CourseVersion {
  readonly ID: string;
  readonly TemplateID: string;
  readonly ClubID: string;
  readonly Name: string;
  /** yyyymmddThhmmss, UTC. */
  readonly ActivationDate: string;
  readonly IsActive: boolean;
  readonly IsHcpQualifying: boolean;
  readonly Version: number;
  readonly Tees: readonly Tee[];
}

/** A member. @see union-api, Member */
export interface Member {
  readonly LifeTimeID: string;
  readonly FirstName: string;
  readonly LastName: string;
  /** Male or Female. */
  readonly Gender: string;
  /** Handicap Index times 10,000. */
  readonly Handicap: string;
  readonly Memberships: readonly Membership[];
}

/** A membership. @see union-api, Membership */
interface Membership {
  readonly IsHomeClub: boolean;
  readonly UnionID: string;
  readonly Club: Club;
}
