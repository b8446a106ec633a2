import type { ShownEndpoint } from "../../api/webhook-schemas.ts";
import type { WebhookEndpoint } from "./endpoint.ts";

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

/** An endpoint as the API shows it. @param pending how many events of the feed it has yet to get */
export function shownEndpoint(endpoint: WebhookEndpoint, pending = 0): ShownEndpoint {
  const { id, url, roleArn, types, headers = {}, createdAt, lastTakenAt, failing, disabled } = endpoint;
  const names = Object.keys(headers);
  return {
    id,
    url,
    ...(roleArn !== undefined && { roleArn }),
    types,
    ...(names.length > 0 && { headers: names }),
    createdAt: time(createdAt),
    pending,
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
