import type { DrainEvent } from "../../core/cards/delivery/drain-queue.ts";
import type { DeliveryEvent } from "../../core/cards/delivery/run.ts";
import type { CardState } from "../../core/cards/life/states.ts";
import type { PostResult } from "../../core/union/exchange.ts";
import { log, logError } from "../runtime/log.ts";
import type { Figures, MetricName } from "../runtime/metrics.ts";

const counted: Partial<Record<CardState, MetricName>> = {
  delivered: "CardsDelivered",
  rejected: "CardsRejected",
  retrying: "CardsRetrying",
  undelivered: "CardsUndelivered",
};

/** Whether the exchange itself is at fault. */
function failed(result: PostResult): boolean {
  return result.phase !== "after" || result.status >= 500 || result.status === 408 || result.status === 429;
}

/** Writes a run's events to metrics and the log. */
export function reporter(figures: Figures, now: () => Date): (event: DeliveryEvent | DrainEvent) => void {
  return (event) => {
    switch (event.kind) {
      case "posted": {
        const { apiSet, result, milliseconds, cards } = event;
        const status = result.phase === "after" ? result.status : 0;
        figures.add({ ExchangeLatency: milliseconds, ExchangeFailures: failed(result) ? 1 : 0 }, { apiSet });
        // They connect a vendor's request with the posts of its cards.
        const requestIds = [...new Set(cards.flatMap(({ requestId }) => requestId ?? []))];
        const message = "posted to the exchange";
        log({ message, apiSet, phase: result.phase, status, milliseconds, cards: cards.length, requestIds });
        return;
      }
      case "recorded": {
        const metric = counted[event.state];
        if (metric !== undefined) figures.add({ [metric]: event.cards });
        if (event.delayed > 0) figures.add({ CardsDelayed: event.delayed });
        return;
      }
      case "credentialsRefused":
        figures.add({ CredentialsRefused: 1 }, { apiSet: event.apiSet });
        return;
      case "noCredentials":
        figures.add({ CredentialsRefused: 1 }, { apiSet: event.apiSet });
        log({ message: "no credentials for the exchange", apiSet: event.apiSet });
        return;
      case "unknownAnswer": {
        const { apiSet, shape } = event;
        figures.add({ UnknownAnswers: 1 }, { apiSet });
        log({ message: "the exchange's answer is not understood", apiSet, shape });
        return;
      }
      case "paused":
      case "resumed":
        log({ message: `delivery ${event.kind}`, apiSet: event.apiSet });
        return;
      case "failed":
        logError({ message: "delivery failed; its messages come back", apiSet: event.apiSet }, event.error);
        return;
      case "unreadable":
        log({ message: "messages cannot be read; they come back", messages: event.messages });
        return;
      case "notDrained":
        logError({ message: "the run could not receive more of the queue" }, event.error);
        return;
      case "notRemoved":
        logError(
          { message: "messages were not deleted; they come back", messages: event.messages },
          event.error,
        );
        return;
      case "waiting":
        figures.add({ OldestCardAge: (now().getTime() - event.oldestAt) / 1000 });
        return;
    }
  };
}
