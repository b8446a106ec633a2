import type { ShownAttempt } from "../../api/webhook-schemas.ts";
import type { KeptAttempt } from "../../core/webhooks/attempt-table.ts";
import type { WebhookEvent } from "../../core/webhooks/event.ts";

/** An attempt as the API lists it. */
export function shownAttempt(attempt: KeptAttempt): ShownAttempt {
  const { body: _, at, ...shown } = attempt;
  const event = toEvent(attempt);
  return {
    ...shown,
    at: new Date(at).toISOString(),
    ...(event !== undefined && { type: event.type }),
    ...(event?.data.cards !== undefined && { cards: event.data.cards.length }),
    taken: shown.message === undefined,
  };
}

/** The event that was posted; undefined if it was too large to keep. */
export function toEvent({
  body,
}: KeptAttempt): Pick<WebhookEvent, "type" | "timestamp" | "data"> | undefined {
  return body === undefined ? undefined : JSON.parse(body);
}
