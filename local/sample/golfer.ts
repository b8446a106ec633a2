import type { UnionMember } from "@scorecard-pipeline/stand-in";

/** A player or marker, in the terms of a scorecard. */
export interface Golfer {
  readonly fullName: string;
  readonly lifeTimeId: string;
  readonly unionId: string;
  readonly homeClubName: string;
  /** Times 10,000. */
  readonly handicapIndex: number;
  /** 1 female, 2 male, as tees have it. */
  readonly gender: 1 | 2;
}

/** Reads a member; undefined without a club. */
export function golferOf(member: UnionMember): Golfer | undefined {
  const home = member.Memberships.find(({ IsHomeClub }) => IsHomeClub) ?? member.Memberships[0];
  if (home === undefined) return undefined;
  return {
    fullName: `${member.FirstName} ${member.LastName}`,
    lifeTimeId: member.LifeTimeID,
    unionId: home.UnionID,
    homeClubName: home.Club.Name,
    handicapIndex: Number(member.Handicap),
    gender: member.Gender === "Female" ? 1 : 2,
  };
}

/** A member number that no club has given out. */
const nobodysNumber = "-999999";

/** The golfer with a mistyped UnionID, which the union does not know. */
export const mistyped = (golfer: Golfer): Golfer => ({
  ...golfer,
  unionId: golfer.unionId.replace(/-.*/, nobodysNumber),
});

/** Whether the union does not know a golfer, because of `mistyped`. */
export const isMistyped = ({ unionId }: Golfer): boolean => unionId.endsWith(nobodysNumber);
