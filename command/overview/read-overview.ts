import { APIGatewayClient, paginateGetUsage } from "@aws-sdk/client-api-gateway";
import { CloudWatchClient, GetMetricDataCommand, paginateDescribeAlarms } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetEventSourceMappingCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from "@aws-sdk/client-sqs";
import type { Account } from "../../core/accounts/account.ts";
import { ageOf } from "../../core/courses/sync/state.ts";
import { accountTable } from "../../core/dynamodb/accounts.ts";
import { mirrorStateTable } from "../../core/dynamodb/mirror-state-table.ts";
import { scorecardReader } from "../../core/dynamodb/scorecards.ts";
import { stackName } from "../../lib/settings.ts";
import { planNames, planOutputs, type Target } from "../target.ts";

/** The state of a pipeline at a moment. Times are ISO 8601, UTC; ages in seconds. */
export interface Overview {
  readonly stack: string;
  readonly at: string;
  /** The union's base address in use. */
  readonly union: string;
  readonly delivery: {
    /** Whether an operator has held delivery, or its trigger is broken. */
    readonly held: boolean;
    /** State of the event source mapping, as Lambda names it. */
    readonly eventSource: string;
  };
  readonly queue: {
    readonly waiting: number;
    /** Messages that wait for their next attempt. */
    readonly delayed: number;
    readonly inFlight: number;
    readonly deadLetters: number;
    /** Age of the oldest card or message, as far as it is known; undefined if none waits, or nothing was measured. */
    readonly oldestSeconds?: number;
  };
  readonly breakers: readonly {
    readonly apiSet: string;
    readonly since: string;
    readonly nextAttemptAt: string;
    readonly status?: number;
    readonly message: string;
  }[];
  readonly vendors: readonly {
    readonly username: string;
    readonly apiSet: string;
    readonly disabled: boolean;
    /** Requests to the API today, UTC, as API Gateway counts them under the usage plan. */
    readonly requestsToday: number;
  }[];
  readonly mirror: { readonly clubs: number; readonly failing: number; readonly ageSeconds?: number };
  /** Alarms that ring now. The text ends with the address of the runbook's section. */
  readonly alarms: readonly { readonly name: string; readonly since?: string; readonly text: string }[];
}

const iso = (at: number | Date) => new Date(at).toISOString();
const countedStates = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesDelayed",
  "ApproximateNumberOfMessagesNotVisible",
] as const satisfies readonly QueueAttributeName[];

async function readMessages(sqs: SQSClient, QueueUrl: string): Promise<number[]> {
  const request = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...countedStates] });
  const { Attributes } = await sqs.send(request);
  return countedStates.map((name) => Number(Attributes?.[name] ?? 0));
}

async function readRequestsToday(
  gateway: APIGatewayClient,
  { outputs }: Target,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const today = iso(now).slice(0, 10);
  const requests = new Map<string, number>();
  for (const plan of planNames) {
    const asked = { usagePlanId: outputs[planOutputs[plan]], startDate: today, endDate: today, limit: 500 };
    for await (const { items } of paginateGetUsage({ client: gateway }, asked)) {
      for (const [keyId, days] of Object.entries(items ?? {})) requests.set(keyId, days.at(-1)?.[0] ?? 0);
    }
  }
  return requests;
}

async function readRinging(cloudWatch: CloudWatchClient, stack: string): Promise<Overview["alarms"]> {
  const alarms: Overview["alarms"][number][] = [];
  const asked = { AlarmNamePrefix: `${stack}-`, StateValue: "ALARM" as const, MaxRecords: 100 };
  for await (const { MetricAlarms } of paginateDescribeAlarms({ client: cloudWatch }, asked)) {
    for (const { AlarmName = "", AlarmDescription = "", StateUpdatedTimestamp } of MetricAlarms ?? []) {
      const since = StateUpdatedTimestamp && { since: iso(StateUpdatedTimestamp) };
      alarms.push({ name: AlarmName, text: AlarmDescription, ...since });
    }
  }
  return alarms;
}

/** Metrics are published by the minute; after a quarter of an hour the latest one tells nothing about now. */
const metricsReach = 15 * 60_000;

