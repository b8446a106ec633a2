import * as z from "zod/mini";
import { tenThousandthsSchema } from "../../core/formats/ten-thousandths.ts";
import * as courses from "../../core/golf/documented-course.ts";
import { courseRating, handicapIndex, slopeRating } from "../../core/golf/field-forms.ts";
import { scorecardSchema } from "../../core/golf/scorecard.ts";
import * as members from "../../core/union/documented-member.ts";
import * as records from "../../core/union/documented-record.ts";
import * as activity from "../activity-schemas.ts";
import * as events from "../events.ts";
import * as feed from "../feed-schemas.ts";
import * as operators from "../operator-schemas.ts";
import * as problems from "../problems.ts";
import {
  address,
  type CardSchemaName,
  type JsonSchema,
  type SchemaName,
  withoutNullablePatterns,
} from "../schema.ts";
import * as statuses from "../status-schemas.ts";
import * as submissions from "../submission-schemas.ts";
import * as tournaments from "../tournament-schemas.ts";
import * as webhooks from "../webhook-schemas.ts";
import { cardSchemas } from "./scorecard-schemas.ts";

type NumberOrTextName =
  | "CourseRatingNumber"
  | "HandicapIndexNumber"
  | "NumberOrText"
  | "ScaledNumber"
  | "SlopeRatingNumber";

/** The named schemas, made from the schemas that the code validates with. */
const named = {
  Club: courses.documentedClub,
  Course: courses.documentedCourseVersion,
  Tee: courses.documentedTee,
  Hole: courses.documentedHole,
  Member: members.documentedMember,
  Membership: members.documentedMembership,
  MembershipClub: members.documentedMembershipClub,
  RecordedScorecard: records.documentedRecordEntry,
  RecordedScorecardCourse: records.documentedRecordCourse,
  RecordedScorecardRound: records.documentedRecordRound,
  RecordedScorecardResult: records.documentedRecordResult,
  Scorecard: scorecardSchema,
  FilledScorecard: submissions.filledScorecardSchema,
  ScorecardEntry: submissions.scorecardEntrySchema,
  AcceptedEntry: submissions.acceptedEntrySchema,
  RefusedEntry: submissions.refusedEntrySchema,
  Validation: submissions.validationSchema,
  ValidationEntry: submissions.validationEntrySchema,
  ValidEntry: submissions.validEntrySchema,
  InvalidEntry: submissions.invalidEntrySchema,
  PlayerCounts: submissions.playerCountsSchema,
  Derivation: submissions.derivationSchema,
  HoleDerivation: submissions.holeDerivationSchema,
  CardState: statuses.cardStateSchema,
  CardStatus: statuses.cardStatusSchema,
  CardStatusList: statuses.cardStatusListSchema,
  Webhook: webhooks.webhookSchema,
  CreatedWebhook: webhooks.createdWebhookSchema,
  WebhookList: webhooks.webhookListSchema,
  QueueAccess: webhooks.queueAccessSchema,
  WebhookInput: webhooks.webhookInputSchema,
  WebhookChange: webhooks.webhookChangeSchema,
  WebhookFailure: webhooks.webhookFailureSchema,
  WebhookDisabled: webhooks.webhookDisabledSchema,
  WebhookDispatch: webhooks.webhookDispatchSchema,
  WebhookAttempt: webhooks.webhookAttemptSchema,
  WebhookAttemptList: webhooks.webhookAttemptListSchema,
  WebhookAttemptDetail: webhooks.webhookAttemptDetailSchema,
  WebhookReplayInput: webhooks.webhookReplayInputSchema,
  WebhookSecret: webhooks.webhookSecretSchema,
  WebhookReplay: webhooks.webhookReplaySchema,
  WebhookEvent: events.webhookEventSchema,
  ...events.eventSchemas,
  CardsEventData: events.cardsEventDataSchema,
  PauseEventData: events.pauseEventDataSchema,
  UnsentEventData: events.unsentEventDataSchema,
  EndpointEventData: events.endpointEventDataSchema,
  TestEventData: events.testEventDataSchema,
  EventCard: events.eventCardSchema,
  UnsentCards: events.unsentCardsSchema,
  ToldEndpoint: events.toldEndpointSchema,
  Activity: activity.activitySchema,
  ActivityCounts: activity.activityCountsSchema,
  ActivityDay: activity.activityDaySchema,
  ActivityHour: activity.activityHourSchema,
  DeliverySeconds: activity.deliverySecondsSchema,
  WaitingCards: activity.waitingCardsSchema,
  Refusal: activity.refusalSchema,
  RefusalExample: activity.refusalExampleSchema,
  CardRefusal: activity.cardRefusalSchema,
  CardRefusalList: activity.cardRefusalListSchema,
  Tournament: tournaments.tournamentSchema,
  TournamentList: tournaments.tournamentListSchema,
  TournamentSummary: tournaments.tournamentSummarySchema,
  TournamentCounts: tournaments.tournamentCountsSchema,
  TournamentRound: tournaments.tournamentRoundSchema,
  TournamentWarning: activity.countedWarningSchema,
  TournamentFault: tournaments.tournamentFaultSchema,
  TournamentRefusal: tournaments.tournamentRefusalSchema,
  TournamentRefusals: tournaments.tournamentRefusalsSchema,
  TournamentCard: tournaments.tournamentCardSchema,
  TournamentCardList: tournaments.tournamentCardListSchema,
  RefusalTournament: activity.refusalTournamentSchema,
  FeedPage: feed.feedPageSchema,
  FeedEvent: feed.feedEventSchema,
  FeedEventData: feed.feedEventDataSchema,
  StoredScorecard: submissions.storedScorecardSchema,
  CardOutcome: statuses.cardOutcomeSchema,
  CardCorrection: statuses.correctionSchema,
  CardPosts: statuses.cardPostsSchema,
  CardRecord: statuses.cardRecordSchema,
  DeliveryError: statuses.deliveryErrorSchema,
  DeliveryPause: statuses.deliveryPauseSchema,
  Finding: problems.findingSchema,
  Problem: problems.problemSchema,
  ParameterFault: problems.parameterFaultSchema,
  Overview: operators.overviewSchema,
  DeliveryState: operators.deliveryStateSchema,
  QueueState: operators.queueStateSchema,
  OpenBreaker: operators.openBreakerSchema,
  VendorOverview: operators.vendorOverviewSchema,
  VendorDay: operators.vendorDaySchema,
  BurnRates: operators.burnRatesSchema,
  MirrorState: operators.mirrorStateSchema,
  ObjectiveState: operators.objectiveSchema,
  RingingAlarm: operators.ringingAlarmSchema,
} satisfies Record<
  Exclude<SchemaName, CardSchemaName | NumberOrTextName> | "Scorecard" | "FilledScorecard",
  z.core.$ZodType
