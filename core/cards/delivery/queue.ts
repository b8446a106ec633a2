import type { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { type ApiSet, apiSetSchema } from "../../accounts/account.ts";
import type { IncomingMessage } from "../../aws/receive-messages.ts";
import { messageJson, type OutgoingMessage, sendMessages, trySendMessages } from "../../aws/send-messages.ts";
import { chunks } from "../../formats/chunks.ts";
import { isExternalId } from "../../formats/external-ids.ts";

/**
 * A card that a wake-up names.
 *
 * - `inserted`: sent with a write that may be lost to another writer's, so it counts only if the stored version was accepted, or
 *   woken up again, at `madeAt`
 * - `stored`: this version was seen stored a while ago, so no older post can be under way
 * - `repost`: this version has been delivered after it had to wait, and is posted once more
 */
export interface WakeUpCard {
  readonly externalId: string;
  readonly version: number;
  /** When this version was accepted, or when it was woken up again. */
  readonly madeAt: number;
  readonly mark?: "inserted" | "stored" | "repost" | undefined;
  /** Other times by which it counts if it is `inserted`: of the card as it was before, or of other wake-ups of this version. */
  readonly alsoMadeAt?: readonly number[] | undefined;
  /** An earlier run received this wake-up and did not finish: it may have died after a post of the card. */
  readonly maybePosted?: boolean | undefined;
  /**
   * Set in the run that has claimed the card, in no message: when it was claimed, and when this wake-up, which is in the queue, comes back;
   * in milliseconds since 1970, UTC.
   */
  readonly claim?: { readonly at: number; readonly backAt: number } | undefined;
}

/** A card to wake up, and when. */
export interface WakeUp extends WakeUpCard {
  readonly apiSet: ApiSet;
  readonly delaySeconds: number;
}

/** A message as the queue hands it over. */
export type ReceivedMessage = Omit<IncomingMessage, "receiptHandle">;

/** Version of the message format. A message of another one is left in the queue for the code that can read it. */
const form = 2;
/** The most cards that a message names: as many as a post usually has. */
export const cardsInMessage = 50;

/** The mark that is later in the list outranks the other if two wake-ups name the same version; no mark outranks the first. */
const marks = ["inserted", "stored", "repost"] as const;
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

/** Reads the body of a message; undefined if it is not one of ours, or has another format. */
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

/**
 * The versions of cards that a batch of messages names, by vendor, each once: SQS may hand a message over twice, and several
 * messages may name a version.
 *
 * @returns `unreadable` has the IDs of the messages that cannot be read
 */
export function readMessages(messages: readonly ReceivedMessage[]) {
  const vendors = new Map<ApiSet, { wakeUps: WakeUpCard[]; messageIds: string[] }>();
  const unreadable: string[] = [];
  for (const { messageId, body, receives } of messages) {
    const message = readMessage(body);
    if (message === undefined) {
      unreadable.push(messageId);
      continue;
    }
    const vendor = vendors.get(message.apiSet) ?? { wakeUps: [], messageIds: [] };
    vendors.set(message.apiSet, vendor);
    vendor.messageIds.push(messageId);
    for (const card of message.cards) {
      vendor.wakeUps.push({ ...card, ...(receives > 1 && { maybePosted: true }) });
    }
  }
  for (const vendor of vendors.values()) vendor.wakeUps = mergeSameVersion(vendor.wakeUps);
  return { vendors, unreadable };
}

/** Merges wake-ups of one vendor that name the same version of a card. */
export function mergeSameVersion<One extends WakeUpCard>(wakeUps: readonly One[]): One[] {
  const versions = new Map<string, One>();
  for (const wakeUp of wakeUps) {
    const key = `${wakeUp.version} ${wakeUp.externalId}`;
    const other = versions.get(key);
    versions.set(key, other === undefined ? wakeUp : merged(other, wakeUp));
  }
  return [...versions.values()];
}

const rank = ({ mark }: WakeUpCard) => (mark === undefined ? 0.5 : marks.indexOf(mark));

function merged<One extends WakeUpCard>(one: One, other: One): One {
  // The newer one counts in any case: if the card was woken up again, the older one is void.
  const madeAt = Math.max(one.madeAt, other.madeAt);
  const maybePosted = one.maybePosted || other.maybePosted;
  // Of several writes of a version at most one was made, perhaps by a submission whose wake-up another run has.
  const times = [one, other].flatMap((wakeUp) => [wakeUp.madeAt, ...(wakeUp.alsoMadeAt ?? [])]);
  const others = new Set(times.filter((time) => time !== madeAt));
  return {
    ...(rank(one) > rank(other) ? one : other),
    madeAt,
    ...(maybePosted && { maybePosted }),
    ...(others.size > 0 && { alsoMadeAt: [...others] }),
  };
}

function writeMessage(apiSet: ApiSet, wakeUps: readonly WakeUpCard[]): string {
  const cards = wakeUps.flatMap(({ externalId, version, madeAt, mark, alsoMadeAt = [], ...wakeUp }) => {
    const marksOfCard = [...(mark === undefined ? [] : [mark]), ...(wakeUp.maybePosted ? [maybePosted] : [])];
    const times = mark === "inserted" ? [madeAt, ...alsoMadeAt] : [madeAt];
    return times.map((time) => [externalId, version, time, ...marksOfCard]);
  });
  return messageJson({ form, apiSet, cards });
}

/** A message, and the wake-ups in it. */
interface WakingMessage extends OutgoingMessage {
  readonly wakeUps: readonly WakeUp[];
}

/** Merges wake-ups of one vendor that are due at the same time into messages of up to fifty cards. */
export function mergeWakeUps(wakeUps: readonly WakeUp[]): WakingMessage[] {
  const groups = Map.groupBy(wakeUps, ({ apiSet, delaySeconds }) => `${delaySeconds} ${apiSet}`);
  return [...groups.values()].flatMap((group) =>
    chunks(group, cardsInMessage).flatMap((cards) => {
      const [first] = cards;
      if (first === undefined) return [];
      const { apiSet, delaySeconds } = first;
      return [{ group: apiSet, delaySeconds, body: writeMessage(apiSet, cards), wakeUps: cards }];
    }),
  );
}

/**
 * Sends wake-ups in as few messages as possible. Each message carries its vendor's API set as message group, so that one vendor's
 * flood does not delay another's cards.
 *
 * @throws QueueBatchError if SQS keeps refusing some; the same call may be made again
 */
export const sendWakeUps = (client: SQSClient, queueUrl: string, wakeUps: readonly WakeUp[]): Promise<void> =>
  sendMessages(client, queueUrl, mergeWakeUps(wakeUps));

/** Sends wake-ups as `sendWakeUps` does. @returns those that SQS kept refusing, or may have taken without an answer */
export async function trySendWakeUps(
  client: SQSClient,
  queueUrl: string,
  wakeUps: readonly WakeUp[],
): Promise<WakeUp[]> {
  const { unsent } = await trySendMessages(client, queueUrl, mergeWakeUps(wakeUps));
  return unsent.flatMap((message) => message.wakeUps);
}
