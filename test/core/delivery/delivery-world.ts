import type { ApiSet } from "../../../core/account/api-set.ts";
import { correctionTimes } from "../../../core/delivery/correction-times.ts";
import { createDelivery, type DeliveryParts } from "../../../core/delivery/deliver.ts";
import { type QueuedCard, writeMessage } from "../../../core/delivery/message.ts";
import type { Postponement } from "../../../core/delivery/queue.ts";
import type { ReceivedMessage } from "../../../core/delivery/sort-messages.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import type { StoredCard } from "../../../core/store/scorecard-table.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";

export const green = "green" as ApiSet;
export const red = "red" as ApiSet;
export const start = Date.UTC(2026, 5, 1, 12);
export const hours = 3_600_000;

/** How the delivery of a world delivers. */
export const settings = {
  postSize: 50,
  parallelPosts: 4,
  postTimeoutMilliseconds: 10_000,
  giveUpMilliseconds: 48 * hours,
  backoffCapSeconds: 300,
  correction: correctionTimes(30),
};

/** A delivery with a table in memory, a clock that is set by hand, and an exchange that answers by a rule. */
export function world(
  exchange: (ids: readonly string[], apiSet: string) => PostResult = echo,
  given: Partial<DeliveryParts> = {},
) {
  const cards = scorecardsInMemory();
  const posts: { apiSet: string; ids: string[] }[] = [];
  const postponed: Postponement[] = [];
  const dead: string[] = [];
  const clock = { now: start };
  const deliver = createDelivery({
    settings,
    cards: cards.table,
    account: async (apiSet) => ({
      username: apiSet,
      password: "",
      unionApiSet: `${apiSet}-there`,
      token: "",
    }),
    forgetAccount: () => undefined,
    post: async (apiSet, _, array) => {
      const ids = array.map(({ externalId }) => externalId);
      posts.push({ apiSet, ids });
      return exchange(ids, apiSet);
    },
    postpone: async (all) => {
      postponed.push(...all);
    },
    sendToDeadLetters: async (bodies) => {
      dead.push(...bodies);
    },
    now: () => new Date(clock.now),
    random: () => 0.5,
    log: () => undefined,
    ...given,
  });
  const run = (messages: readonly ReceivedMessage[]) => deliver(messages, () => 60_000);
  return { cards, posts, postponed, dead, clock, deliver, run };
}

/** An answer that echoes these cards. */
export function echo(ids: readonly string[]): PostResult {
  return { stage: "after", status: 200, words: "", echoed: new Set(ids) };
}

/** An answer with a status, and no echo. */
export const status = (code: number, retryAfterSeconds?: number): PostResult => ({
  stage: "after",
  status: code,
  words: "",
  echoed: new Set(),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/** A card of the vendor green on its way, accepted at the start. */
export function queued(externalId: string, given: Partial<QueuedCard> = {}): QueuedCard {
  return {
    apiSet: green,
    externalId,
    revision: "first",
    acceptedAt: start,
    card: JSON.stringify({ ExternalID: externalId }),
    ...given,
  };
}

/** A message with one card as the queue hands it over, sent at the start. */
export function received(card: QueuedCard, given: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const messageId = `${card.apiSet}-${card.externalId}-${card.revision}`;
  return receivedTogether([card], { messageId, receiptHandle: `r-${messageId}`, ...given });
}

/** The same with several cards. */
export function receivedTogether(
  cards: readonly [QueuedCard, ...QueuedCard[]],
  given: Partial<ReceivedMessage> = {},
): ReceivedMessage {
  const body = writeMessage(cards[0], cards);
  return { messageId: "together", receiptHandle: "r-together", body, sentAt: start, receives: 1, ...given };
}

/** What the table has of a card on its way. */
export function stored(card: QueuedCard, given: Partial<StoredCard> = {}): StoredCard {
  const { apiSet, externalId, revision, acceptedAt } = card;
  return {
    apiSet,
    externalId,
    revision,
    contentHash: revision,
    acceptedAt,
    content: contentOf(JSON.parse(card.card)),
    ...given,
  };
}

/** The key of a card, of the vendor green unless said. */
export const key = (externalId: string, apiSet = green) => ({ apiSet, externalId });
