import * as z from "zod/mini";
import { type ApiSet, apiSetSchema } from "../account/api-set.ts";
import { isExternalId } from "../scorecard/external-id.ts";
import { packText, unpackText } from "../store/packed-json.ts";

/** What the cards of a message have in common: one vendor's submission brought them. */
export interface CardOrigin {
  readonly apiSet: ApiSet;
  /** Milliseconds since 1970, UTC: deliveries are given up so long after it. */
  readonly acceptedAt: number;
  /** The request that brought it, for whoever follows a card through the logs. */
  readonly requestId?: string | undefined;
  /** The parcel that the cards of the message are, where all of them are new. */
  readonly parcel?: string | undefined;
}

/** An accepted card on its way to the exchange. */
export interface QueuedCard extends CardOrigin {
  readonly externalId: string;
  /** The revision that this content is; another one stored means that it was superseded. */
  readonly revision: string;
  /** The revision that this one corrects: as long as it is the stored one, the correction is still being accepted. */
  readonly corrects?: string | undefined;
  /** JSON of the card. */
  readonly card: string;
}

const messageSchema = z.object({
  apiSet: apiSetSchema,
  acceptedAt: z.number(),
  requestId: z.optional(z.string()),
  parcel: z.optional(z.string()),
  cards: z
    .array(
      z.object({
        externalId: z.string().check(z.refine(isExternalId)),
        revision: z.string().check(z.minLength(1)),
        corrects: z.optional(z.string()),
      }),
    )
    .check(z.minLength(1)),
  /** The cards themselves, packed, in Base64. */
  packed: z.string(),
});

/** Between two cards: JSON has no line break of its own. */
const separator = "\n";

/** Reads the body of a message; undefined where it is not one of ours, or one of its cards is not. */
export function readMessage(body: string): readonly QueuedCard[] | undefined {
  try {
    const { cards, packed, ...origin } = messageSchema.parse(JSON.parse(body));
    const texts = unpackText(Buffer.from(packed, "base64")).split(separator);
    if (texts.length !== cards.length || !texts.every((text) => text.startsWith("{"))) return undefined;
    return cards.map((about, index) => ({ ...origin, ...about, card: texts[index] ?? "" }));
  } catch {
    return undefined;
  }
}

/** What SQS takes no message with, and what comes in two UTF-16 units, which not every engine takes. */
const unwelcome = /[\ud800-\udfff\ufffe\uffff]/g;

/**
 * Writes the body of a message. Its cards are packed together: what one says like another, such as the course that
 * both were played on, takes next to nothing.
 *
 * @param origin of all of the cards
 * @see SQS API reference, SendMessage, MessageBody: the characters a message may have
 */
export function writeMessage(
  { apiSet, acceptedAt, requestId, parcel }: CardOrigin,
  cards: readonly QueuedCard[],
): string {
  const about = cards.map(({ externalId, revision, corrects }) => ({ externalId, revision, corrects }));
  const packed = Buffer.from(packText(cards.map(({ card }) => card).join(separator))).toString("base64");
  return JSON.stringify({ apiSet, acceptedAt, requestId, parcel, cards: about, packed }).replace(
    unwelcome,
    (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
  );
}
