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
  | "TournamentResult"
  | "TournamentCard"
  | "TournamentCardList"
  | "RefusalTournament"
  | "FeedPage"
  | "FeedEvent"
  | "FeedEventData"
  | "UnsentCards"
  | "StoredScorecard"
  | "CardOutcome"
  | "CardPosts"
  | "CardRecord"
  | "DeliveryError"
  | "DeliveryPause"
  | "Finding"
  | "ScaledNumber"
  | "NumberOrText"
  | "Problem"
  | "ParameterFault"
  | "Overview"
  | "DeliveryState"
  | "QueueState"
  | "OpenBreaker"
  | "VendorOverview"
  | "VendorDay"
  | "MirrorState"
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
  | "FilledScorecardResult";

/** The name of the schema of an event. */
export type EventSchemaName =
  | "ScorecardDeliveredEvent"
  | "ScorecardRejectedEvent"
  | "ScorecardUndeliveredEvent"
  | "ScorecardWithdrawnEvent"
  | "ScorecardPlayerUnknownEvent"
  | "ScorecardRecordedEvent"
  | "ScorecardNotRecordedEvent"
  | "DeliveryPausedEvent"
  | "DeliveryResumedEvent"
  | "ScorecardsUnsentEvent"
  | "WebhookTestEvent";

/** Address of a schema in the document. */
export const address = (name: string) => `#/components/schemas/${name}`;

/** Refers to a schema of the document. */
export function schemaOf(name: SchemaName): JsonSchema {
  return { $ref: address(name) };
}

/** An array of a schema of the document. */
export function listOf(name: SchemaName): JsonSchema {
  return { type: "array", items: schemaOf(name) };
}
