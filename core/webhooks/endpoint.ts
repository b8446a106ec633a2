import type { ApiSet } from "../accounts/account.ts";
import { dayMilliseconds } from "../formats/days.ts";
import type { OwnHeaders } from "./own-headers.ts";

/** The types of events that an endpoint can receive. */
export const eventTypes = [
  "scorecard.delivered",
  "scorecard.rejected",
  "scorecard.undelivered",
  "scorecard.withdrawn",
  "scorecard.warned",
  "scorecard.player_unknown",
  "scorecard.recorded",
  "scorecard.not_recorded",
  "delivery.paused",
  "delivery.resumed",
  "scorecards.unsent",
  "endpoint.failing",
  "endpoint.disabled",
  "endpoint.recovered",
] as const;

/** Most characters of an endpoint's URL. */
export const maxUrlLength = 2_000;

/** The type of an event about cards, their delivery, or an endpoint. */
export type EventType = (typeof eventTypes)[number];

/** A secret that events are signed with. */
export interface WebhookSecret {
  /** `whsec_` and base64. */
  readonly secret: string;
  /** Set once another one has replaced it: until when events are signed with both, in milliseconds since 1970. */
  readonly until?: number;
}

/** Why an endpoint did not take an event. */
export interface EndpointFailure {
  /** HTTP status, if the endpoint answered. */
  readonly status?: number;
  readonly message: string;
}

/** Since when an endpoint has taken nothing, and when it is tried next. */
export interface FailingEndpoint extends EndpointFailure {
  readonly since: number;
  /** Failed posts in a row. */
  readonly failures: number;
  readonly nextAttemptAt: number;
  /** When the first of the events that wait is posted, if none comes before; later than `nextAttemptAt` if no event is due then. */
  readonly dueAt?: number;
  /** Whether the operator was told that the endpoint has failed for long. */
  readonly isReported?: boolean;
  /** The only event that was refused since then. Absent if there were several, or if it is a queue. */
  readonly onlyEvent?: string | undefined;
}

/** Why nothing is sent to an endpoint any more. */
export interface DisabledEndpoint {
  readonly at: number;
  readonly why: "gone" | "failed_for_days" | "by_vendor";
}

/** A place in a feed: an item, and how many of its events come before. */
export interface FeedPlace {
  readonly item: number;
  readonly events: number;
}

/** Before the first event of any feed. */
export const beginningOfFeed: FeedPlace = { item: 0, events: 0 };

/** An address at which a vendor receives events, or a queue of its own. */
export interface WebhookEndpoint {
  readonly apiSet: ApiSet;
  readonly id: string;
  /** Counts the changes; each is a compare-and-set by this. */
  readonly version: number;
  /** An address that events are posted to, or the URL of a queue in SQS. */
  readonly url: string;
  /** Set for a queue: the role of the vendor's AWS account that may send to it. */
  readonly roleArn?: string | undefined;
  /** Set for a queue, which has, or does not want, every event of the vendor's feed before this place. */
  readonly feed?: FeedPlace | undefined;
  readonly types: readonly EventType[];
  /** The newest last. */
  readonly secrets: readonly WebhookSecret[];
  readonly createdAt: number;
  /** When it took an event last; up to a minute late. */
  readonly lastTakenAt?: number;
  /** How many milliseconds it took over that event; only of an address. */
  readonly lastMilliseconds?: number | undefined;
  /** Until when one run alone sends to it. */
  readonly busyUntil?: number | undefined;
  /** Until when a vendor's test of it may be under way. */
  readonly testedUntil?: number | undefined;
  /** When a replay was asked for that sent something, and a preview that found something. */
  readonly replayedAt?: number | undefined;
  readonly previewedAt?: number | undefined;
  /** Events that were sent again by request, in the hour that began then. */
  readonly resent?: { readonly since: number; readonly count: number } | undefined;
  /** Headers of the vendor's own that events are sent with. */
  readonly headers?: OwnHeaders | undefined;
  readonly failing?: FailingEndpoint | undefined;
  readonly disabled?: DisabledEndpoint | undefined;
  /** Set while the vendor's account is disabled: since when its events are kept, and not sent. */
  readonly withheldAt?: number | undefined;
}

/** An endpoint that is a queue of the vendor's own AWS account. */
export type QueueEndpoint = WebhookEndpoint & { readonly roleArn: string };

/** Whether an endpoint is a queue, not an address that events are posted to. */
export const isQueue = (endpoint: WebhookEndpoint | undefined): endpoint is QueueEndpoint =>
  endpoint?.roleArn !== undefined;

/** More events than these are not counted of those that an endpoint has yet to get. */
export const maxCounted = 1_000;

/** The most endpoints that a vendor may have. */
export const endpointsLimit = 5;

/** The secrets that an event is signed with now. */
export const secretsInUse = ({ secrets }: WebhookEndpoint, now: number): string[] =>
  secrets.filter(({ until = Number.POSITIVE_INFINITY }) => until > now).map(({ secret }) => secret);

/** The most secrets that are valid at the same time: each adds a signature to every event. */
const secretsLimit = 5;

/** Adds a secret. Earlier ones stay valid for a day, at most five at a time. */
export function withNewSecret(
  { secrets }: WebhookEndpoint,
  secret: string,
  now: number,
): readonly WebhookSecret[] {
  const valid = secrets.filter(({ until = Number.POSITIVE_INFINITY }) => until > now);
  const replaced = valid.map((one) => ({ ...one, until: one.until ?? now + dayMilliseconds }));
  return [...replaced.slice(1 - secretsLimit), { secret }];
}

/** Longer than a post takes. A run that claimed an endpoint and died delays it by this time only. Milliseconds. */
export const postTime = 15_000;

/** The last success of an endpoint that is quick is stored once a minute: a write for each event would cost more than the event. */
export const takenInterval = 60_000;

/** An endpoint that takes longer over an event is slow. Milliseconds. */
export const slowAnswer = 1_000;
/** For this time an endpoint that was quick is taken to be so still. Milliseconds. */
const quickFor = 600_000;

/**
 * Whether several runs may post to an endpoint at the same time. Otherwise it gets one at a time, so that one vendor's slow
 * endpoints hold at most a run each.
 */
export const isQuick = ({ lastTakenAt = 0, lastMilliseconds }: WebhookEndpoint, now: number): boolean =>
  lastMilliseconds !== undefined && lastMilliseconds <= slowAnswer && now - lastTakenAt < quickFor;
