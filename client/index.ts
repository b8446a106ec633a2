export { ApiError } from "./api-error.ts";
export type {
  CardStatus,
  Club,
  Course,
  Derivation,
  FilledScorecard,
  Finding,
  Hole,
  Member,
  Membership,
  Problem,
  Scorecard,
  StoredScorecard,
  Tee,
  Validation,
} from "./api-types.ts";
export {
  type CourseFilter,
  createClient,
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
