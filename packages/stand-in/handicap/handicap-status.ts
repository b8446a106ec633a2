/** The values of HandicapStatus. @see union-api, Handicap status values */
export const handicapStatus = {
  active: 1,
  inactive: 2,
  normal: 3,
  frozen: 4,
  frozenUp: 5,
  frozenDown: 6,
  suspended: 8,
  unallocated: 9,
} as const;

/**
 * Whether a Handicap Index may change to another.
 *
 * The union's document only names the statuses. Here a frozen or suspended Index stays, one frozen up may not rise, and
 * one frozen down may not fall.
 *
 * @param from tenths, as is `to`
 */
export function mayMove(status: number, from: number, to: number): boolean {
  switch (status) {
    case handicapStatus.frozen:
    case handicapStatus.suspended:
      return false;
    case handicapStatus.frozenUp:
      return to <= from;
    case handicapStatus.frozenDown:
      return to >= from;
    default:
      return true;
  }
}
