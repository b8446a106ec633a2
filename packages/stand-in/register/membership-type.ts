/** The values of Membership.Type. @see union-api, Membership type values */
export const membershipType = {
  full: 1,
  flex: 2,
  longDistance: 3,
  trial: 4,
  passive: 5,
  juniorWithoutCoursePermission: 6,
  former: 7,
} as const;
