import {
  CfnCondition,
  CfnOutput,
  CfnParameter,
  CfnRule,
  DefaultStackSynthesizer,
  Fn,
  type IStackSynthesizer,
  Stack,
  type StackProps,
  Validations,
} from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import { Construct } from "constructs";
import { addBudget } from "./budget.ts";
import { checkSettings } from "./check-settings.ts";
import { CourseMirror } from "./course-mirror.ts";
import { dataVersion } from "./data-version.ts";
import { Delivery, measureUnsentCards, wakeWaitingCards } from "./delivery.ts";
import { type AlarmTopics, alarmTopics, Monitoring } from "./monitoring.ts";
import { readOperations } from "./operations.ts";
import { Outcomes } from "./outcomes.ts";
import { addDashboard } from "./pipeline-dashboard.ts";
import { PlayerCheck, type PlayerCheckProps, playerHashSecret } from "./player-check.ts";
import { type ReadApiProps, readApi } from "./read-api.ts";
import { RecordCheck, type RecordCheckProps } from "./record-check.ts";
import { rollOut } from "./rollout.ts";
import { commitParameter, type StageSettings } from "./stage-settings.ts";
import { activityTable, dataKey, scorecardTable } from "./stored-data.ts";
import { Submission } from "./submission.ts";
import { bindQuota } from "./usage-limits.ts";
import { VendorAccounts } from "./vendor-accounts.ts";
import { VendorApi } from "./vendor-api.ts";
import { Webhooks } from "./webhooks.ts";

/** Options of a stage's stack. */
export interface PipelineStackProps extends StackProps {
  readonly settings: StageSettings;
  /** The commit that is deployed, for whoever goes back to it. */
  readonly commit?: string | undefined;
}

/** The scorecard pipeline of one stage. */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, { settings: given, commit, ...props }: PipelineStackProps) {
    const { stage, keepData, tags, bootstrapQualifier: qualifier } = given;
    super(scope, id, {
      description: `Scorecard pipeline, stage ${stage}`,
      terminationProtection: keepData,
      tags,
      ...(qualifier !== undefined && {
        // The CDK's own types contradict each other under exactOptionalPropertyTypes.
        synthesizer: new DefaultStackSynthesizer({ qualifier }) as IStackSynthesizer,
      }),
      ...props,
    });
    const settings = checkSettings(given);
    const unionBaseAddress = unionAddress(this, settings);

    const key = dataKey(this, settings);
    const topics = alarmTopics(this, settings, key);
    const scorecards = scorecardTable(this, settings, key);
    const mirror = new CourseMirror(this, "Mirror", { settings, unionBaseAddress, key });
    const accounts = new VendorAccounts(this, "Accounts", { settings, key });
    const activity = activityTable(this, settings, key);
    const stored = { settings, scorecards, activity };
    const webhooks = new Webhooks(this, "Webhooks", { ...stored, key });
    new Outcomes(this, "Outcomes", { ...stored, topic: topics.wake, webhooks });
    const delivery = new Delivery(this, "Delivery", { settings, unionBaseAddress, scorecards, key });
    measureUnsentCards(new Construct(this, "UnsentCards"), settings, delivery.queue);
    const waking = { ...stored, delivery, accounts: accounts.table, webhooks };
    wakeWaitingCards(new Construct(this, "WaitingCards"), waking);
    const hashSecret = playerHashSecret(this, settings, key);
    addChecks(this, { settings, unionBaseAddress, scorecards, activity, mirror, hashSecret, key });
    const submitting = { ...stored, unionBaseAddress, queue: delivery.queue, mirror, hashSecret };
    const submission = new Submission(this, "Submission", submitting);
    const reading = { ...stored, unionBaseAddress, accounts, mirror };
    const { api, baseAddress, usagePlans } = addApi(this, { ...reading, delivery, submission, webhooks });

    const { monthlyBudgetUsDollars: budget, alarms } = settings;
    if (budget !== undefined && alarms.address !== undefined) addBudget(this, budget, alarms.address);
    addDashboard(this, { settings, delivery, api });
    new Monitoring(this, "Monitoring", { settings, topics, api });
    if (settings.rollout === "canary") rollOut(new Construct(this, "Rollout"));

    Validations.of(this).acknowledge({
      id: "Serverless-LambdaDLQ",
      reason:
        "Only schedules invoke functions asynchronously: the next sync does what a failed one left, and an alarm reports a count that fails three times.",
    });

    const parts = {
      api,
      baseAddress,
      unionBaseAddress,
      usagePlans,
      scorecards,
      activity,
      accounts,
      mirror,
      topics,
    };
    addOutputs(this, listOutputs({ ...parts, delivery, webhooks, hashSecret }));
    if (commit !== undefined) noteCommit(this, settings, commit);
  }
}

