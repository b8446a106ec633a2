import { hash } from "node:crypto";
import * as z from "zod/mini";
import { type ViewByKind, viewOf } from "../cards/life/events.ts";
import type { CardHappening } from "../cards/life/happened.ts";
import { laterCodes } from "../cards/life/later-warnings.ts";
import { State } from "../cards/life/states.ts";

/** The states that are published as outcomes. */
const outcomes = [State.delivered, State.rejected, State.undelivered] as const;

/**
 * The outcome of a card, without personal data: the ExternalID is left out, since it may have a player's name; `card` identifies
 * the card instead.
 */
export const outcomeSchema = z.strictObject({
  version: z.literal(1).check(z.describe("Version of this form; a later one only adds fields")),
  apiSet: z.string().check(z.describe("The vendor")),
  card: z
    .string()
    .check(z.length(22), z.describe("The same for all events of one card; a hash of its ExternalID")),
  revision: z.string().check(z.describe("Revision of the card's content; a correction has another one")),
  outcome: z.enum(outcomes).check(z.describe("`delivered`, `rejected` or `undelivered`")),
  attempts: z.int().check(z.minimum(0), z.describe("Posts to the exchange so far")),
  at: z.iso.datetime().check(z.describe("When the outcome was recorded, UTC")),
  status: z
    .optional(z.int())
    .check(z.describe("HTTP status of the exchange, if it answered and did not take the card")),
  warning: z
    .optional(z.enum([...laterCodes, "not_recorded"]))
    .check(z.describe("Code of a [warning](faults.md) that was found after the outcome was published")),
  recorded: z
    .optional(z.literal(true))
    .check(
      z.describe("`true` if the card was found in the player's record, after its outcome was published"),
    ),
});

/** The detail of a published event. */
export type OutcomeEvent = z.infer<typeof outcomeSchema>;

/** EventBridge's `source` of an outcome. */
export const outcomeSource = "scorecard-pipeline";

const outcomeDetailType = {
  delivered: "Scorecard delivered",
  rejected: "Scorecard rejected",
  undelivered: "Scorecard undelivered",
} as const satisfies Record<OutcomeEvent["outcome"], string>;

/** EventBridge's `detail-type` of a warning that was found after the outcome. */
const warningDetailType = "Scorecard warning";

/** EventBridge's `detail-type` of a card that was found in the player's record. */
const recordedDetailType = "Scorecard recorded";

/** EventBridge's `detail-type` of an event. */
export function detailTypeOf({ outcome, warning, recorded }: OutcomeEvent): string {
  if (recorded) return recordedDetailType;
  return warning === undefined ? outcomeDetailType[outcome] : warningDetailType;
}

/** What an event says besides the card and its outcome. */
type Found = Pick<OutcomeEvent, "warning" | "recorded">;

/** The events that publish each kind. */
const published: ViewByKind<Found> = {
  delivered: () => [{}],
  rejected: () => [{}],
  undelivered: () => [{}],
  warned: ({ codes }) => codes.map((warning) => ({ warning })),
  recorded: () => [{ recorded: true }],
  notRecorded: () => [{ warning: "not_recorded" }],
};

const isOutcome = (state: string): state is OutcomeEvent["outcome"] =>
  outcomes.some((outcome) => outcome === state);

/** The events of what happened to a card by one change. */
export function outcomeEvents({ card, events }: Omit<CardHappening, "sequenceNumber">): OutcomeEvent[] {
  const { apiSet, externalId, version, state, attempts, failure } = card;
  if (!isOutcome(state)) return [];
  return events.flatMap((event) =>
    viewOf(published, event, undefined).map((found) => ({
      version: 1,
      apiSet,
      card: hash("sha256", JSON.stringify([apiSet, externalId]), "base64url").slice(0, 22),
      revision: String(version),
      outcome: state,
      attempts,
      at: new Date(event.at).toISOString(),
      ...(failure?.status !== undefined && { status: failure.status }),
      ...found,
    })),
  );
}
