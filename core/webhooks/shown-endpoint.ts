import { type DisabledEndpoint, type WebhookEndpoint, waitingEvents } from "./endpoint.ts";

/** An endpoint as the API shows it, without its secrets. Times are ISO 8601, UTC. */
export interface ShownEndpoint {
  readonly id: string;
  readonly url: string;
  /** Set for a queue: the role that sends to it. */
  readonly roleArn?: string;
  readonly types: readonly string[];
  /** Names of the vendor's own headers; their values are not shown. */
  readonly headers?: readonly string[];
  readonly createdAt: string;
  /** How many events wait to be posted, or to be posted again. */
  readonly pending: number;
  /** When it took an event last; up to a minute late. */
  readonly lastTakenAt?: string;
  readonly state: "active" | "failing" | "disabled";
  /** Set while it takes nothing: since when, why, and when it is tried next. */
  readonly failing?: {
    readonly since: string;
    readonly failures: number;
    readonly nextAttemptAt: string;
    readonly status?: number;
    readonly message: string;
  };
  readonly disabled?: { readonly at: string; readonly why: DisabledEndpoint["why"] };
}

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

/**
 * An endpoint as the API shows it.
 *
 * @param now milliseconds since 1970, UTC
 * @param inFeed how many events of the feed wait for it, if it is a queue; they wait for one that is disabled, too
 */
export function shownEndpoint(endpoint: WebhookEndpoint, now: number, inFeed = 0): ShownEndpoint {
  const { id, url, roleArn, types, headers = {}, createdAt, lastTakenAt, failing, disabled } = endpoint;
  const names = Object.keys(headers);
  return {
    id,
    url,
    ...(roleArn !== undefined && { roleArn }),
    types,
    ...(names.length > 0 && { headers: names }),
    createdAt: time(createdAt),
    pending: inFeed + (disabled === undefined ? waitingEvents(endpoint, now) : 0),
    ...(lastTakenAt !== undefined && { lastTakenAt: time(lastTakenAt) }),
    state: disabled !== undefined ? "disabled" : failing !== undefined ? "failing" : "active",
    ...(failing && {
      failing: {
        since: time(failing.since),
        failures: failing.failures,
        // An event's own next attempt can be later than the endpoint's.
        nextAttemptAt: time(failing.dueAt ?? failing.nextAttemptAt),
        ...(failing.status !== undefined && { status: failing.status }),
        message: failing.message,
      },
    }),
    ...(disabled && { disabled: { ...disabled, at: time(disabled.at) } }),
  };
}
