import type {
  UnionClub,
  UnionCourseVersion,
  UnionHole,
  UnionMember,
  UnionTee,
} from "@scorecard-pipeline/stand-in";

/** A club, as far as the sample needs it. */
export type SampleClub = Pick<UnionClub, "ID" | "Name">;

/** A tee, as far as the sample needs it. */
export type SampleTee = Pick<UnionTee, "ID" | "Name" | "Gender" | "CourseRating" | "SlopeRating"> & {
  readonly Holes: readonly (Pick<UnionHole, "Number" | "Index" | "Length"> & {
    /** Missing from a few records of other registers. */
    readonly Par: number | null;
  })[];
};

/** One version of a course, as far as the sample needs it. */
export type SampleCourseVersion = Pick<
  UnionCourseVersion,
  "ID" | "TemplateID" | "ClubID" | "Name" | "ActivationDate" | "IsActive" | "IsHcpQualifying" | "Version"
> & { readonly Tees: readonly SampleTee[] };

/** A member, as far as the sample needs it. */
export type SampleMember = Pick<
  UnionMember,
  "LifeTimeID" | "FirstName" | "LastName" | "Gender" | "Handicap"
> & {
  readonly Memberships: readonly {
    readonly IsHomeClub: boolean;
    readonly UnionID: string;
    readonly Club: SampleClub;
  }[];
};
