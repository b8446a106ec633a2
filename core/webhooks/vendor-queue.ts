import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { SendMessageBatchCommand, type SQSClient, type SQSClientConfig } from "@aws-sdk/client-sqs";
import { bytesLimit, entriesLimit } from "../aws/send-messages.ts";
import { type QueueEndpoint, secretsInUse } from "./endpoint.ts";
import type { WebhookData, WebhookEvent } from "./event.ts";
import { queueAt } from "./queue-address.ts";
import { assumeRole, RoleError, type RoleOptions } from "./role-of-queue.ts";
import { signedHeaders } from "./sign.ts";

/** An event for a queue. */
export interface QueuedEvent {
  readonly eventId: string;
  /** The body of the message, as it would be posted to an address. */
  readonly body: string;
  /** Set if the vendor asked for the event again: otherwise a FIFO queue drops an event that it got in the last five minutes. */
  readonly requestId?: string | undefined;
}

/** What became of events that were sent to a queue. */
export interface QueueResult {
  /** How many of them, from the first on, the queue has. */
  readonly sent: number;
  /** Why it does not have the others. For the vendor: without names of ours. */
  readonly message?: string;
}

/**
 * Sends events to a queue, in their order, with as few requests as possible. Those after the first that the queue has not
 * taken may have been sent, too, but none of the same card.
 */
export type SendToQueue = (endpoint: QueueEndpoint, events: readonly QueuedEvent[]) => Promise<QueueResult>;

/** How queues are reached. */
interface QueueSenderOptions extends RoleOptions {
  /** Makes a client of the queues of a region. */
  readonly sqs: (config: SQSClientConfig) => SQSClient;
  /** For all requests of a call together. */
  readonly timeoutMilliseconds: number;
  readonly now: () => Date;
}

/** Clients that are kept, each with credentials for an hour. */
const keptClients = 100;
/** How often a part of a batch that SQS refuses is sent, and the longest wait after the first time. */
const attempts = 3;
const firstPause = 100;

const codeOf = (error: unknown) => (error instanceof Error && /^[\w.]+$/.test(error.name) ? error.name : "");

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

type Entry = NonNullable<SendMessageBatchCommand["input"]["Entries"]>[number];

/**
 * The messages of events, grouped for requests. In a request to a FIFO queue no card is there twice: if SQS refuses an entry, the
 * next one of its card must not overtake it.
 */
function requestsOf(
  endpoint: QueueEndpoint,
  events: readonly QueuedEvent[],
  isFifo: boolean,
  now: Date,
): Entry[][] {
  const secrets = secretsInUse(endpoint, now.getTime());
  const requests: Entry[][] = [];
  let bytes = 0;
  let groups = new Set<string>();
  for (const { eventId, body, requestId } of events) {
    const group = isFifo ? groupOf(body) : undefined;
    const attributes = { ...endpoint.headers, ...signedHeaders(secrets, eventId, now, body) };
    const entry: Entry = {
      Id: String(requests.at(-1)?.length ?? 0),
      MessageBody: body,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { DataType: "String", StringValue: value }]),
      ),
      ...(group !== undefined && {
        MessageGroupId: group,
        MessageDeduplicationId: requestId === undefined ? eventId : `${eventId}-${requestId}`,
      }),
    };
    const own = Buffer.byteLength(body) + Buffer.byteLength(JSON.stringify(attributes));
    const last = requests.at(-1);
    const isFull = last === undefined || last.length === entriesLimit || bytes + own > bytesLimit;
    if (isFull || (group !== undefined && groups.has(group))) {
      requests.push([{ ...entry, Id: "0" }]);
      bytes = own;
      groups = new Set();
    } else {
      last.push(entry);
      bytes += own;
    }
    if (group !== undefined) groups.add(group);
  }
  return requests;
}

/** Sends a request, and what SQS refuses of it again. @returns what it keeps refusing, and why */
async function sendEntries(client: SQSClient, url: string, entries: readonly Entry[], signal: AbortSignal) {
  let left = [...entries];
  for (let attempt = 1; ; attempt++) {
    const command = new SendMessageBatchCommand({ QueueUrl: url, Entries: left });
    const { Failed = [] } = await client.send(command, { abortSignal: signal });
    const failed = new Set(Failed.map(({ Id }) => Id));
    left = left.filter(({ Id }) => failed.has(Id));
    const isSenders = Failed.some(({ SenderFault }) => SenderFault);
    if (left.length === 0 || isSenders || attempt === attempts) return { left, code: Failed[0]?.Code ?? "" };
    await pause(Math.random() * firstPause * 2 ** attempt, undefined, { signal });
  }
}

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
  const clients = new Map<string, SQSClient>();

  function clientOf(endpoint: QueueEndpoint): SQSClient {
    const { apiSet, url, roleArn } = endpoint;
    const key = `${apiSet} ${roleArn} ${url}`;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const region = queueAt(url)?.region;
    const client = sqs({
      ...(region !== undefined && { region }),
      // The host is the region's, never one from the URL.
      useQueueUrlAsEndpoint: false,
      credentials: () => assumeRole(ofRoles, endpoint, region ?? ""),
    });
    clients.set(key, client);
    // The oldest goes, not that which was used last: lru-cache is larger than the client of STS.
    const [oldest = key] = clients.keys();
    if (clients.size > keptClients) {
      clients.get(oldest)?.destroy();
      clients.delete(oldest);
    }
    return client;
  }

  return async (endpoint, events) => {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const { isFifo } = queueAt(endpoint.url) ?? { isFifo: false };
    const client = clientOf(endpoint);
    let sent = 0;
    try {
      for (const request of requestsOf(endpoint, events, isFifo, now())) {
        const { left, code } = await sendEntries(client, endpoint.url, request, signal);
        if (left.length > 0) return { sent: sent + Number(left[0]?.Id), message: reasonOf(code) };
        sent += request.length;
      }
      return { sent };
    } catch (error) {
      if (signal.aborted) {
        return { sent, message: `The queue took longer than ${timeoutMilliseconds / 1000} seconds.` };
      }
      return { sent, message: error instanceof RoleError ? error.message : reasonOf(codeOf(error)) };
    }
  };
}
