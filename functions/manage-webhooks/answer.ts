import type { WebhookEndpoint } from "../../core/webhooks/endpoint.ts";

/** An endpoint as the API shows it, without its secrets. Times are ISO 8601, UTC. */
export interface ShownEndpoint {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly createdAt: string;
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
  readonly disabled?: { readonly at: string; readonly why: "gone" | "failed_for_days" | "by_vendor" };
}

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

/** An endpoint as the API shows it. */
export function shown(endpoint: WebhookEndpoint): ShownEndpoint {
  const { id, url, types, createdAt, lastTakenAt, failing, disabled } = endpoint;
  return {
    id,
    url,
    types,
    createdAt: time(createdAt),
    ...(lastTakenAt !== undefined && { lastTakenAt: time(lastTakenAt) }),
    state: disabled !== undefined ? "disabled" : failing !== undefined ? "failing" : "active",
    ...(failing && {
      failing: { ...failing, since: time(failing.since), nextAttemptAt: time(failing.nextAttemptAt) },
    }),
    ...(disabled && { disabled: { ...disabled, at: time(disabled.at) } }),
  };
}
