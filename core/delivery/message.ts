import * as z from "zod/mini";
import { type ApiSet, readApiSet } from "../account/api-set.ts";
import { isExternalId } from "../scorecard/external-id.ts";
import { type CardContent, packedContent } from "../store/card-content.ts";

/** An accepted card on its way to the exchange. */
export interface CardMessage {
  readonly apiSet: ApiSet;
  readonly externalId: string;
  /** The revision that this content is; another one stored means that it was superseded. */
  readonly revision: string;
  /** The revision that this one corrects: as long as it is the stored one, the correction is still being accepted. */
  readonly corrects?: string | undefined;
  /** Milliseconds since 1970, UTC: deliveries are given up so long after it. */
  readonly acceptedAt: number;
  /** The request that brought it, for whoever follows a card through the logs. */
  readonly requestId?: string | undefined;
  readonly content: CardContent;
}

const messageSchema = z.object({
  apiSet: z.custom<ApiSet>((text) => readApiSet(text) !== undefined),
  externalId: z.string().check(z.refine(isExternalId)),
  revision: z.string().check(z.minLength(1)),
  corrects: z.optional(z.string()),
  acceptedAt: z.number(),
  requestId: z.optional(z.string()),
  /** The card's packed content in Base64. */
  card: z.string(),
});

/** Reads the body of a message; undefined where it is not one of ours. */
export function readMessage(body: string): CardMessage | undefined {
  try {
    const { card, ...about } = messageSchema.parse(JSON.parse(body));
    const content = packedContent(Buffer.from(card, "base64"));
    return content.text().startsWith("{") ? { ...about, content } : undefined;
  } catch {
    return undefined;
  }
}

/** What SQS takes no message with, and what comes in two UTF-16 units, which not every engine takes. */
const unwelcome = /[\ud800-\udfff\ufffe\uffff]/g;

/**
 * Writes the body of a message: JSON in which every character that SQS could mind is escaped. The card goes packed as
 * it is stored, a third of its size.
 *
 * @see SQS API reference, SendMessage, MessageBody: the characters a message may have
 */
export function writeMessage({ content, ...about }: CardMessage): string {
  const { buffer, byteOffset, byteLength } = content.packed();
  const card = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
  const head = JSON.stringify(about).replace(unwelcome, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  // Base64 needs no escape: of a message's text it is most, and is not looked through.
  return `${head.slice(0, -1)},"card":"${card}"}`;
}
