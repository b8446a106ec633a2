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
  readonly now: () => number;
}

/** The subject of a mail, and what it says of `endpoint` and why, a line each. */
const mails: Readonly<Record<EndpointEventType, readonly [subject: string, ...lines: readonly string[]]>> = {
  "endpoint.recovered": [
    "Webhook endpoint works again",
    "The endpoint {id} takes events again. What waited is sent now.",
  ],
  "endpoint.failing": [
    "Webhook endpoint fails",
    "The endpoint {id} takes no events.",
    "Its events are sent again and again. After three days the endpoint is disabled.",
    "The portal's view Webhooks shows each attempt, and can send a test.",
  ],
  "endpoint.disabled": [
    "Webhook endpoint was disabled",
    "The endpoint {id} gets no more events: it was disabled.",
    "Mend it and enable it again, in the portal's view Webhooks or with PUT, and have the outcomes of the time sent again.",
  ],
};

/** The mail of a notice. It leaves out the endpoint's URL: it may contain a credential. */
function mailOf({ apiSet, notice: { type, data } }: EndpointNotice): NoticeMail {
  const { id = "", since, failures = 1, message } = data.endpoint ?? {};
  const [subject, first = "", ...others] = mails[type as EndpointEventType];
  const lines = [
    first.replace("{id}", id),
    ...(since === undefined ? [] : [`It took nothing from ${since} on.`]),
    ...(message === undefined ? [] : [`The last attempt of ${failures}: ${message}`]),
    ...others,
  ];
  return { apiSet, subject: `${subject}: ${apiSet}`, text: lines.join("\n") };
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
  const entries = [{ sequenceNumber: String(Date.parse(event.timestamp)), event }];
  await tellVendor(telling, apiSet, source, entries, now());
  await mail(mailOf(notice));
}
