import * as z from "zod";
import { guidSchema } from "../wire/guid.ts";
import { isLifeTimeId, unionIdSchema } from "../wire/person-identifiers.ts";
import { tenThousandthsSchema } from "../wire/ten-thousandths.ts";
import { timestampSchema } from "../wire/timestamp.ts";

/** What Member.HandicapStatus says. @see union-api, Handicap status values */
export const handicapStatuses = {
  1: "Active",
  2: "Inactive",
  3: "Normal",
  4: "Frozen",
  5: "FrozenUp",
  6: "FrozenDown",
  8: "Suspended",
  9: "Unallocated",
} as const;

/** What Membership.Type says. @see union-api, Membership type values */
export const membershipTypes = {
  1: "Full",
  2: "Flex",
  3: "LongDistance",
  4: "Trial",
  5: "Passive",
  6: "JuniorWithoutCoursePermission",
  7: "Former",
} as const;

/** The document calls it a 12-digit number here, and gives the form with a hyphen elsewhere: both are taken. */
export const isMembersLifeTimeId = (text: string) => isLifeTimeId(text) || /^\d{12}$/.test(text);

const membershipClub = z.looseObject({
  ID: guidSchema,
  Name: z.string(),
  ShortName: z.string().max(4),
  UnionNumber: z.int().min(0),
});

/** A membership as the union's document describes it. */
export const documentedMembership = z.looseObject({
  ID: guidSchema,
  IsHomeClub: z.boolean(),
  LocalRightToPlay: z.boolean(),
  Type: z.literal([1, 2, 3, 4, 5, 6, 7]),
  UnionID: unionIdSchema,
  Club: membershipClub,
  HomeClub: membershipClub,
});

/** A member as the union's document describes it. */
export const documentedMember = z.looseObject({
  ID: guidSchema,
  LifeTimeID: z.string().refine(isMembersLifeTimeId, "lifetime_id_invalid"),
  FirstName: z.string(),
  LastName: z.string(),
  Gender: z.literal(["Male", "Female"]),
  BirthDate: timestampSchema,
  RightToPlay: z.boolean(),
  /** 1 amateur, 2 professional. */
  Status: z.literal([1, 2]),
  /** Times 10,000. */
  Handicap: tenThousandthsSchema,
  HandicapStatus: z.literal([1, 2, 3, 4, 5, 6, 8, 9]),
  Memberships: z.array(documentedMembership),
  PlayerStatus: z.int().optional(),
  Email: z.string().nullable().optional(),
  HandicapDato: timestampSchema.nullable().optional(),
});

/** A person with the memberships of all clubs. */
export type Member = z.input<typeof documentedMember>;
/** A person's membership of one club. */
export type Membership = z.input<typeof documentedMembership>;

/**
 * Reads a member from the union: what identifies it must be there, the rest is taken as it is, as with courses. A
 * vendor is shown what the union has, also where that is not as documented.
 */
export const memberSchema = z.looseObject({ ID: guidSchema }) as unknown as z.ZodType<Member>;
