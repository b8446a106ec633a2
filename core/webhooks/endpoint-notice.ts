import type { ToldEndpoint } from "../../api/events.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { EndpointEventType } from "./event.ts";
import type { EndpointNotice } from "./queue.ts";
import { type Telling, tellVendor } from "./tell-vendor.ts";

/** A mail about an endpoint. */
export interface NoticeMail {
  readonly apiSet: ApiSet;
  /** Up to a hundred characters of ASCII, as SNS has it. */
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail to whoever the operator has named for a vendor. */
export type MailNotice = (mail: NoticeMail) => Promise<void>;

/** Where vendors are told of their endpoints. */
interface NoticeTelling extends Telling {
  readonly mail: MailNotice;
  readonly now: () => Date;
}

const subjects: Readonly<Record<EndpointEventType, string>> = {
  "endpoint.failing": "Webhook endpoint fails",
  "endpoint.disabled": "Webhook endpoint was disabled",
  "endpoint.recovered": "Webhook endpoint works again",
};

/** What a mail says, a line each. */
function linesOf(type: EndpointEventType, { id, since, failures, message }: ToldEndpoint): string[] {
  const of = `The endpoint ${id}`;
  const why = [
    ...(since === undefined ? [] : [`It has taken nothing since ${since}.`]),
    ...(message === undefined ? [] : [`The last attempt of ${failures ?? 1}: ${message}`]),
  ];
  if (type === "endpoint.recovered") {
    return [`${of} takes events again, after it had taken none since ${since}.`, "What waited is sent now."];
  }
  if (type === "endpoint.failing") {
    return [
      `${of} takes no events.`,
      ...why,
      "Its events are sent again and again. After three days the endpoint is disabled.",
      "The portal's view Webhooks shows each attempt, and can send a test.",
    ];
  }
  return [
    `${of} gets no more events: it was disabled.`,
    ...why,
    "Mend it and enable it again, in the portal's view Webhooks or with PUT, and have the outcomes of the time sent again.",
  ];
}

/** The mail of a notice. It leaves out the endpoint's URL: it may contain a credential. */
function mailOf({ apiSet, notice: { type, data } }: EndpointNotice): NoticeMail {
  const kind = type as EndpointEventType;
  const lines = linesOf(kind, data.endpoint ?? { id: "" });
  return { apiSet, subject: `${subjects[kind]}: ${apiSet}`, text: lines.join("\n") };
}

/**
 * Tells a vendor of one of its endpoints: in its feed, at its other endpoints, and by mail. All of it may be repeated; the events
 * have the same IDs then.
 *
 * @throws an error of the table, the queue or the mail
 */
export async function tellNotice(
  notice: EndpointNotice,
  { mail, now, ...telling }: NoticeTelling,
): Promise<void> {
  const { apiSet, endpointId, notice: event } = notice;
  // Each type has a place of its own in the feed, since the messages of two notices may be handed over in another order.
  const source = `${endpointId} ${event.type}`;
  const entries = [{ apiSet, sequenceNumber: String(Date.parse(event.timestamp)), event }];
  await tellVendor(telling, apiSet, { source, entries, except: endpointId }, now().getTime());
  await mail(mailOf(notice));
}