/** The largest age that delivery has measured last: of a card that is retried, and of a message in the queue. */
async function readOldest(
  cloudWatch: CloudWatchClient,
  stack: string,
  queueUrl: string,
  now: Date,
): Promise<number | undefined> {
  const ages = [
    ["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", queueUrl.split("/").at(-1)],
    [stack, "OldestCardAge", "service", "deliver-scorecards"],
  ] as const;
  const { MetricDataResults } = await cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(now.getTime() - metricsReach),
      EndTime: now,
      MetricDataQueries: ages.map(([Namespace, MetricName, Name, Value], index) => ({
        Id: `age${index}`,
        MetricStat: {
          Metric: { Namespace, MetricName, Dimensions: [{ Name, Value }] },
          Period: 60,
          Stat: "Maximum",
        },
      })),
    }),
  );
  const latest = (MetricDataResults ?? []).flatMap(({ Values }) => Values?.[0] ?? []);
  return latest.length === 0 ? undefined : Math.max(...latest);
}

async function readBreakers(
  table: ReturnType<typeof scorecardReader>,
  accounts: readonly Account[],
): Promise<Overview["breakers"]> {
  const apiSets = [...new Set(accounts.map(({ apiSet }) => apiSet))];
  const read = await Promise.all(
    apiSets.map(async (apiSet) => ({ apiSet, ...(await table.readWithBreaker(apiSet, [])).breaker })),
  );
  return read.flatMap(({ apiSet, open }) => {
    if (open === undefined) return [];
    const { since, nextProbeAt, failure } = open;
    const { status, message } = failure;
    const why = { message, ...(status !== undefined && { status }) };
    return { apiSet, since: iso(since), nextAttemptAt: iso(nextProbeAt), ...why };
  });
}

/** Reads the state of a pipeline, with the credentials of the environment. It changes nothing. */
export async function readOverview(target: Target, now: Date): Promise<Overview> {
  const { outputs, client } = target;
  const stack = stackName(target.stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const sqs = new SQSClient(client("sqs"));
  const cloudWatch = new CloudWatchClient(client("cloudWatch"));
  const lambda = new LambdaClient(client("lambda"));
  const accounts = await accountTable(outputs.AccountTableName, dynamodb).list();
  const [mapping, queued, dead, requests, mirror, breakers, alarms, measured] = await Promise.all([
    lambda.send(new GetEventSourceMappingCommand({ UUID: outputs.DeliveryEventSourceId })),
    readMessages(sqs, outputs.DeliveryQueueUrl),
    readMessages(sqs, outputs.DeadLetterQueueUrl),
    readRequestsToday(new APIGatewayClient(client("apiGateway")), target, now),
    mirrorStateTable(outputs.CourseTableName, dynamodb).read(),
    readBreakers(scorecardReader(outputs.ScorecardTableName, dynamodb), accounts),
    readRinging(cloudWatch, stack),
    readOldest(cloudWatch, stack, outputs.DeliveryQueueUrl, now),
  ]);

  const [waiting = 0, delayed = 0, inFlight = 0] = queued;
  // While a breaker is open, each run measures only the cards that it tried. The card that opened it still waits.
  const ages = breakers.map(({ since }) => (now.getTime() - Date.parse(since)) / 1000);
  const oldest = Math.max(measured ?? 0, ...ages);
  const clubs = [...mirror.clubs.values()];
  const stalest = Math.max(...clubs.map((club) => ageOf(club, now.getTime())));
  const eventSource = mapping.State ?? "unknown";
  return {
    stack,
    at: iso(now),
    union: outputs.UnionAddress,
    delivery: { held: /^Disabl/.test(eventSource), eventSource },
    queue: {
      waiting,
      delayed,
      inFlight,
      deadLetters: dead.reduce((sum, messages) => sum + messages, 0),
      ...(oldest > 0 && waiting + delayed + inFlight > 0 && { oldestSeconds: oldest }),
    },
    breakers,
    vendors: accounts
      .map(({ username, apiSet, disabled, usage }) => {
        return { username, apiSet, disabled, requestsToday: requests.get(usage?.keyId ?? "") ?? 0 };
      })
      .sort((one, other) => other.requestsToday - one.requestsToday),
    mirror: {
      clubs: clubs.length,
      failing: clubs.filter(({ failures }) => failures > 0).length,
      ...(clubs.length > 0 && { ageSeconds: stalest / 1000 }),
    },
    alarms,
  };
}
