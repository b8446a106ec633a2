import type { EngineRequest } from "../counted-engine.ts";

const chunkBytes = 64 * 1024;

/**
 * How many requests SQS charges for one: more than 64 KB count as several. Receives that find no message are left out,
 * since they do not depend on cards.
 */
export function sqsRequests({ operation, sent, answered }: EngineRequest): number {
  if (!/Message/.test(operation)) return 0;
  if (operation === "ReceiveMessage" && (answered.Messages ?? []).length === 0) return 0;
  const bytes = Math.max(
    Buffer.byteLength(JSON.stringify(sent)),
    Buffer.byteLength(JSON.stringify(answered)),
  );
  return Math.max(1, Math.ceil(bytes / chunkBytes));
}
