import { type GuidKey, guidKey, isGuid } from "../formats/identifiers.ts";

/** A course that a card names, or a tee whose course it does not name; all IDs in upper case. */
export type CourseReference =
  | { readonly courseId: string; readonly clubId?: string }
  | { readonly teeId: string };

/**
 * The courses that a submission's cards name, each once per club: one card's wrong club must not hide the course from
 * another card. Unreadable values are skipped.
 */
export function courseReferences(cards: readonly unknown[]): CourseReference[] {
  const references = new Map<string, CourseReference>();
  for (const card of cards) {
    const { CourseID, ClubID, TeeID } = fieldsOf(fieldsOf(card).Course);
    const courseId = readGuid(CourseID);
    const clubId = readGuid(ClubID);
    const teeId = readGuid(TeeID);
    if (courseId === undefined) {
      if (!CourseID && teeId !== undefined) references.set(teeId, { teeId });
      continue;
    }
    references.set(`${courseId} ${clubId}`, clubId === undefined ? { courseId } : { courseId, clubId });
  }
  return [...references.values()];
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
