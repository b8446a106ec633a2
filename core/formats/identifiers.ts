import * as z from "zod/mini";

/** A database identifier of the union, 8-4-4-4-12 hexadecimal digits in any case. @see union-api, What the service does, 6 */
export type Guid = string & z.core.$brand<"Guid">;

/** A GUID in upper case, so equal GUIDs are equal texts. */
export type GuidKey = Guid & z.core.$brand<"GuidKey">;

const form = "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

/** A pattern with each of its characters written out: without counters it is twice as fast, and a card has many such texts. */
function writtenOut(pattern: string): RegExp {
  const repeated = (text: string, counted: RegExp) =>
    text.replaceAll(counted, (_, one: string, times: string) => one.repeat(Number(times)));
  return new RegExp(repeated(repeated(pattern, /(\[[^\]]+\])\{(\d+)\}/g), /(\(\?:[^()]+\))\{(\d+)\}/g));
}

const fastForm = writtenOut(form);

/** Whether a text is a GUID. The union's own do not all follow RFC 9562, so version and variant are not checked. */
export function isGuid(text: string): text is Guid {
  return text.length === 36 && fastForm.test(text);
}

/** The form in which GUIDs are compared: the union's server ignores case, and its clients rely on it. */
export const guidKey = (guid: string): GuidKey => guid.toUpperCase() as GuidKey;

/** Parses a GUID. */
export const guidSchema = z
  .string()
  .check(z.refine(isGuid, "guid_invalid"), z.meta({ pattern: form }))
  .brand<"Guid">();

/** Person identifier `xxxxxx-xxx`, from the birth date and a counter within it. Personal data: never logged. */
export type LifeTimeId = string & z.core.$brand<"LifeTimeId">;

/** National reference of a membership: the official club number and the member number, joined by a hyphen. */
export type UnionId = string & z.core.$brand<"UnionId">;

/** The union's document does not restrict the nine characters further. */
const lifeTimeIdForm = /^[0-9A-Za-z]{6}-[0-9A-Za-z]{3}$/;
const unionIdForm = /^[0-9]+-[0-9A-Za-z]+$/;
const membersLifeTimeIdForm = /^([0-9A-Za-z]{6}-[0-9A-Za-z]{3}|[0-9]{12})$/;
const fastLifeTimeIdForm = writtenOut(membersLifeTimeIdForm.source);

/** Whether a text is a LifeTimeID. @see union-api, Concepts */
export function isLifeTimeId(text: string): text is LifeTimeId {
  return lifeTimeIdForm.test(text);
}

/** Whether a text is a member's LifeTimeID: for members, the union's document also describes it as 12 digits. */
export const isMembersLifeTimeId = (text: string): boolean => fastLifeTimeIdForm.test(text);

/** Patterns for JSON Schema. They have no `\d`, which means other digits, too, in some languages. */
export const identifierPatterns = {
  unionId: unionIdForm.source,
  membersLifeTimeId: membersLifeTimeIdForm.source,
} as const;

/** Whether a text is a UnionID. @see union-api, Concepts */
export function isUnionId(text: string): text is UnionId {
  return unionIdForm.test(text);
}

/** The form in which UnionIDs are compared: 101-07 is 101-7, and letters may be in any case. */
export const unionIdKey = (unionId: string): string =>
  (unionId.includes("-0") || unionId.startsWith("0")
    ? unionId.replaceAll(/(^|-)0+(?=[0-9A-Za-z])/g, "$1")
    : unionId
  ).toUpperCase();

/** The official number of a membership's club, with which its UnionID begins; NaN if the text begins with none. */
export const clubOfUnionId = (unionId: string): number => Number.parseInt(unionId, 10);

/** Whether two UnionIDs are of the same membership. Nearly all differ in the last character already. */
export const isSameUnionId = (one: string, other: string): boolean =>
  one === other ||
  (((one.charCodeAt(one.length - 1) ^ other.charCodeAt(other.length - 1)) & ~32) === 0 &&
    unionIdKey(one) === unionIdKey(other));

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