interface AnsweringParts extends ReadApiProps {
  readonly delivery: Delivery;
  readonly submission: Submission;
  readonly webhooks: Webhooks;
}

/** The API, and the functions behind it that only read. */
function addApi(stack: Stack, { delivery, submission, webhooks, ...reading }: AnsweringParts): VendorApi {
  const { settings, unionBaseAddress, scorecards, activity, accounts, mirror } = reading;
  const readers = readApi(stack, reading);
  const { courses } = mirror;
  const operated = {
    settings,
    unionBaseAddress,
    scorecards,
    activity,
    accounts: accounts.table,
    courses,
    delivery,
  };
  const overview = readOperations(stack, operated);
  const { submitScorecards, validateScorecards, changeDelivery } = submission;
  const { trackScorecards, readCourses } = readers;
  for (const one of [submitScorecards, validateScorecards, changeDelivery])
    bindQuota(one, activity, settings, "sending");
  for (const one of [trackScorecards, readCourses, webhooks.manageWebhooks])
    bindQuota(one, activity, settings, "reading");
  return new VendorApi(stack, "VendorApi", {
    settings,
    authorize: accounts.authorize,
    answeredBy: {
      "change-delivery": submission.changeDelivery,
      "describe-account": readers.describeAccount,
      "describe-api": readers.describeApi,
      "manage-webhooks": webhooks.manageWebhooks,
      "read-courses": readers.readCourses,
      "read-members": readers.readMembers,
      "read-operations": overview,
      "serve-portal": readers.servePortal,
      "submit-scorecards": submission.submitScorecards,
      "track-scorecards": readers.trackScorecards,
      "validate-scorecards": submission.validateScorecards,
    },
  });
}

/** What the settings have checked of delivered cards: their players, and the players' records. */
function addChecks(
  stack: Stack,
  { hashSecret, ...checked }: Omit<RecordCheckProps, "records"> & Pick<PlayerCheckProps, "hashSecret">,
): void {
  const { settings, unionBaseAddress, scorecards, mirror } = checked;
  if (settings.playerCheck !== "off") {
    const { courses } = mirror;
    new PlayerCheck(stack, "PlayerCheck", { settings, unionBaseAddress, scorecards, courses, hashSecret });
  }
  const { records } = settings.union;
  if (settings.recordCheck.share > 0 && records !== undefined)
    new RecordCheck(stack, "RecordCheck", { ...checked, records });
}

/** The parts of a stack that operators and tools find by its outputs. */
interface StackParts extends Pick<VendorApi, "api" | "baseAddress" | "usagePlans"> {
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  readonly activity: Table;
  readonly accounts: VendorAccounts;
  readonly mirror: CourseMirror;
  readonly delivery: Delivery;
  readonly webhooks: Webhooks;
  readonly hashSecret: Secret;
  readonly topics: AlarmTopics;
}

