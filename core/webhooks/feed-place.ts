/** A place in a feed: an item, and how many of its events come before. */
export interface FeedPlace {
  readonly item: number;
  readonly events: number;
}

/** A place as a text of digits and a hyphen. */
export const cursorOf = ({ item, events }: FeedPlace): string => `${item}-${events}`;

/** Reads such a text; undefined if it is another one. */
export function placeOf(cursor: string): FeedPlace | undefined {
  const [, item, events] = /^(\d{1,15})-(\d{1,4})$/.exec(cursor) ?? [];
  return item === undefined ? undefined : { item: Number(item), events: Number(events) };
}

/** Before the first event of any feed. */
export const beginningOfFeed: FeedPlace = { item: 0, events: 0 };
