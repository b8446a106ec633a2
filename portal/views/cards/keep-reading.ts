/** A list that is read page by page while a person looks for some of its cards. */
export interface FilteredList {
  /** Cards read so far. */
  readonly read: number;
  /** Those of them that are looked for. */
  readonly found: number;
  readonly hasMore: boolean;
  readonly isReading: boolean;
  readonly hasFailed: boolean;
  /** Whether the person has said that this is enough. */
  readonly isStopped: boolean;
  /** Cards looked for beyond which the list waits until it is asked for more. */
  readonly enough: number;
}

/**
 * Whether the next page is to be read without being asked for. The list is read to its end: the cards looked for may be the
 * last ones of a hundred thousand, and a list that says "none" before its end sends a person away from them.
 */
export const shouldReadOn = (list: FilteredList): boolean =>
  list.hasMore && !list.isReading && !list.hasFailed && !list.isStopped && list.found < list.enough;

/** Whether a part of a card's name, in upper or lower case, is in its ExternalID. */
export const isNamed = (externalId: string, part: string): boolean =>
  externalId.toLowerCase().includes(part.trim().toLowerCase());

/** The spellings of a card's name that are asked for at once: as typed, and in upper and lower case. */
export const listSpellings = (name: string): string[] => [
  ...new Set([name, name.toUpperCase(), name.toLowerCase()]),
];