function listOutputs(parts: StackParts) {
  const { api, baseAddress, unionBaseAddress, usagePlans, scorecards, activity, accounts, mirror } = parts;
  const { delivery, webhooks, hashSecret, topics } = parts;
  return {
    BaseAddress: ["Base address for vendors; below it, paths begin with the API set", baseAddress],
    UnionAddress: [
      "The union's base address in use: the parameter if given, else the setting",
      unionBaseAddress,
    ],
    RestApiId: ["The API", api.restApiId],
    DataVersion: ["Form of the stored data; docs/deploy.md", String(dataVersion)],
    StandardUsagePlanId: ["Usage plan of most vendors", usagePlans.standard.usagePlanId],
    TournamentUsagePlanId: ["Usage plan of tournament systems", usagePlans.tournament.usagePlanId],
    ScorecardTableName: ["Cards and their states", scorecards.tableName],
    ActivityTableName: ["Counts by vendor and hour, and the cards of each day", activity.tableName],
    AccountTableName: ["Vendor accounts", accounts.table.tableName],
    CourseTableName: ["Mirrored courses, and how far their mirror got", mirror.courses.tableName],
    ClubTableName: ["Mirrored clubs", mirror.clubs.tableName],
    DeliveryQueueUrl: ["Cards on their way to the exchange", delivery.queue.queueUrl],
    DeadLetterQueueUrl: ["Cards that were given up", delivery.deadLetters.queueUrl],
    WebhookTableName: ["Vendors' webhook endpoints", webhooks.endpoints.tableName],
    WebhookQueueUrl: ["Events on their way to webhook endpoints", webhooks.queue.queueUrl],
    DeadWebhookQueueUrl: ["Events that could not be read", webhooks.deadLetters.queueUrl],
    PlayerHashSecretArn: ["Secret of the hash of remembered players", hashSecret.secretArn],
    WakeTopicArn: ["Alarms that wake somebody; a pager can subscribe to it", topics.wake.topicArn],
    MorningTopicArn: ["Alarms that can wait for the morning", topics.morning.topicArn],
    DeliveryEventSourceId: ["Disabled while delivery is on hold", delivery.eventSource.eventSourceMappingId],
  } as const;
}

/**
 * The union's base address: the template's parameter if it is given, else the stage's setting.
 *
 * The setting is not the parameter's default: a deployment keeps the previous value of a parameter, even if that was the
 * default, so a changed setting would never take effect.
 */
function unionAddress(stack: Stack, settings: StageSettings): string {
  const given = new CfnParameter(stack, "UnionBaseAddress", {
    description: "Base address of the union, without a slash at its end; if empty, the stage's setting",
    default: "",
  }).valueAsString;
  const isGiven = new CfnCondition(stack, "UnionBaseAddressGiven", {
    expression: Fn.conditionNot(Fn.conditionEquals(given, "")),
  });
  if (settings.rollout === "canary") {
    new CfnRule(stack, "UnionBaseAddressInSettings", {
      assertions: [
        {
          assert: Fn.conditionEquals(given, ""),
          assertDescription:
            "A published version keeps its variables, so with rollout canary a changed parameter would not reach it. Set union.baseAddress in lib/settings.ts.",
        },
      ],
    });
  }
  return Fn.conditionIf(isGiven.logicalId, given, settings.union.baseAddress).toString();
}

/** Says which commit is deployed; of the parameter, AWS keeps the values of all deployments before. */
function noteCommit(stack: Stack, { stage }: StageSettings, commit: string): void {
  const parameterName = commitParameter(stage);
  new StringParameter(stack, "Commit", { parameterName, stringValue: commit });
  addOutputs(stack, { DeployedCommit: ["The commit that is deployed", commit] });
}

/** The `scorecards` command finds the stage by these outputs. Operators' scripts read them too, so keep the names. */
function addOutputs(stack: Stack, outputs: Readonly<Record<string, readonly [string, string]>>): void {
  for (const [name, [description, value]] of Object.entries(outputs)) {
    new CfnOutput(stack, name, { description, value });
  }
}
