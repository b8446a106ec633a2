import type { ToldEndpoint } from "../../api/events.ts";
import type { ApiSet } from "../accounts/account.ts";
import {
  endpointWait,
  type FailingEndpoint,
  maxFailureMilliseconds,
  reportedFailure,
  type WebhookEndpoint,
} from "./endpoint.ts";
import type { EndpointChange, WebhookTable } from "./endpoint-table.ts";
import { type EndpointEventType, eventOfEndpoint } from "./event.ts";
import type { OutgoingWebhook } from "./queue.ts";

/** What happened to an event or an endpoint, for the log and the metrics. */
export type WebhookReport =
  | { readonly kind: "posted"; readonly apiSet: ApiSet; readonly waited: number }
  | { readonly kind: "failed"; readonly apiSet: ApiSet; readonly failure: EndpointFailure }
  | { readonly kind: "givenUp"; readonly apiSet: ApiSet }
  | { readonly kind: "feedLost"; readonly apiSet: ApiSet; readonly endpointId: string }
  | { readonly kind: "disabled"; readonly apiSet: ApiSet; readonly endpointId: string }
  | { readonly kind: "failing"; readonly apiSet: ApiSet; readonly endpointId: string }
  | { readonly kind: "notNoted"; readonly error: unknown }
  | { readonly kind: "unreadable"; readonly messages: number }
  | { readonly kind: "error"; readonly error: unknown };

/** Why an endpoint did not take an event. */
export interface EndpointFailure {
  readonly status?: number;
  readonly message: string;
}

/** When an endpoint is tried again, and what else is stored with its failure. */
interface FailureNote {
  /** When the endpoint may be tried again. */
  readonly earliest: number;
  /** When the event that it did not take is due; undefined if it was given up. */
  readonly retryAt: number | undefined;
  /** The event that it did not take, if that may be to blame. */
  readonly eventId?: string | undefined;
  readonly change?: EndpointChange;
}

/** Queues messages, and the clock. */
interface NoticeDependencies {
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
  readonly now: () => Date;
}

/** The endpoints, the queue, the clock and the log. */
interface FailureDependencies extends NoticeDependencies {
  readonly endpoints: Pick<WebhookTable, "find" | "update">;
  readonly report: (report: WebhookReport) => void;
}

/** Queues the notice of an endpoint. It is queued before the change is stored, so that a run that dies between them tells it twice, not never. */
async function queueNotice(
  { apiSet, id, failing }: WebhookEndpoint,
  type: EndpointEventType,
  told: Omit<ToldEndpoint, "id">,
  { send, now }: NoticeDependencies,
): Promise<void> {
  const endpoint = {
    id,
    ...(failing && { since: new Date(failing.since).toISOString() }),
    ...told,
  };
  const notice = eventOfEndpoint(apiSet, type, endpoint, now().getTime());
  await send([{ apiSet, endpointId: id, notice, delaySeconds: 0 }]);
}

/** Queues the notice that an endpoint works again, if its vendor was told that it fails. */
export async function noteRecovery(
  endpoint: WebhookEndpoint,
  dependencies: NoticeDependencies,
): Promise<void> {
  if (endpoint.failing?.isReported) await queueNotice(endpoint, "endpoint.recovered", {}, dependencies);
}

/**
 * Stores that an endpoint failed, or disables it if it is gone or has failed for days. If it has refused one event only, that event may
 * be to blame: the endpoint stays enabled, and fails no longer once the event is given up.
 *
 * @returns the endpoint as it is stored
 */
export async function noteFailure(
  endpoint: WebhookEndpoint,
  failure: EndpointFailure,
  { earliest, retryAt, eventId, change = {} }: FailureNote,
  dependencies: FailureDependencies,
): Promise<WebhookEndpoint | undefined> {
  const { endpoints, now: clock, report } = dependencies;
  const now = clock().getTime();
  const { apiSet, id } = endpoint;
  const since = endpoint.failing?.since ?? now;
  const failures = (endpoint.failing?.failures ?? 0) + 1;
  const isGone = failure.status === 410;
  const isOnly = endpoint.failing === undefined || endpoint.failing.onlyEvent === eventId;
  const onlyEvent = isOnly ? eventId : undefined;
  if (isGone || (onlyEvent === undefined && now - since > maxFailureMilliseconds)) {
    const disabled = { at: now, why: isGone ? "gone" : "failed_for_days" } as const;
    await queueNotice(
      endpoint,
      "endpoint.disabled",
      { failures, ...failure, why: disabled.why },
      dependencies,
    );
    const cleared = { failing: undefined, busyUntil: undefined, disabled };
    const stored = await endpoints.update(endpoint, { ...change, ...cleared });
    if (stored !== undefined) report({ kind: "disabled", apiSet, endpointId: id });
    return stored ?? endpoints.find(apiSet, id);
  }
  const stillFails = onlyEvent === undefined || retryAt !== undefined;
  const nextAttemptAt = Math.max(now + endpointWait(now - since), earliest);
  const isLong = now - since >= reportedFailure;
  const failing: FailingEndpoint = {
    since,
    failures,
    nextAttemptAt,
    ...(retryAt !== undefined && { dueAt: Math.max(retryAt, nextAttemptAt) }),
    ...(isLong && { isReported: true }),
    ...(onlyEvent !== undefined && { onlyEvent }),
    ...failure,
  };
  const isNews = isLong && !endpoint.failing?.isReported;
  if (isNews) await queueNotice(endpoint, "endpoint.failing", { failures, ...failure }, dependencies);
  const failed = { failing: stillFails ? failing : undefined, busyUntil: undefined };
  const stored = await endpoints.update(endpoint, { ...change, ...failed });
  if (stored !== undefined && isNews) report({ kind: "failing", apiSet, endpointId: id });
  return stored ?? endpoints.find(apiSet, id);
}
