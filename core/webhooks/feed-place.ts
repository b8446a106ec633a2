/** A place in a feed: an item, and how many of its events come before. */
export interface FeedPlace {
  readonly item: number;
  readonly events: number;
}

/** Before the first event of any feed. */
export const beginningOfFeed: FeedPlace = { item: 0, events: 0 };
