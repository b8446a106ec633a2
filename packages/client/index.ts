export { ApiError } from "./api-error.ts";
export type {
  Activity,
  ActivityCounts,
  ActivityDay,
  ActivityHour,
  CardPosts,
  CardRecord,
  CardRefusal,
  CardRefusalList,
  CardStatus,
  CardStatusList,
  Club,
  Course,
  CreatedWebhook,
  DeliveryPause,
  Derivation,
  FeedEvent,
  FeedPage,
  FilledScorecard,
  Finding,
  Hole,
  HoleDerivation,
  Member,
  Membership,
  Overview,
  Problem,
  QueueAccess,
  RecordedScorecard,
  Refusal,
  RefusalExample,
  StoredScorecard,
  Tee,
  Tournament,
  TournamentCard,
  TournamentCardList,
  TournamentCounts,
  TournamentList,
  TournamentRefusal,
  TournamentRound,
  TournamentSummary,
  Validation,
  Webhook,
  WebhookAttempt,
  WebhookAttemptDetail,
  WebhookChange,
  WebhookEvent,
  WebhookInput,
} from "./api-types.ts";
export { CardState } from "./card-states.ts";
export { externalId, scaled, timestamp } from "./card-values.ts";
export {
  type CourseFilter,
  createClient,
  type DaysQuery,
  type FollowCardsOptions,
  type GolferQuery,
  type RefusalsQuery,
  type ScorecardsClient,
} from "./client.ts";
export {
  type AnswerCache,
  type ClientOptions,
  connect,
  type RememberedAnswer,
  type RequestAttempt,
  type RequestOptions,
  type SendRequest,
} from "./connection.ts";
export { NoResponseError } from "./fetch-with-retries.ts";
export { followCards, isSettled, isWaiting } from "./follow-cards.ts";
export { inParallel } from "./in-parallel.ts";
export type { KnownScorecard as Scorecard } from "./scorecard.ts";
export type {
  CardInput,
  CardInputs,
  SubmissionEntry,
  SubmissionOptions,
} from "./submit-cards.ts";
export { verifyWebhook, type WebhookRequest, WebhookSignatureError } from "./webhook.ts";
export {
  type ReplaySelection,
  type WebhookEndpoints,
  type WebhookTrial,
  webhookEndpoints,
} from "./webhook-endpoints.ts";
