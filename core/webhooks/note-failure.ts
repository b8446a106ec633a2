import type { ApiSet } from "../accounts/account.ts";
import {
  endpointWait,
  type FailingEndpoint,
  longestFailure,
  reportedFailure,
  type WebhookEndpoint,
} from "./endpoint.ts";
import type { EndpointChange, WebhookTable } from "./endpoint-table.ts";

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
  readonly change?: EndpointChange;
}

/** The endpoints, the clock and the log. */
interface FailureDependencies {
  readonly endpoints: Pick<WebhookTable, "find" | "update">;
  readonly now: () => Date;
  readonly report: (report: WebhookReport) => void;
}

/** Stores that an endpoint failed, or disables it if it is gone or has failed for days. @returns the endpoint as it is stored */
export async function noteFailure(
  endpoint: WebhookEndpoint,
  failure: EndpointFailure,
  { earliest, retryAt, change = {} }: FailureNote,
  { endpoints, now: clock, report }: FailureDependencies,
): Promise<WebhookEndpoint | undefined> {
  const now = clock().getTime();
  const { apiSet, id } = endpoint;
  const since = endpoint.failing?.since ?? now;
  const failures = (endpoint.failing?.failures ?? 0) + 1;
  const isGone = failure.status === 410;
  if (isGone || now - since > longestFailure) {
    const disabled = { at: now, why: isGone ? "gone" : "failed_for_days" } as const;
    const cleared = { failing: undefined, busyUntil: undefined, disabled };
    const stored = await endpoints.update(endpoint, { ...change, ...cleared });
    if (stored !== undefined) report({ kind: "disabled", apiSet, endpointId: id });
    return stored ?? endpoints.find(apiSet, id);
  }
  const nextAttemptAt = Math.max(now + endpointWait(now - since), earliest);
  const isLong = now - since >= reportedFailure;
  const failing: FailingEndpoint = {
    since,
    failures,
    nextAttemptAt,
    ...(retryAt !== undefined && { dueAt: Math.max(retryAt, nextAttemptAt) }),
    ...(isLong && { isReported: true }),
    ...failure,
  };
  const stored = await endpoints.update(endpoint, { ...change, failing, busyUntil: undefined });
  if (stored !== undefined && isLong && !endpoint.failing?.isReported) {
    report({ kind: "failing", apiSet, endpointId: id });
  }
  return stored ?? endpoints.find(apiSet, id);
}
