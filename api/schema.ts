/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/** The name of a schema of the document: generators name their models after it. */
export type SchemaName =
  | "Club"
  | "Course"
  | "Tee"
  | "Hole"
  | "Member"
  | "Membership"
  | "MembershipClub"
  | "RecordedScorecard"
  | "RecordedScorecardCourse"
  | "RecordedScorecardRound"
  | "RecordedScorecardResult"
  | "ScorecardEntry"
  | "AcceptedEntry"
  | "RefusedEntry"
  | "Validation"
  | "ValidationEntry"
  | "ValidEntry"
  | "InvalidEntry"
  | "PlayerCounts"
  | "Derivation"
  | "HoleDerivation"
  | "CardState"
  | "CardStatus"
  | "CardStatusList"
  | "Webhook"
  | "CreatedWebhook"
  | "WebhookList"
  | "QueueAccess"
  | "WebhookInput"
  | "WebhookChange"
  | "WebhookFailure"
  | "WebhookDisabled"
  | "WebhookDispatch"
  | "WebhookAttempt"
  | "WebhookAttemptList"
  | "WebhookAttemptDetail"
  | "WebhookReplayInput"
  | "WebhookSecret"
  | "WebhookReplay"
  | "WebhookEvent"
  | "CardsEventData"
  | "PauseEventData"
  | "UnsentEventData"
  | "EndpointEventData"
  | "TestEventData"
  | "EventCard"
  | "Activity"
  | "ActivityCounts"
  | "ActivityDay"
  | "ActivityHour"
  | "DeliverySeconds"
  | "WaitingCards"
  | "Refusal"
  | "RefusalExample"
  | "CardRefusal"
  | "CardRefusalList"
  | "Tournament"
  | "TournamentList"
  | "TournamentSummary"
  | "TournamentCounts"
  | "TournamentRound"
  | "TournamentWarning"
  | "TournamentFault"
  | "TournamentRefusal"
  | "TournamentRefusals"
  | "TournamentCard"
  | "TournamentCardList"
  | "RefusalTournament"
  | "FeedPage"
  | "FeedEvent"
  | "FeedEventData"
  | "UnsentCards"
  | "ToldEndpoint"
  | "StoredScorecard"
  | "CardOutcome"
  | "CardCorrection"
  | "CardPosts"
  | "CardRecord"
  | "DeliveryError"
  | "DeliveryPause"
  | "Finding"
  | "CourseRatingNumber"
  | "HandicapIndexNumber"
  | "NumberOrText"
  | "ScaledNumber"
  | "SlopeRatingNumber"
  | "Problem"
  | "ParameterFault"
  | "Overview"
  | "DeliveryState"
  | "QueueState"
  | "OpenBreaker"
  | "VendorOverview"
  | "VendorDay"
  | "BurnRates"
  | "MirrorState"
  | "ObjectiveState"
  | "RingingAlarm"
  | CardSchemaName
  | EventSchemaName;

/** The name of a schema of a card or of a part of one, as sent or as filled in. */
export type CardSchemaName =
  | "Scorecard"
  | "ScorecardCourse"
  | "ScorecardHole"
  | "ScorecardRound"
  | "ScorecardResult"
  | "ScorecardPlayer"
  | "ScorecardMarker"
  | "FilledScorecard"
  | "FilledScorecardCourse"
  | "FilledScorecardHole"
  | "FilledScorecardResult"
  | "FilledScorecardPlayer"
  | "FilledScorecardMarker";

/** The name of the schema of an event. */
export type EventSchemaName =
  | "ScorecardDeliveredEvent"
  | "ScorecardRejectedEvent"
  | "ScorecardUndeliveredEvent"
  | "ScorecardWithdrawnEvent"
  | "ScorecardWarnedEvent"
  | "ScorecardPlayerUnknownEvent"
  | "ScorecardRecordedEvent"
  | "ScorecardNotRecordedEvent"
  | "DeliveryPausedEvent"
  | "DeliveryResumedEvent"
  | "ScorecardsUnsentEvent"
  | "EndpointFailingEvent"
  | "EndpointDisabledEvent"
  | "EndpointRecoveredEvent"
  | "WebhookTestEvent";

/** Address of a schema in the document. */
export const address = (name: string) => `#/components/schemas/${name}`;

/** A pattern that also takes the empty text. @param pattern with its anchors */
export const orEmpty = (pattern: string): string => `^(${pattern.slice(1, -1)})?$`;

/**
 * Takes the patterns of texts that may be null out of a schema of an answer. Generated Go clients cannot check them, and refuse a
 * whole answer for one.
 */
export function withoutNullablePatterns(schema: JsonSchema): JsonSchema {
  return takenOut(schema) as JsonSchema;
}

function takenOut(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(takenOut);
  if (typeof part !== "object" || part === null) return part;
  const { pattern, ...rest } = part as JsonSchema;
  const isDropped = typeof pattern === "string" && [rest.type].flat().includes("null");
  const kept = Object.entries(isDropped ? rest : part).map(([name, value]) => [name, takenOut(value)]);
  return Object.fromEntries(kept);
}

/** Refers to a schema of the document. */
export function schemaOf(name: SchemaName): JsonSchema {
  return { $ref: address(name) };
}

/** An array of a schema of the document. */
export function listOf(name: SchemaName): JsonSchema {
  return { type: "array", items: schemaOf(name) };
}
