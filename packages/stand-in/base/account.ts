/** Resources that an account may be granted at the union. */
export const standInResources = [
  "clubs",
  "courses",
  "golfer",
  "golfer-by-token",
  "scorecards",
  "records",
] as const;

/** @see standInResources */
export type StandInResource = (typeof standInResources)[number];

/** An API account of a vendor at the stand-in. */
export interface StandInAccount {
  readonly username: string;
  readonly password: string;
  /** First segment of every path of the account. */
  readonly apiSet: string;
  /** Resources that the account may use; by default all. */
  readonly resources?: readonly StandInResource[];
  /**
   * Union numbers of the clubs whose members it may look up without their consent, because the club has agreed. By
   * default every club; empty for an independent vendor, which needs each player's consent.
   */
  readonly clubs?: readonly number[];
}
