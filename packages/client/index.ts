export { ApiError } from "./api-error.ts";
export type {
  Activity,
  ActivityCounts,
  CardStatus,
  Club,
  Course,
  Derivation,
  FilledScorecard,
  Finding,
  Hole,
  Member,
  Membership,
  NewWebhook,
  Problem,
  RecordedScorecard,
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
  type ScorecardsClient,
} from "./client.ts";
export type { AnswerCache, ClientOptions, RememberedAnswer, RequestOptions } from "./connection.ts";
export { NoResponseError } from "./fetch-with-retries.ts";
export { isSettled } from "./follow-cards.ts";
export type {
  CardInput,
  CardInputs,
  StrictResult,
  SubmissionEntry,
  SubmissionOptions,
  SubmissionProgress,
} from "./submit-cards.ts";
export { verifyWebhook, type WebhookRequest, WebhookSignatureError } from "./webhook.ts";
export type { WebhookEndpoints } from "./webhook-endpoints.ts";
