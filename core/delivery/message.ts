import * as z from "zod/mini";
import { type ApiSet, apiSetSchema } from "../accounts/api-set.ts";
import { chunks } from "../dynamodb/chunks.ts";
import { isExternalId } from "../scorecard/external-id.ts";
import { grid, limits } from "./timing.ts";

/**
 * A card that a wake-up names.
 *
 * - `stored`: this version was seen stored a while ago, so that no older post can be under way
 * - `repost`: this version has been delivered after it had to wait, and is posted once more
 */
export interface WakeUpCard {
  readonly externalId: string;
  readonly version: number;
  /** When the first wake-up of this version was made, in milliseconds since 1970, UTC. */
  readonly madeAt: number;
  readonly mark?: "stored" | "repost" | undefined;
  /** A run that had this wake-up before has not said that it was done with it: it may have died after a post of the card. */
  readonly maybePosted?: boolean | undefined;
}

/** A card to wake up, and when. */
export interface WakeUp extends WakeUpCard {
  readonly apiSet: ApiSet;
  readonly delaySeconds: number;
}

/** A card that a message names, with all messages of the batch that name it. */
export interface ReceivedWakeUp extends WakeUpCard {
  readonly messageIds: readonly string[];
}

/** A message as the queue hands it over. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly body: string;
  /** How often it has been received, this time included. */
  readonly receives: number;
}

/** Of the messages that this code writes. One of another form is left in the queue for the code that can read it. */
const form = 2;
/** The most cards that a message names: as many as a post usually has. */
export const cardsInMessage = 50;

const marks = ["stored", "repost"] as const;
const maybePosted = "maybePosted";
const messageSchema = z.object({
  form: z.literal(form),
  apiSet: apiSetSchema,
  /** ExternalID, version, `madeAt`, and marks. */
  cards: z
    .array(
      z.tuple(
        [z.string().check(z.refine(isExternalId)), z.int().check(z.minimum(1)), z.number()],
        z.enum([...marks, maybePosted]),
      ),
    )
    .check(z.minLength(1)),
});

/** Reads the body of a message; undefined if it is not one of ours, or of another form. */
export function readMessage(
  body: string,
): { readonly apiSet: ApiSet; readonly cards: WakeUpCard[] } | undefined {
  try {
    const { apiSet, cards } = messageSchema.parse(JSON.parse(body));
    return {
      apiSet,
      cards: cards.map(([externalId, version, madeAt, ...found]) => ({
        externalId,
        version,
        madeAt,
        mark: marks.find((mark) => found.includes(mark)),
        ...(found.includes(maybePosted) && { maybePosted: true }),
      })),
    };
  } catch {
    return undefined;
  }
}

/** What SQS takes no message with, and what comes in two UTF-16 units, which not every engine takes. */
const escaped = /[\ud800-\udfff\ufffe\uffff]/g;

/** @see SQS API reference, SendMessage, MessageBody: the characters a message may have */
function writeMessage(apiSet: ApiSet, wakeUps: readonly WakeUpCard[]): string {
  const cards = wakeUps.map(({ externalId, version, madeAt, mark, ...wakeUp }) => [
    externalId,
    version,
    madeAt,
    ...(mark === undefined ? [] : [mark]),
    ...(wakeUp.maybePosted ? [maybePosted] : []),
  ]);
  return JSON.stringify({ form, apiSet, cards }).replace(
    escaped,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
}

/** A message to send. */
export interface OutgoingMessage {
  readonly apiSet: ApiSet;
  readonly delaySeconds: number;
  readonly body: string;
}

/** Puts wake-ups into as few messages as can be: those of one vendor that are due at the same time, up to fifty in each. */
export function mergeWakeUps(wakeUps: readonly WakeUp[]): OutgoingMessage[] {
  const together = Map.groupBy(wakeUps, ({ apiSet, delaySeconds }) => `${delaySeconds} ${apiSet}`);
  return [...together.values()].flatMap((group) =>
    chunks(group, cardsInMessage).flatMap((some) => {
      const [first] = some;
      if (first === undefined) return [];
      const { apiSet, delaySeconds } = first;
      return [{ apiSet, delaySeconds, body: writeMessage(apiSet, some) }];
    }),
  );
}

/**
 * When to wake a card up again that waits for so long: with jitter, and on a grid of seconds that is the same for all, so
 * that cards which wait alone come back together and are merged.
 *
 * @param now milliseconds since 1970, UTC
 * @param random from 0 to below 1
 * @returns whole seconds, as many as SQS can delay a message at most
 */
export function delayOnGrid(waitMilliseconds: number, now: number, random: number): number {
  const due = now + waitMilliseconds * (1 + random * grid.jitter);
  const slot =
    2 ** Math.floor(Math.log2(Math.max(1, (waitMilliseconds * grid.share) / grid.finest))) * grid.finest;
  return delaySeconds(Math.ceil(due / slot) * slot - now);
}

/** Whole seconds that SQS can delay a message by, at least as long as asked for where it can. */
export function delaySeconds(milliseconds: number): number {
  return Math.min(limits.messageDelaySeconds, Math.max(0, Math.ceil(milliseconds / 1000)));
}

/**
 * The versions of cards that a batch of messages names, by vendor, each once. SQS may hand a message over twice, and several
 * messages may name a version.
 */
export function readMessages(messages: readonly ReceivedMessage[]): {
  readonly vendors: ReadonlyMap<ApiSet, readonly ReceivedWakeUp[]>;
  readonly unreadable: readonly string[];
} {
  const vendors = new Map<ApiSet, Map<string, ReceivedWakeUp>>();
  const unreadable: string[] = [];
  for (const { messageId, body, receives } of messages) {
    const message = readMessage(body);
    if (message === undefined) {
      unreadable.push(messageId);
      continue;
    }
    const cards = vendors.get(message.apiSet) ?? new Map<string, ReceivedWakeUp>();
    vendors.set(message.apiSet, cards);
    for (const card of message.cards) {
      const name = `${card.version} ${card.externalId}`;
      const other = cards.get(name);
      const maybePosted = card.maybePosted || other?.maybePosted || receives > 1;
      cards.set(name, {
        ...(other !== undefined && rank(other) > rank(card) ? other : card),
        ...(maybePosted && { maybePosted }),
        messageIds: [...(other?.messageIds ?? []), messageId],
      });
    }
  }
  return {
    vendors: new Map([...vendors].map(([apiSet, cards]) => [apiSet, [...cards.values()]])),
    unreadable,
  };
}

/** How much a mark says: of two wake-ups of a version the one that says more counts. */
const rank = ({ mark }: WakeUpCard) => (mark === undefined ? 0 : marks.indexOf(mark) + 1);
