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
  DeliveryPause,
  Derivation,
  FilledScorecard,
  Finding,
  Hole,
  HoleDerivation,
  Member,
  Membership,
  NewWebhook,
  Overview,
  Problem,
  RecordedScorecard,
  Refusal,
  RefusalExample,
  Scorecard,
  StoredScorecard,
  Tee,
  Validation,
  Webhook,
  WebhookChange,
  WebhookInput,
  WebhookTrial,
} from "./api-types.ts";
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
  type RequestOptions,
  type SendRequest,
} from "./connection.ts";
export { NoResponseError } from "./fetch-with-retries.ts";
export { followCards, isSettled } from "./follow-cards.ts";
export { inParallel } from "./in-parallel.ts";
export type {
  CardInput,
  CardInputs,
  StrictResult,
  SubmissionEntry,
  SubmissionOptions,
  SubmissionProgress,
} from "./submit-cards.ts";
export { verifyWebhook, type WebhookRequest, WebhookSignatureError } from "./webhook.ts";
export { type WebhookEndpoints, webhookEndpoints } from "./webhook-endpoints.ts";
