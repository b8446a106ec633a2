import { hash } from "node:crypto";
import type { SQSClient, SQSClientConfig } from "@aws-sdk/client-sqs";
import { LRUCache } from "lru-cache";
import { type MessageEntry, sendBatch, toBatches } from "../aws/send-messages.ts";
import { withoutRepeats } from "../formats/chunks.ts";
import { type QueueEndpoint, secretsInUse } from "./endpoint.ts";
import type { WebhookData, WebhookEvent } from "./event.ts";
import type { EventPostResult } from "./post-event.ts";
import { queueAt } from "./queue-address.ts";
import { assumeRole, errorCode, RoleError, type RoleOptions } from "./role-of-queue.ts";
import { signedHeaders } from "./sign.ts";

/** An event for a queue. */
export interface QueuedEvent {
  readonly eventId: string;
  /** The body of the message, as it would be posted to an address. */
  readonly body: string;
  /** Set if the vendor asked for the event again: otherwise a FIFO queue drops an event that it got in the last five minutes. */
  readonly requestId?: string | undefined;
}

/** What became of events that were sent; the message says why an endpoint does not have all. */
export interface SendResult extends EventPostResult {
  /** How many of them, from the first on, it has. */
  readonly sent: number;
}

/**
 * Sends events to a queue, in their order, with as few requests as possible. Those after the first that the queue has not
 * taken may have been sent, too, but none of the same card.
 */
export type SendToQueue = (endpoint: QueueEndpoint, events: readonly QueuedEvent[]) => Promise<SendResult>;

/** How queues are reached. */
interface QueueSenderOptions extends RoleOptions {
  /** Makes a client of the queues of a region. */
  readonly sqs: (config: SQSClientConfig) => SQSClient;
  /** For all requests of a call together. */
  readonly timeoutMilliseconds: number;
  readonly now: () => Date;
}

/** Clients that are kept, each with credentials for an hour. */
const maxClients = 100;

/** Why a queue did not take an event: AWS's own messages have names of our account. */
function reasonOf(code: string): string {
  if (/NonExistentQueue|QueueDoesNotExist/.test(code)) return `The queue does not exist (${code}).`;
  if (/^Kms|KMS/.test(code)) {
    return `The queue's key cannot be used (${code}). Allow the role kms:GenerateDataKey and kms:Decrypt.`;
  }
  if (/AccessDenied/.test(code)) {
    return `The role may not send to the queue (${code}). Allow it sqs:SendMessage there.`;
  }
  return `The queue did not take the event${code && ` (${code})`}.`;
}

/** What SQS takes as a group, of up to 128 characters. */
const groupPattern = /^[\w!"#$%&'()*+,./:;<=>?@[\\\]^`{|}~-]{1,128}$/;

/** The group of an event in a FIFO queue: its card, or what else it is about. */
function groupOf(body: string): string {
  const { type, data } = JSON.parse(body) as Pick<WebhookEvent, "type"> & { readonly data: WebhookData };
  const [card] = data.cards ?? [];
  const name = card?.externalId ?? type.slice(0, type.indexOf("."));
  return groupPattern.test(name) ? name : hash("sha256", name, "base64url");
}

/** The messages of events. `Id` is an event's place in the list. */
const toEntries = (endpoint: QueueEndpoint, events: readonly QueuedEvent[], isFifo: boolean, now: Date) => {
  const secrets = secretsInUse(endpoint, now.getTime());
  return events.map(({ eventId, body, requestId }, place): MessageEntry => {
    const attributes = { ...endpoint.headers, ...signedHeaders(secrets, eventId, now, body) };
    return {
      Id: String(place),
      MessageBody: body,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { DataType: "String", StringValue: value }]),
      ),
      ...(isFifo && {
        MessageGroupId: groupOf(body),
        MessageDeduplicationId: requestId === undefined ? eventId : `${eventId}-${requestId}`,
      }),
    };
  });
};

/** Groups entries for requests, each with one of a card: if SQS refuses an entry, the next one of its card must not overtake it. */
const toRequests = (entries: readonly MessageEntry[]): MessageEntry[][] =>
  withoutRepeats(entries, ({ Id, MessageGroupId = Id }) => MessageGroupId ?? "").flatMap(toBatches);

/**
 * Makes the function that sends events to queues of vendors' own AWS accounts.
 *
 * It assumes the role that the vendor names, with the vendor's external ID: a role that trusts us for one vendor cannot be used by
 * another one.
 *
 * @see IAM user guide, Access to AWS accounts owned by third parties
 */
export function createQueueSender({
  sqs,
  timeoutMilliseconds,
  now,
  ...ofRoles
}: QueueSenderOptions): SendToQueue {
  const clients = new LRUCache<string, SQSClient, QueueEndpoint>({
    max: maxClients,
    memoMethod(_key, _expired, { context: endpoint }) {
      const region = queueAt(endpoint.url)?.region;
      return sqs({
        ...(region !== undefined && { region }),
        // The host is the region's, never one from the URL.
        useQueueUrlAsEndpoint: false,
        credentials: () => assumeRole(ofRoles, endpoint, region ?? ""),
      });
    },
  });

  return async (endpoint, events) => {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const { isFifo } = queueAt(endpoint.url) ?? { isFifo: false };
    const left = new Set(events.keys());
    /** How many events, from the first on, the queue has. */
    const sent = () => Math.min(events.length, ...left);
    try {
      const { apiSet, url, roleArn } = endpoint;
      const client = clients.memo(`${apiSet} ${roleArn} ${url}`, { context: endpoint });
      for (const request of toRequests(toEntries(endpoint, events, isFifo, now()))) {
        const { unsent, code } = await sendBatch(client, url, request, signal);
        const failed = new Set(unsent);
        for (const entry of request) if (!failed.has(entry)) left.delete(Number(entry.Id));
        if (failed.size > 0) return { sent: sent(), message: reasonOf(code) };
      }
      return { sent: sent() };
    } catch (error) {
      const refusal = error instanceof RoleError ? error.message : reasonOf(errorCode(error));
      const late = `The queue took longer than ${timeoutMilliseconds / 1000} seconds.`;
      return { sent: sent(), message: signal.aborted ? late : refusal };
    }
  };
}
