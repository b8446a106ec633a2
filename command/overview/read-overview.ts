import { APIGatewayClient, paginateGetUsage } from "@aws-sdk/client-api-gateway";
import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { toTraffic, type VendorTraffic } from "@scorecard-pipeline/scorecards-client/conformance";
import pMap from "p-map";
import type { LoggedFault } from "../../api/activity.ts";
import type { VendorOverview } from "../../api/operator.ts";
import type { ApiSet } from "../../core/accounts/account.ts";
import { accountLister } from "../../core/accounts/account-table.ts";
import { scorecardReader } from "../../core/cards/delivery/scorecard-table.ts";
import { daysBefore } from "../../core/formats/days.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import {
  type ReadableOverview,
  readReadableOverview,
  type UnreadPart,
} from "../../core/operations/overview.ts";
import { readActivity } from "../../core/views/activity.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { type RefusalReader, refusalReader } from "../../core/views/refusal-table.ts";
import { readUnusual, type Silence } from "../../core/views/silence.ts";
import { settings } from "../../lib/settings.ts";
import { stackName } from "../../lib/stage-settings.ts";
import { readBackups, type TableBackup } from "../base/backed-up.ts";
import { errorLine } from "../base/error-line.ts";
import { planNames, planOutputs, type Target } from "../base/target.ts";

/** Cards of one vendor that were refused for the same reason. */
interface RefusalGroup {
  readonly apiSet: ApiSet;
  readonly code: string;
  /** JSON pointer into the cards. */
  readonly pointer: string;
  /** Names the club and the tee, if the reason is a tee. */
  readonly detail: string;
  readonly cards: number;
  /** Of the newest; ISO 8601, UTC. */
  readonly latest: string;
}

/** Faults of a vendor that are read; the newest are enough to see what is wrong now. */
const faultsRead = 500;

function toGroups(apiSet: ApiSet, faults: readonly LoggedFault[]): RefusalGroup[] {
  const groups = Map.groupBy(faults, ({ code, pointer, detail }) => JSON.stringify([code, pointer, detail]));
  return [...groups.values()].flatMap((found) => {
    const [newest] = found;
    if (newest === undefined) return [];
    const { code, pointer, detail, at } = newest;
    const cards = new Set(found.map(({ requestId, index }) => `${requestId} ${index}`)).size;
    return { apiSet, code, pointer, detail, cards, latest: at };
  });
}

/**
 * Why vendors' cards were refused in a time, by vendor, code and reason, the most frequent first. Of a vendor that is refused very
 * often, the newest faults are counted.
 *
 * @param from milliseconds since 1970, UTC
 * @param before the same; refusals of this instant are left out
 */
async function readRefusalGroups(
  log: Pick<RefusalReader, "page">,
  apiSets: readonly ApiSet[],
  from: number,
  before: number,
): Promise<RefusalGroup[]> {
  const read = async (apiSet: ApiSet) => {
    const { faults } = await log.page(apiSet, { from, before }, faultsRead);
    return toGroups(apiSet, faults);
  };
  const groups = await pMap(apiSets, read, { concurrency: vendorsAtOnce });
  return groups.flat().toSorted((one, other) => other.cards - one.cards);
}

/** An overview with today's requests, which API Gateway counts, as far as they could be read. */
export interface StageOverview extends Omit<ReadableOverview, "vendors" | "unread"> {
  readonly vendors?: readonly (VendorOverview & {
    /** Requests to the API today, UTC, as API Gateway counts them under the usage plan. */
    readonly requestsToday?: number;
  })[];
  /** Which commit of the project, and when; absent of the local run. */
  readonly deployed?: Target["deployed"];
  /** To when each table can be restored that cannot be filled again; absent of the local run. */
  readonly backups?: readonly TableBackup[];
  /** Why cards were refused in the last hour. */
  readonly refusals?: readonly RefusalGroup[];
  /** The shares of each vendor's cards in thirty days, as its report of conformance has them. */
  readonly traffic?: readonly (VendorTraffic & { readonly apiSet: string })[];
  /** Vendors that always send cards at this time of the week, and do not. */
  readonly silentVendors?: readonly Silence[];
  /** Parts that could not be read, and why. */
  readonly unread: readonly { readonly part: UnreadPart["part"]; readonly reason: string }[];
}

const hour = 3_600_000;
const trafficDays = 30;
const vendorsAtOnce = 8;

/** Why cards of the vendors that were refused today were refused in the last hour. */
async function readLatestRefusals(
  log: RefusalReader,
  vendors: readonly VendorOverview[],
  now: Date,
): Promise<RefusalGroup[]> {
  const refused = vendors.filter(({ today }) => today.refused > 0).map(({ apiSet }) => apiSet as ApiSet);
  return await readRefusalGroups(log, [...new Set(refused)], now.getTime() - hour, now.getTime());
}

