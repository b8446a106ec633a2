import { hash, randomUUID } from "node:crypto";
import type { SQSClient, SQSClientConfig } from "@aws-sdk/client-sqs";
import { AssumeRoleCommand, type STSClient } from "@aws-sdk/client-sts";
import { LRUCache } from "lru-cache";
import { type MessageEntry, sendBatch, toBatches } from "../aws/send-messages.ts";
import { withoutRepeats } from "../formats/chunks.ts";
import { type QueueEndpoint, secretsInUse } from "./endpoint.ts";
import type { WebhookData, WebhookEvent } from "./event.ts";
import type { EventPostResult } from "./post-event.ts";
import { queueAt } from "./queue-address.ts";
import { signedHeaders } from "./sign.ts";

/** How roles of vendors' accounts are assumed. */
interface RoleOptions {
  readonly sts: Pick<STSClient, "send">;
  /** The external ID of a vendor, which the trust policy of its role names. */
  readonly externalId: (apiSet: string) => string;
}

/** The role could not be assumed, or anybody's events could. The message is for the vendor. */
class RoleError extends Error {
  override readonly name = "RoleError";
}

/** What a vendor reads whose role does not protect its queue. */
export const openRoleMessage =
  "Your role does not ask for the external ID, so another vendor could write to your queue by naming it. Have its trust policy require your external ID.";

/** The name of an error of AWS. Its message has names of our account. */
const errorCode = (error: unknown): string =>
  error instanceof Error && /^[\w.]+$/.test(error.name) ? error.name : "";

const toPolicy = (...Statement: readonly object[]) => JSON.stringify({ Version: "2012-10-17", Statement });

/**
 * What our session of the role may do at most, whatever the role may: send to this queue, and use its key.
 *
 * @see IAM user guide, Session policies
 */
const sessionPolicy = (url: string, region: string, roleArn: string): string => {
  const [, partition] = roleArn.split(":");
  const [, , , accountId, name] = url.split("/");
  const queue = `arn:${partition}:sqs:${region}:${accountId}:${name}`;
  const Condition = { StringLike: { "kms:ViaService": "sqs.*" } };
  return toPolicy(
    { Effect: "Allow", Action: "sqs:SendMessage", Resource: queue },
    { Effect: "Allow", Action: ["kms:GenerateDataKey", "kms:Decrypt"], Resource: "*", Condition },
  );
};

const nothing = toPolicy({ Effect: "Deny", Action: "*", Resource: "*" });

/**
 * Whether a role can be assumed with an external ID that no vendor has. Such a role can be used for every vendor.
 *
 * @throws Error of STS, if it does not say
 * @see IAM user guide, The confused deputy problem
 */
export async function isRoleOpen({ sts, externalId }: RoleOptions, roleArn: string): Promise<boolean> {
  try {
    // Our own policy allows only external IDs of the stage, so the probe is one; no API set has a colon.
    const ExternalId = externalId(`probe:${randomUUID()}`);
    const probe = { RoleArn: roleArn, RoleSessionName: "scorecard-probe", ExternalId, Policy: nothing };
    await sts.send(new AssumeRoleCommand(probe));
    return true;
  } catch (error) {
    if (errorCode(error) === "AccessDenied") return false;
    throw error;
  }
}

/**
 * Credentials of a role, for an hour, as SDK clients take them.
 *
 * The role is probed each time, since its owner may have changed it.
 *
 * @throws RoleError
 */
async function assumeRole(options: RoleOptions, { apiSet, url, roleArn }: QueueEndpoint, region: string) {
  // A probe without an answer must not hold up events.
  if (await isRoleOpen(options, roleArn).catch(() => false)) throw new RoleError(openRoleMessage);
  try {
    const ExternalId = options.externalId(apiSet);
    const Policy = sessionPolicy(url, region, roleArn);
    const session = { RoleArn: roleArn, RoleSessionName: "scorecard-events", ExternalId, Policy };
    const { Credentials } = await options.sts.send(new AssumeRoleCommand(session));
    return {
      accessKeyId: Credentials?.AccessKeyId ?? "",
      secretAccessKey: Credentials?.SecretAccessKey ?? "",
      ...(Credentials?.SessionToken !== undefined && { sessionToken: Credentials.SessionToken }),
      ...(Credentials?.Expiration !== undefined && { expiration: Credentials.Expiration }),
    };
  } catch (cause) {
    const code = errorCode(cause);
    const said = `The role cannot be assumed${code && ` (${code})`}.`;
    const remedy = " Its trust policy has to name our account and your external ID.";
    throw new RoleError(code === "AccessDenied" ? said + remedy : said, { cause });
  }
}

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
