import * as z from "zod/mini";

/** Person identifier `xxxxxx-xxx`, from the birth date and a counter within it. Personal data: never logged. */
export type LifeTimeId = string & z.core.$brand<"LifeTimeId">;

/** National reference of a membership: the official club number and the member number, joined by a hyphen. */
export type UnionId = string & z.core.$brand<"UnionId">;

/** The union's document does not restrict the nine characters further. */
const lifeTimeIdForm = /^[0-9A-Za-z]{6}-[0-9A-Za-z]{3}$/;
const unionIdForm = /^\d+-[0-9A-Za-z]+$/;

/** Whether a text is a LifeTimeID. @see union-api, Concepts */
export function isLifeTimeId(text: string): text is LifeTimeId {
  return lifeTimeIdForm.test(text);
}

/** Whether a text is a member's LifeTimeID: for members, the union's document also describes it as 12 digits. */
export const isMembersLifeTimeId = (text: string) => isLifeTimeId(text) || /^\d{12}$/.test(text);

/** Whether a text is a UnionID. @see union-api, Concepts */
export function isUnionId(text: string): text is UnionId {
  return unionIdForm.test(text);
}

/** Parses a LifeTimeID. */
export const lifeTimeIdSchema = z
  .string()
  .check(z.refine(isLifeTimeId, "lifetime_id_invalid"), z.meta({ pattern: lifeTimeIdForm.source }))
  .brand<"LifeTimeId">();

/** Parses a UnionID. */
export const unionIdSchema = z
  .string()
  .check(z.refine(isUnionId, "union_id_invalid"), z.meta({ pattern: unionIdForm.source }))
  .brand<"UnionId">();