>;

/** Every schema of the document, made from the schemas that requests and the register are read with. */
export function documentedSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: address, override: readable });
  const bare = Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
    name,
    withUnions(schema) as JsonSchema,
  ]);
  const all: Record<string, JsonSchema> = Object.fromEntries(bare);
  return {
    ...withoutNullablePatterns(all),
    ...numbersOrTexts,
    ...cardSchemas(all.Scorecard ?? {}),
  };
}

/**
 * Removes bounds and patterns that only repeat the type, leaves objects and lists of known values open, and keeps the
 * length of lists that are validated in two steps.
 */
function readable({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const values = jsonSchema.enum ?? [jsonSchema.const];
  if (Array.isArray(values) && values.every(Number.isInteger)) jsonSchema.type = "integer";
  const { def } = zodSchema._zod;
  if (def.type === "string" && "format" in def && def.format === "datetime") delete jsonSchema.pattern;
  // Members may be added to any answer, which some generated clients would refuse. Only a request has no others.
  const isStrict = def.type === "object" && def.catchall?._zod.def.type === "never";
  if (jsonSchema.additionalProperties === false && !isStrict) delete jsonSchema.additionalProperties;
  if (jsonSchema["x-extensible-enum"] !== undefined) delete jsonSchema.enum;
  if (def.type === "pipe" && jsonSchema.type === "array") {
    const { maxItems } = z.toJSONSchema(def.in) as JsonSchema;
    if (maxItems !== undefined) jsonSchema.maxItems = maxItems;
  }
}

/**
 * Writes "a text or null" as a list of types, since more generators read that than a union with null. Every other union is a
 * `oneOf`: some generators stop at a list of two types, such as integer and string, or take no notice of an `anyOf`.
 */
function withUnions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withUnions);
  if (typeof schema !== "object" || schema === null) return schema;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withUnions(value)]),
  );
  if (!Array.isArray(anyOf)) return withoutTypeList(rest);
  const all = (anyOf as JsonSchema[]).flatMap((one) => (Array.isArray(one.oneOf) ? one.oneOf : [one]));
  const [first, second, ...others] = all;
  const isNullable =
    others.length === 0 &&
    second?.type === "null" &&
    first?.enum === undefined &&
    typeof first?.type === "string";
  if (!isNullable) return union(rest, all);
  return { ...first, type: [first.type, "null"], ...rest };
}

/**
 * A number that may also be a text. It has a name, which generators would otherwise take from the first field that has one; and it is no
 * `oneOf`, because Java takes the text of a number for both.
 */
const numbersOrTexts: Readonly<Record<NumberOrTextName, JsonSchema>> = {
  ScaledNumber: numberOrText(
    tenThousandthsSchema,
    "A value times 10,000, as a whole number or as a text of one: 71.8 is 718000.",
  ),
  NumberOrText: {
    description: "A whole number, or a text of one.",
    anyOf: [{ type: "integer" }, { type: "string" }],
  },
  CourseRatingNumber: numberOrText(
    courseRating.schema(),
    "A Course Rating times 10,000, as a whole number or as a text of one: 71.8 is 718000.",
  ),
  HandicapIndexNumber: numberOrText(
    handicapIndex.schema(),
    "A Handicap Index times 10,000, as a whole number or as a text of one: 12.4 is 124000.",
  ),
  SlopeRatingNumber: numberOrText(
    slopeRating.schema(),
    "A Slope Rating, as a whole number or as a text of one.",
  ),
};

function numberOrText(schema: z.ZodMiniType<string | number>, description: string): JsonSchema {
  const { anyOf } = z.toJSONSchema(schema, { override: readable }) as JsonSchema;
  return { description, anyOf };
}

function union(rest: JsonSchema, alternatives: readonly JsonSchema[]): JsonSchema {
  const others = alternatives.filter(({ type }) => type !== "null");
  const [name] =
    Object.entries(numbersOrTexts).find(
      ([, { anyOf }]) => JSON.stringify(anyOf) === JSON.stringify(others),
    ) ?? [];
  if (name === undefined) return { ...rest, oneOf: alternatives };
  const named = { $ref: address(name) };
  return others.length === alternatives.length
    ? { ...rest, ...named }
    : { ...rest, oneOf: [named, { type: "null" }] };
}

/** A union in the place of a list of types that has more than one besides null. */
function withoutTypeList({ type, ...rest }: JsonSchema): JsonSchema {
  const isUnion = Array.isArray(type) && type.filter((one) => one !== "null").length > 1;
  if (isUnion)
    return union(
      rest,
      type.map((one) => ({ type: one })),
    );
  return type === undefined ? rest : { type, ...rest };
}
