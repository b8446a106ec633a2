import {
  type CardPosts,
  type CardRecord,
  type CardStatus,
  isWaiting,
} from "@scorecard-pipeline/scorecards-client";

/** Something that happened to a card, or will. */
export type HistoryEntry = { readonly at: string } & (
  | { readonly kind: "accepted" }
  | { readonly kind: "earlier"; readonly state: string }
  | { readonly kind: "post"; readonly posts: CardPosts }
  | { readonly kind: "state"; readonly state: string }
  | { readonly kind: "record"; readonly record: CardRecord }
  | { readonly kind: "next" }
);

/**
 * What happened to a card, the oldest first, and its next attempt.
 *
 * @param posts the card's posts to the exchange
 */
export function listHistory(status: CardStatus, posts: readonly CardPosts[]): HistoryEntry[] {
  const { acceptedAt, earlier = [], state, since, nextAttemptAt, paused, record } = status;
  const entries: HistoryEntry[] = [
    ...(acceptedAt === undefined ? [] : [{ kind: "accepted" as const, at: acceptedAt }]),
    ...earlier.map((outcome) => ({ kind: "earlier" as const, ...outcome })),
    ...posts.map((some) => ({ kind: "post" as const, at: some.until ?? some.at, posts: some })),
    // A waiting card is in its state since it was accepted or a post failed. Both are in the history already.
    ...(since === undefined || isWaiting(state) ? [] : [{ kind: "state" as const, at: since, state }]),
    ...(record === undefined ? [] : [{ kind: "record" as const, at: record.at, record }]),
  ];
  const past = entries
    .map((entry, order) => ({ entry, order }))
    .sort((one, other) => Date.parse(one.entry.at) - Date.parse(other.entry.at) || one.order - other.order)
    .map(({ entry }) => entry);
  const next = paused?.nextAttemptAt ?? nextAttemptAt;
  return isWaiting(state) && next !== undefined ? [...past, { kind: "next", at: next }] : past;
}
