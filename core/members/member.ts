import * as z from "zod/mini";
import { guidSchema } from "../formats/guid.ts";
import type { documentedMember } from "./documented-member.ts";

/** A person with the memberships of all clubs. */
export type Member = z.input<typeof documentedMember>;

/**
 * Reads a member from the union: what identifies it must be there, the rest is taken as it is, as with courses. A
 * vendor is shown what the union has, also where that is not as documented.
 */
export const memberSchema = z.looseObject({ ID: guidSchema }) as unknown as z.ZodMiniType<Member>;