/** Requests today by the id of the API key. */
async function readRequestsToday(
  gateway: APIGatewayClient,
  { outputs }: Target,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const today = now.toISOString().slice(0, 10);
  const requests = new Map<string, number>();
  for (const plan of planNames) {
    const asked = { usagePlanId: outputs[planOutputs[plan]], startDate: today, endDate: today, limit: 500 };
    for await (const { items } of paginateGetUsage({ client: gateway }, asked)) {
      for (const [keyId, days] of Object.entries(items ?? {})) requests.set(keyId, days.at(-1)?.[0] ?? 0);
    }
  }
  return requests;
}

/** Reads the state of a pipeline as far as it can be read, with the credentials of the environment. It changes nothing. */
export async function readStageOverview(target: Target, now: Date): Promise<StageOverview> {
  const { stage, outputs, client } = target;
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const sources = {
    stack: stackName(stage),
    union: outputs.UnionAddress,
    timeZone: settings[stage].union.timeZone,
    tables: {
      accounts: outputs.AccountTableName,
      activity: outputs.ActivityTableName,
      courses: outputs.CourseTableName,
      scorecards: outputs.ScorecardTableName,
    },
    queues: { delivery: outputs.DeliveryQueueUrl, deadLetters: outputs.DeadLetterQueueUrl },
    eventSourceId: outputs.DeliveryEventSourceId,
    dynamodb,
    sqs: new SQSClient(client("sqs")),
    cloudWatch: new CloudWatchClient(client("cloudWatch")),
    lambda: new LambdaClient(client("lambda")),
  };
  const [{ vendors, unread, ...overview }, requests] = await Promise.all([
    readReadableOverview(sources, now),
    Promise.all([
      accountLister(outputs.AccountTableName, dynamodb).list(),
      readRequestsToday(new APIGatewayClient(client("apiGateway")), target, now),
    ]).catch((cause: unknown) => ({ cause })),
  ]);
  const optional = <Read>(part: UnreadPart["part"], reading: Promise<Read>) =>
    reading.then(
      (value) => ({ value, unread: [] }),
      (cause: unknown) => ({ value: undefined, unread: [{ part, cause }] }),
    );
  const log = refusalReader(outputs.ActivityTableName, dynamodb);
  const activity = activityReader(outputs.ActivityTableName, dynamodb);
  const readTraffic = async (apiSet: ApiSet) => {
    const clock = { now: now.getTime(), timeZone: sources.timeZone };
    const to = dayOf(clock.now, clock.timeZone);
    const table = scorecardReader(outputs.ScorecardTableName, dynamodb);
    const days = { from: daysBefore(to, trafficDays - 1), to };
    return { apiSet, ...toTraffic(await readActivity({ activity, table }, apiSet, days, clock)) };
  };
  const senders = (vendors ?? []).filter(({ disabled }) => !disabled).map(({ apiSet }) => apiSet as ApiSet);
  const [refusals, traffic, silentVendors, backups] = await Promise.all([
    optional("refusals", readLatestRefusals(log, vendors ?? [], now)),
    optional("traffic", pMap(senders, readTraffic, { concurrency: vendorsAtOnce })),
    optional("silent vendors", readUnusual(activity, senders, now.getTime(), sources.timeZone)),
    target.where === undefined ? undefined : readBackups(target),
  ]);
  const failed = "cause" in requests ? [{ part: "requests" as const, cause: requests.cause }] : [];
  const [accounts, byKey] = "cause" in requests ? [[], undefined] : requests;
  const ofVendor = Map.groupBy(accounts, ({ apiSet }) => apiSet as string);
  const countRequests = (apiSet: string) =>
    ofVendor.get(apiSet)?.reduce((sum, { usage }) => sum + (byKey?.get(usage?.keyId ?? "") ?? 0), 0) ?? 0;
  return {
    ...overview,
    ...(target.deployed !== undefined && { deployed: target.deployed }),
    ...(backups !== undefined && { backups }),
    ...(refusals.value !== undefined && { refusals: refusals.value }),
    ...(traffic.value !== undefined && { traffic: traffic.value }),
    ...(silentVendors.value !== undefined && { silentVendors: silentVendors.value.silences }),
    ...(vendors !== undefined && {
      vendors: vendors.map((vendor) => ({
        ...vendor,
        ...(byKey !== undefined && { requestsToday: countRequests(vendor.apiSet) }),
      })),
    }),
    unread: [unread, failed, refusals.unread, traffic.unread, silentVendors.unread]
      .flat()
      .map(({ part, cause }): StageOverview["unread"][number] => ({ part, reason: errorLine(cause) }))
      .concat((backups ?? []).flatMap(({ unread: why }) => (why ? { part: "backups", reason: why } : []))),
  };
}
