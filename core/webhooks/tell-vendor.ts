import type { ApiSet } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { pausedBy } from "../cards/status.ts";
import { beginningOfDay, dayOf } from "../formats/union-time.ts";
import type { ActivityReader } from "../views/activity-table.ts";
import { maxWait, waitingCards } from "../views/waiting-cards.ts";
import { isQueue } from "./endpoint.ts";
import type { WebhookTable } from "./endpoint-table.ts";
import { createEvent, type EndpointEventType, type FeedEntry, groupEvents, isWanted } from "./event.ts";
import type { FeedWriter } from "./feed-table.ts";
import { createFeedWakeUp, type EndpointNotice, messageOf, type OutgoingWebhook } from "./queue.ts";

/** Where a vendor learns what happened. */
export interface Telling {
  readonly endpoints: Pick<WebhookTable, "list">;
  readonly feed: FeedWriter;
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
}

/**
 * Tells a vendor of events: adds them to its feed, and queues messages for its endpoints. An address gets the events of its types,
 * a queue is woken up to read the feed. A queue that fails reads it at its next attempt.
 *
 * It may be repeated: the feed has each event once, and endpoints get them with the same IDs.
 */
export async function tellVendor(
  { endpoints, feed, send }: Telling,
  apiSet: ApiSet,
  source: string,
  entries: readonly FeedEntry[],
  now: number,
): Promise<void> {
  await feed.append(apiSet, source, entries);
  const enabled = (await endpoints.list(apiSet)).filter(({ disabled }) => disabled === undefined);
  const events = groupEvents(entries.map(({ event }) => event));
  const messages = enabled.flatMap((endpoint): OutgoingWebhook[] => {
    if (isQueue(endpoint))
      return (endpoint.failing?.nextAttemptAt ?? 0) <= now ? [createFeedWakeUp(endpoint)] : [];
    return events
      .filter((event) => isWanted(endpoint, event))
      .map((event) => messageOf(endpoint, event, now));
  });
  await send(messages);
}

/** A mail about an endpoint. */
export interface NoticeMail {
  readonly apiSet: ApiSet;
  /** Up to a hundred characters of ASCII, as SNS has it. */
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail to whoever the operator has named for a vendor. */
export type MailNotice = (mail: NoticeMail) => Promise<void>;

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
 * Notifies a vendor about one of its endpoints: in its feed, at its other endpoints, and by mail. A repeated call mails again; its
 * events have the same IDs.
 *
 * @throws an error of the table, the queue or the mail
 */
export async function tellNotice(
  notice: EndpointNotice,
  { mail, now, ...telling }: Telling & { readonly mail: MailNotice; readonly now: () => number },
): Promise<void> {
  const { apiSet, endpointId, notice: event } = notice;
  // Each type has a place of its own in the feed, since the messages of two notices may be handed over in another order.
  const source = `${endpointId} ${event.type}`;
  const entries = [{ sequenceNumber: String(Date.parse(event.timestamp)), event }];
  await tellVendor(telling, apiSet, source, entries, now());
  await mail(mailOf(notice));
}

/**
 * Tells a vendor's endpoints, and its feed, how many of its cards wait shortly before midnight, since a round that arrives later is not in the
 * Playing Conditions Calculation of its day. Nothing is told if no card waits.
 *
 * @returns the number of cards that wait
 */
export async function sendUnsentNotice(
  apiSet: ApiSet,
  now: number,
  {
    activity,
    table,
    timeZone,
    ...telling
  }: Telling & {
    readonly activity: Pick<ActivityReader, "hours">;
    readonly table: Pick<ScorecardTable, "readWithBreaker">;
    /** The IANA name of the union's time zone. */
    readonly timeZone: string;
  },
): Promise<number> {
  const hours = await activity.hours(apiSet, now - maxWait, now + 1);
  const waiting = waitingCards(hours);
  if (waiting.cards === 0) return 0;
  const day = dayOf(now, timeZone);
  const { breaker } = await table.readWithBreaker(apiSet, []);
  const acceptedToday = waitingCards(hours.filter(({ hour }) => hour >= beginningOfDay(day, timeZone))).cards;
  const data = {
    unsent: { day, ...waiting, acceptedToday },
    ...(breaker.open && { paused: pausedBy(breaker.open) }),
  };
  // One a day.
  const event = createEvent(apiSet, "scorecards.unsent", now, data, day);
  const entries = [{ sequenceNumber: day.replaceAll("-", ""), event }];
  await tellVendor(telling, apiSet, "unsent", entries, now);
  return waiting.cards;
}
