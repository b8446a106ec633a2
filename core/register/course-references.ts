import { type GuidKey, guidKey, isGuid } from "../formats/identifiers.ts";

/** A course that a card names, or a tee whose course it does not name. */
export type CourseReference =
  | { readonly courseId: GuidKey; readonly clubId?: GuidKey }
  | { readonly teeId: GuidKey };

/** What a card names its course by; undefined if that cannot be read. */
export function readReference(card: unknown): CourseReference | undefined {
  const { CourseID, ClubID, TeeID } = fieldsOf(fieldsOf(card).Course);
  const [courseId, clubId, teeId] = [CourseID, ClubID, TeeID].map(readGuid);
  if (courseId !== undefined) return { courseId, ...(clubId !== undefined && { clubId }) };
  return CourseID || teeId === undefined ? undefined : { teeId };
}

/** The courses that a submission's cards name, each once. */
export function courseReferences(cards: readonly unknown[]): CourseReference[] {
  const all = cards.flatMap((card) => readReference(card) ?? []);
  return [...new Map(all.map((one) => ["teeId" in one ? one.teeId : one.courseId, one])).values()];
}

/** The clubs, in upper case, of cards that name no course. */
export function clubsWithoutCourse(cards: readonly unknown[]): GuidKey[] {
  const clubs = cards.map((card) => {
    const { CourseID, ClubID } = fieldsOf(fieldsOf(card).Course);
    return CourseID ? undefined : readGuid(ClubID);
  });
  return [...new Set(clubs)].filter((club) => club !== undefined);
}

const readGuid = (value: unknown) =>
  typeof value === "string" && isGuid(value) ? guidKey(value) : undefined;

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
