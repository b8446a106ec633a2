import * as z from "zod/mini";
import { guidSchema } from "../formats/identifiers.ts";
import type { documentedMember } from "./documented-member.ts";

/** A person with the memberships of all clubs. */
export type Member = z.input<typeof documentedMember>;

/** Reads a member of the union. Only the ID is required: a vendor sees the union's data even if it is not as documented. */
export const memberSchema = z.looseObject({ ID: guidSchema }) as unknown as z.ZodMiniType<Member>;
