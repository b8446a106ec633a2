import type { EngineRequest } from "../counted-engine.ts";

const chunkBytes = 64 * 1024;

/**
 * Requests that SQS charges for one: a request of more than 64 KB counts as several. Looking for messages in vain is
 * left out, since it does not depend on cards.
 */
export function sqsRequests({ operation, sent, answered }: EngineRequest): number {
  if (!/Message/.test(operation)) return 0;
  if (operation === "ReceiveMessage" && (answered.Messages ?? []).length === 0) return 0;
  const bytes = Math.max(JSON.stringify(sent).length, JSON.stringify(answered).length);
  return Math.max(1, Math.ceil(bytes / chunkBytes));
}
