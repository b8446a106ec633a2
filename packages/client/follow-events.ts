import type { FeedPage } from "./api-types.ts";
import { pause } from "./pause.ts";

/** Where to begin, and how to read a page. */
export interface FollowEventsOptions {
  /** The `cursor` of the last page that was done with; `latest` for what comes from now on; by default the oldest event. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields pages of a vendor's events, the oldest first, and goes on with what comes later, without an end. Store a page's `cursor`
 * when its events are done with: whoever begins with it gets what comes after them.
 *
 * @param read reads the page after a cursor, with retries
 * @throws ApiError with status 410 if the cursor is too old, or what `read` throws; the signal's reason when aborted
 */
export async function* followEvents(
  read: (after: string | undefined) => Promise<FeedPage>,
  { after, signal }: FollowEventsOptions,
): AsyncGenerator<FeedPage> {
  for (let cursor = after; ; ) {
    const page = await read(cursor);
    cursor = page.cursor;
    if (page.events.length > 0) yield page;
    if (!page.more) await pause(page.askAgainAfterSeconds * 1_000, signal);
  }
}
