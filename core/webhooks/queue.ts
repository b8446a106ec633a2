import type { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { type ApiSet, apiSetSchema } from "../accounts/account.ts";
import { messageJson, sendMessages } from "../aws/send-messages.ts";
import { splitByLength } from "../formats/chunks.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { bodyOf, type WebhookEvent } from "./event.ts";

/** Version of the message format. */
const form = 1;
const addressed = { form: z.literal(form), apiSet: apiSetSchema, endpointId: z.string() };

const wakeUpSchema = z.object({ ...addressed, isWakeUp: z.literal(true) });
const noticeSchema = z.object({
  ...addressed,
  notice: z.custom<WebhookEvent>((event) => typeof event === "object" && event !== null),
});
const eventFields = {
  eventId: z.string(),
  /** The body that is posted. */
  body: z.string(),
  /** Failed posts of this event to an endpoint that worked before. */
  attempts: z.int(),
  /** Failed posts since then, to an endpoint that was failing: they hold it back only until the endpoint works again. */
  refusals: z.exactOptional(z.int()),
  /** When the event was sent first, and before when it is not posted again. */
  firstAt: z.number(),
  notBefore: z.number(),
  /** Whether the vendor tries the endpoint with it: it is posted once, whatever the endpoint's state. */
  isTest: z.exactOptional(z.boolean()),
  /** Whether that is to be signed with a secret that is not the endpoint's, to see that the endpoint refuses it. */
  isForged: z.exactOptional(z.boolean()),
  /** The request that asked for the event once more, if it was sent before. */
  requestId: z.exactOptional(z.string()),
};
const messageSchema = z.object({ ...addressed, ...eventFields });
/** Events that wait for an endpoint until the same time. */
const waitingSchema = z.object({ ...addressed, events: z.array(z.object(eventFields)) });
const anyMessageSchema = z.union([wakeUpSchema, noticeSchema, waitingSchema, messageSchema]);

type Message<Schema extends z.ZodMiniType> = Readonly<Omit<z.infer<Schema>, "form">>;

/** An event on its way to an endpoint. */
export type WebhookMessage = Message<typeof messageSchema>;
/** Says that the vendor's feed may have events that an endpoint, which is a queue, does not have yet. */
export type FeedWakeUp = Message<typeof wakeUpSchema>;
/** Says that a vendor is to be told of an endpoint. */
export type EndpointNotice = Message<typeof noticeSchema>;

/** A message to send, and when. */
export type OutgoingWebhook = (WebhookMessage | FeedWakeUp | EndpointNotice) & {
  readonly delaySeconds: number;
};

/** Reads the body of a message, of which one that waited may have several events; undefined if it is not one of ours, or has another format. */
export function readWebhookMessage(
  text: string,
): (WebhookMessage | FeedWakeUp | EndpointNotice)[] | undefined {
  try {
    const { form: _, ...message } = anyMessageSchema.parse(JSON.parse(text));
    if (!("events" in message)) return [message];
    const { events, ...address } = message;
    return events.map((event) => ({ ...address, ...event }));
  } catch {
    return undefined;
  }
}

/** The first message of an event to an endpoint. */
export function messageOf(
  { apiSet, id }: { readonly apiSet: ApiSet; readonly id: string },
  event: WebhookEvent,
  now: number,
): WebhookMessage & OutgoingWebhook {
  const body = bodyOf(event);
  const times = { attempts: 0, firstAt: now, notBefore: now, delaySeconds: 0 };
  return { apiSet, endpointId: id, eventId: event.id, body, ...times };
}

/** Makes a message that has the next events of the feed sent to a queue. */
export const createFeedWakeUp = (
  { apiSet, id }: Pick<WebhookEndpoint, "apiSet" | "id">,
  delaySeconds = 0,
): OutgoingWebhook => ({ apiSet, endpointId: id, isWakeUp: true, delaySeconds });

/** Characters of the events that wait in one message: SQS charges for each started 64 KB. */
const maxWaiting = 50_000;

/**
 * Sends messages in as few requests as possible. Each has its endpoint as message group, so that one endpoint's flood does not
 * delay another's events. Events that wait for an endpoint until the same time share a message: all those of one that fails come up
 * each quarter of an hour, for days.
 *
 * @throws QueueBatchError if SQS keeps refusing some; the same call may be made again
 */
export function sendWebhooks(
  client: SQSClient,
  queueUrl: string,
  messages: readonly OutgoingWebhook[],
): Promise<void> {
  const groups = Map.groupBy(messages, (message) =>
    "eventId" in message && message.delaySeconds > 0
      ? `${message.endpointId} ${message.delaySeconds}`
      : message,
  );
  const chunks = [...groups.values()].flatMap((group) => splitByLength(group, maxWaiting));
  const outgoing = (chunks as [OutgoingWebhook][]).map(([{ delaySeconds, ...first }, ...others]) => {
    const { apiSet, endpointId } = first;
    const content = others.length === 0 ? first : { apiSet, endpointId, events: [first, ...others] };
    return { body: messageJson({ form, ...content }), group: endpointId, delaySeconds };
  });
  return sendMessages(client, queueUrl, outgoing);
}
