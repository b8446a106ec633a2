/** What an account may be granted at the union. */
export const standInResources = ["clubs", "courses", "golfer", "golfer-by-token", "scorecards"] as const;

/** @see standInResources */
export type StandInResource = (typeof standInResources)[number];

/** An API account of a vendor at the stand-in. */
export interface StandInAccount {
  readonly username: string;
  readonly password: string;
  /** First segment of every path of the account. */
  readonly apiSet: string;
  /** What the account may use; everything where left out. */
  readonly resources?: readonly StandInResource[];
  /**
   * Union numbers of the clubs whose members it may look up without their consent, as a representative with the club's
   * agreement may: every club where left out; empty for an independent vendor, which needs each player's consent.
   */
  readonly clubs?: readonly number[];
  /** Where its app waits for authorization codes, beside `/callback` on this machine, any port. */
  readonly redirectUris?: readonly string[];
}
