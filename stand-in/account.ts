/** What an account may be granted at the union. */
export type StandInResource = "clubs" | "courses" | "golfer" | "golfer-by-token" | "scorecards";

/** An API account of a vendor at the stand-in. */
export interface StandInAccount {
  readonly username: string;
  readonly password: string;
  /** First segment of every path of the account. */
  readonly apiSet: string;
  /** What the account may use; everything where left out. */
  readonly resources?: readonly StandInResource[];
}
