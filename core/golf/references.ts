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

/** The ExternalIDs of a submission's cards; invalid ones are skipped. */
export function externalIdsOf(cards: readonly unknown[]): string[] {
  return cards.flatMap((card) => externalIdOf(card) ?? []);
}

/** The ExternalID of a card that has not been checked; undefined if it has none, or an invalid one. */
export function externalIdOf(card: unknown): string | undefined {
  const { ExternalID } = fieldsOf(card);
  const names = typeof ExternalID === "string" && isExternalId(ExternalID) && !isGarbled(ExternalID);
  return names ? ExternalID : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The most characters of an ExternalID: it is part of a stored card's key, whose size has a limit. */
export const longestExternalId = 256;

/** Whether a text can name a card: not empty, not too long, and without half characters, which UTF-8 cannot carry. */
export function isExternalId(text: string): boolean {
  return text.length > 0 && text.length <= longestExternalId && text.isWellFormed();
}

/**
 * Names that no URL of a card can end in: `.` and `..` are folders, and the API has an operation at the others. Cards that were
 * accepted under one before it was refused can be asked for by the query parameter ExternalID.
 */
export const unreachableExternalIds = [".", "..", "Validate", "validate"] as const;

/** Whether the URL of a card can end in its ExternalID. */
export const isReachable = (externalId: string): boolean =>
  !unreachableExternalIds.some((one) => one === externalId);

/** Whether a text has U+FFFD, the sign that replaces bytes which are not UTF-8. The bytes themselves are lost. */
export const isGarbled = (text: string): boolean => text.includes("\ufffd");

/** Pattern of texts without that sign, for JSON Schema. It has the sign itself, since languages have other escapes for it. */
export const ungarbledPattern = "^[^\ufffd]*$";
