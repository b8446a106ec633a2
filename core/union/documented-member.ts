import * as z from "zod/mini";
import { guidSchema, isMembersLifeTimeId, unionIdSchema } from "../formats/identifiers.ts";
import { knownValues } from "../formats/known-values.ts";
import { tenThousandthsSchema } from "../formats/ten-thousandths.ts";
import { timestampSchema } from "../formats/union-time.ts";

/** A club as a membership names it. */
export const documentedMembershipClub = z.looseObject({
  ID: guidSchema,
  Name: z.string(),
  ShortName: z.string().check(z.maxLength(4)),
  UnionNumber: z.int().check(z.minimum(0)),
});

/** A membership as the union's document describes it. */
export const documentedMembership = z.looseObject({
  ID: guidSchema,
  IsHomeClub: z.boolean(),
  LocalRightToPlay: z.boolean(),
  /** @see union-api, Membership type values */
  Type: knownValues([1, 2, 3, 4, 5, 6, 7]).check(
    z.describe(
      "1 full, 2 flex, 3 long distance, 4 trial, 5 passive, 6 junior without course permission, 7 former.",
    ),
  ),
  UnionID: unionIdSchema,
  Club: documentedMembershipClub,
  HomeClub: documentedMembershipClub,
});

/** A member as the union's document describes it. */
export const documentedMember = z.looseObject({
  ID: guidSchema,
  LifeTimeID: z.string().check(z.refine(isMembersLifeTimeId, "lifetime_id_invalid")),
  FirstName: z.string(),
  LastName: z.string(),
  Gender: knownValues(["Male", "Female"]),
  BirthDate: timestampSchema,
  RightToPlay: z.boolean(),
  Status: knownValues([1, 2]).check(z.describe("1 amateur, 2 professional.")),
  Handicap: tenThousandthsSchema.check(z.describe("Handicap Index times 10,000.")),
  /** @see union-api, Handicap status values */
  HandicapStatus: knownValues([1, 2, 3, 4, 5, 6, 8, 9]).check(
    z.describe(
      "1 active, 2 inactive, 3 normal, 4 frozen, 5 frozen up, 6 frozen down, 8 suspended, 9 unallocated.",
    ),
  ),
  Memberships: z.array(documentedMembership),
  PlayerStatus: z.optional(z.int()),
  Email: z.optional(z.nullable(z.string())),
  HandicapDato: z.optional(z.nullable(timestampSchema)),
});
