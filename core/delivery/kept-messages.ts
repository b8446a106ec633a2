import type { Postponement } from "./queue.ts";
import type { ReceivedMessage } from "./sort-messages.ts";

/** SQS's own limit is twelve hours since the message was received, less what a run has spent on it. */
const longestSeconds = 43_200 - 900;

/** The messages of one run that stay in the queue, and when each is to come back. */
export interface KeptMessages {
  /**
   * Keeps a message for one of its cards; it comes back for the first of those it is kept for.
   *
   * @param seconds until it comes back; left to the queue's own time where absent for all
   */
  keep(message: ReceivedMessage, seconds?: number): void;
  readonly ids: ReadonlySet<string>;
  readonly postponements: readonly Postponement[];
}

/** Nothing kept yet. */
export function keptMessages(): KeptMessages {
  const ids = new Set<string>();
  const postponements = new Map<string, Postponement>();
  return {
    keep({ messageId, receiptHandle }, seconds) {
      ids.add(messageId);
      if (seconds === undefined) return;
      const others = postponements.get(messageId)?.seconds ?? longestSeconds;
      postponements.set(messageId, { receiptHandle, seconds: Math.min(others, Math.ceil(seconds)) });
    },
    ids,
    get postponements() {
      return [...postponements.values()];
    },
  };
}
