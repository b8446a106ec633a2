import { hash } from "node:crypto";
import type { DeliveryRecord } from "../store/scorecard-table.ts";
import { isOutcome, type OutcomeEvent } from "./outcome-event.ts";

/** The event that a recorded delivery is worth; none where it is not an outcome yet. */
export function outcomeOf(record: DeliveryRecord): OutcomeEvent | undefined {
  const { apiSet, externalId, revision, state, attempts, since, failure } = record;
  if (!isOutcome(state)) return undefined;
  return {
    version: 1,
    apiSet,
    card: hash("sha256", JSON.stringify([apiSet, externalId]), "base64url").slice(0, 22),
    revision,
    outcome: state,
    attempts,
    at: new Date(since).toISOString(),
    ...(failure?.status !== undefined && { status: failure.status }),
  };
}
