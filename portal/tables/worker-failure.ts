import { ApiError, NoResponseError } from "@scorecard-pipeline/scorecards-client";
import type { WorkerFailure } from "./worker-messages.ts";

export function toWorkerFailure(cause: unknown): WorkerFailure {
  if (cause instanceof NoResponseError) return { kind: "unreachable" };
  if (!(cause instanceof ApiError)) return { kind: "other", detail: (cause as Error).message };
  const { status, problem } = cause;
  if (status === 401) return { kind: "expired" };
  if (status === 403) return { kind: "forbidden" };
  if (status === 429) return { kind: "busy" };
  return status >= 500 ? { kind: "server" } : { kind: "other", detail: problem?.detail ?? cause.message };
}
