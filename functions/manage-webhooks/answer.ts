import type { KeptAttempt } from "../../core/webhooks/attempt-table.ts";
import type { WebhookEvent } from "../../core/webhooks/event.ts";

/** An attempt as the API lists it. Times are ISO 8601, UTC. */
export interface ShownAttempt {
  readonly id: string;
  readonly at: string;
  readonly milliseconds: number;
  readonly eventId: string;
  /** Absent, like the number of cards, if the event was too large to keep. */
  readonly type?: string;
  readonly cards?: number;
  readonly taken: boolean;
  readonly status?: number;
  readonly message?: string;
}

/** An attempt as the API lists it. */
export function shownAttempt(attempt: KeptAttempt): ShownAttempt {
  const { body: _, at, ...shown } = attempt;
  const event = eventOf(attempt);
  return {
    ...shown,
    at: new Date(at).toISOString(),
    ...(event !== undefined && { type: event.type }),
    ...(event?.data.cards !== undefined && { cards: event.data.cards.length }),
    taken: shown.message === undefined,
  };
}

/** The event that was posted; undefined if it was too large to keep. */
export function eventOf({
  body,
}: KeptAttempt): Pick<WebhookEvent, "type" | "timestamp" | "data"> | undefined {
  return body === undefined ? undefined : JSON.parse(body);
}
