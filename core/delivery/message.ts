import * as z from "zod";
import { type ApiSet, readApiSet } from "../account/api-set.ts";
import { isExternalId } from "../scorecard/schema.ts";

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
  readonly card: Record<string, unknown>;
}

const messageSchema = z.object({
  apiSet: z.custom<ApiSet>((text) => readApiSet(text) !== undefined),
  externalId: z.string().refine(isExternalId),
  revision: z.string().min(1),
  corrects: z.string().optional(),
  acceptedAt: z.number(),
  requestId: z.string().optional(),
  card: z.record(z.string(), z.unknown()),
});

/** Reads the body of a message; undefined where it is not one of ours. */
export function readMessage(body: string): CardMessage | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** What SQS takes no message with, and what comes in two UTF-16 units, which not every engine takes. */
const unwelcome = /[\ud800-\udfff\ufffe\uffff]/g;

/**
 * Writes the body of a message: JSON in which every character that SQS could mind is escaped.
 *
 * @see SQS API reference, SendMessage, MessageBody: the characters a message may have
 */
export function writeMessage(message: CardMessage): string {
  return JSON.stringify(message).replace(unwelcome, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}
