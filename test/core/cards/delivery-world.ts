import { createDelivery } from "../../../core/cards/delivery/deliver.ts";
import { mergeWakeUps, type ReceivedMessage, type WakeUp } from "../../../core/cards/delivery/queue.ts";
import type { DeliveryDependencies, DeliveryEvent } from "../../../core/cards/delivery/run.ts";
import { postTiming } from "../../../core/cards/delivery/timing.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import type { OutboundCard, PostResult } from "../../../core/union/exchange.ts";
import { hour, second } from "../../durations.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { start, storedCard } from "../memory/stored-card.ts";

/** How the delivery of a world delivers: as the stages do. */
export const settings = {
  postSize: 50,
  parallelPosts: 4,
  giveUpMilliseconds: 48 * hour,
  timeZone: "Europe/Copenhagen",
  timing: postTiming(10),
};
const runMilliseconds = 30 * second;

/** Answers the post of an array. */
export type Exchange = (
  ids: readonly string[],
  apiSet: string,
  cards: readonly OutboundCard[],
) => PostResult | Promise<PostResult>;

/** A delivery with a table in memory, a clock that is set by hand, and an exchange that answers by a rule. */
export function world(exchange: Exchange = echo, given: Partial<DeliveryDependencies> = {}) {
  const cards = scorecardsInMemory();
  const posts: { apiSet: string; ids: readonly string[] }[] = [];
  const sent: WakeUp[] = [];
  const events: DeliveryEvent[] = [];
  const forgotten: string[] = [];
  const clock = { now: start };
  const dependencies: DeliveryDependencies = {
    settings,
    table: cards.table,
    account: async (apiSet) => ({
      username: apiSet,
      password: "",
      unionApiSet: `${apiSet}-there`,
      token: "",
    }),
    forgetAccount: (apiSet) => forgotten.push(apiSet),
    post: async ({ username }, array) => {
      const ids = array.map(({ externalId }) => externalId);
      posts.push({ apiSet: username, ids });
      return exchange(ids, username, array);
    },
    send: async (wakeUps) => {
      sent.push(...wakeUps);
    },
    now: () => new Date(clock.now),
    random: () => 0.5,
    report: (event) => events.push(event),
    ...given,
  };
  const deliver = createDelivery(dependencies);
  return {
    cards,
    posts,
    /** All wake-ups that were sent, in order. */
    sent,
    events,
    forgotten,
    clock,
    dependencies,
    deliver,
    /** One run, which has as long as a stage's function. @returns the IDs of the messages that are not done with */
    run(messages: readonly ReceivedMessage[]) {
      const began = clock.now;
      return deliver(messages, () => runMilliseconds - (clock.now - began));
    },
    /** What the exchange was posted, without the vendors. */
    arrays: () => posts.map(({ ids }) => ids),
    states: (...ids: readonly string[]) => ids.map((id) => cards.of(id)?.state),
  };
}

/** A world that has these cards; a name stands for a card that was just accepted. */
export function worldWith(stored: readonly (StoredCard | string)[], ...given: Parameters<typeof world>) {
  const made = world(...given);
  made.cards.put(...stored.map((card) => (typeof card === "string" ? storedCard(card) : card)));
  return made;
}

/** An answer that echoes these cards. */
export function echo(ids: readonly string[]): PostResult {
  return { phase: "after", status: 200, bodyExcerpt: "", echoed: new Set(ids) };
}

/** An answer with a status, and no echo. */
export const status = (code: number, retryAfterSeconds?: number): PostResult => ({
  phase: "after",
  status: code,
  bodyExcerpt: "",
  echoed: new Set(),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

export const timedOut: PostResult = { phase: "during", message: "The exchange did not answer in time." };
export const unconnected: PostResult = { phase: "before", message: "No connection to the exchange." };

/** An exchange that refuses, with a status, exactly the arrays with one of these cards. */
export const refusing =
  (code: number, ...bad: readonly string[]): Exchange =>
  (ids) =>
    ids.some((id) => bad.includes(id)) ? status(code) : echo(ids);

/** The wake-up of a card, made when it was accepted. */
export function wakeUp(card: StoredCard | string, given: Partial<WakeUp> = {}): WakeUp {
  const { apiSet, externalId, version, acceptedAt } = typeof card === "string" ? storedCard(card) : card;
  return { apiSet, externalId, version, madeAt: acceptedAt, delaySeconds: 0, ...given };
}

/** A message with these wake-ups, or about these cards, all of one vendor, as the queue hands it over. */
export function message(
  about: readonly (WakeUp | StoredCard | string)[],
  given: Partial<ReceivedMessage> = {},
): ReceivedMessage {
  const wakeUps = about.map((one) => {
    const isWakeUp = typeof one !== "string" && "madeAt" in one;
    return isWakeUp ? { ...one, delaySeconds: 0 } : wakeUp(one);
  });
  const [outgoing, ...others] = mergeWakeUps(wakeUps);
  if (outgoing === undefined || others.length > 0) throw new Error("These do not fit into one message.");
  return { messageId: "message", body: outgoing.body, receives: 1, ...given };
}

/** A message about cards, by their names. */
export const about = (...ids: readonly string[]) => message(ids);

/** Names of cards. */
export const names = (count: number) => Array.from({ length: count }, (_, n) => `card-${n}`);
