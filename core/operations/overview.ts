import { type CloudWatchClient, paginateDescribeAlarms } from "@aws-sdk/client-cloudwatch";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetEventSourceMappingCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { GetQueueAttributesCommand, type QueueAttributeName, type SQSClient } from "@aws-sdk/client-sqs";
import pMap from "p-map";
import type { Activity } from "../../api/activity.ts";
import type { Overview, VendorOverview } from "../../api/operator.ts";
import type { Account } from "../accounts/account.ts";
import { accountLister } from "../accounts/account-table.ts";
import { scorecardReader } from "../cards/delivery/scorecard-table.ts";
import { dayOf } from "../formats/union-time.ts";
import { mirrorStateReader } from "../register/mirror-state-table.ts";
import { ageOf, type MirrorState } from "../register/sync-state.ts";
import { readActivity } from "../views/activity.ts";
import { activityReader } from "../views/activity-table.ts";
import { readObjective } from "./burn-rates.ts";
import { deliveryMetrics } from "./delivery-metrics.ts";

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

/** Requests to DynamoDB for different vendors at the same time. */
const vendorsAtOnce = 8;

/** The tables and AWS resources that an overview reads, and their clients. */
export interface OverviewSources {
  readonly stack: string;
  /** The union's base address in use. */
  readonly union: string;
  /** IANA name of the union's time zone, in which days begin. */
  readonly timeZone: string;
  readonly tables: Readonly<Record<"accounts" | "activity" | "courses" | "scorecards", string>>;
  readonly queues: Readonly<Record<"delivery" | "deadLetters", string>>;
  /** ID of the event source mapping that delivers cards. */
  readonly eventSourceId: string;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly cloudWatch: CloudWatchClient;
  readonly lambda: LambdaClient;
}

type VendorActivity = Account & { readonly activity: Activity };

/** One account for each vendor that may send cards; disabled only if all are. */
function listSenders(accounts: readonly Account[]): Account[] {
  const senders = accounts.filter(({ resources }) => resources.includes("scorecards"));
  const byVendor = Map.groupBy(senders, ({ apiSet }) => apiSet).values();
  return [...byVendor].flatMap((all) => all.find(({ disabled }) => !disabled) ?? all[0] ?? []);
}

/** The counts of each vendor's cards today, in the order of the accounts. */
function readVendors(
  accounts: readonly Account[],
  { tables, timeZone, dynamodb }: OverviewSources,
  now: Date,
): Promise<VendorActivity[]> {
  const readers = {
    activity: activityReader(tables.activity, dynamodb),
    table: scorecardReader(tables.scorecards, dynamodb),
  };
  const today = dayOf(now.getTime(), timeZone);
  const clock = { now: now.getTime(), timeZone };
  return pMap(
    listSenders(accounts),
    async (account) => ({
      ...account,
      activity: await readActivity(readers, account.apiSet, { from: today, to: today }, clock),
    }),
    { concurrency: vendorsAtOnce },
  );
}

function vendorOverview({
  username,
  apiSet,
  disabled,
  activity: { totals, waiting },
}: VendorActivity): VendorOverview {
  const { accepted, refused, delivered, late, rejected, undelivered } = totals;
  return {
    username,
    apiSet,
    disabled,
    today: { accepted, refused, delivered, late, rejected, undelivered },
    waiting: waiting.cards,
  };
}

/** A part of the overview that could not be read. */
export interface UnreadPart {
  readonly part:
    | "vendors"
    | "delivery"
    | "queue"
    | "dead letters"
    | "mirror"
    | "alarms"
    | "oldest message"
    | "requests"
    | "refusals"
    | "traffic"
    | "objective"
    | "silent vendors"
    | "backups";
  readonly cause: unknown;
}

/** What could be read of an overview. `breakers` come with `vendors`. */
export type ReadableOverview = Pick<Overview, "stack" | "at" | "union"> &
  Partial<Overview> & { readonly unread: readonly UnreadPart[] };

/** Reads the state of a pipeline. It changes nothing. @throws the first error if a part cannot be read */
export async function readOverview(sources: OverviewSources, now: Date): Promise<Overview> {
  const { unread, ...overview } = await readReadableOverview(sources, now);
  const [failed] = unread;
  if (failed !== undefined) throw failed.cause;
  return overview as Overview;
}

const mirrorOverview = (mirror: MirrorState, now: Date): Overview["mirror"] => {
  const clubs = [...mirror.clubs.values()];
  const stalest = Math.max(...clubs.map((club) => ageOf(club, now.getTime())));
  const failing = clubs.filter(({ failures }) => failures > 0);
  const byReason = [...Map.groupBy(failing, ({ failure }) => failure)];
  const [commonest] = byReason.toSorted(([, one], [, other]) => other.length - one.length);
  const failure = mirror.list.failure ?? commonest?.[0];
  return {
    clubs: clubs.length,
    failing: failing.length,
    ...(failure !== undefined && { failure }),
    ...(clubs.length > 0 && { ageSeconds: stalest / 1000 }),
  };
};

function listBreakers(vendors: readonly VendorActivity[]): Overview["breakers"] {
  return vendors.flatMap(({ apiSet, activity }) => {
    const { paused } = activity.waiting;
    if (paused === undefined) return [];
    const { since, nextAttemptAt, lastError } = paused;
    const { status, message } = lastError;
    return { apiSet, since, nextAttemptAt, message, ...(status !== undefined && { status }) };
  });
}

/** Reads each part by itself, since one service or permission often fails alone. @param unread gets the parts that cannot be read */
async function readParts(sources: OverviewSources, now: Date, unread: UnreadPart[]) {
  const { stack, tables, queues, eventSourceId, dynamodb, sqs, cloudWatch, lambda } = sources;
  const readable = <Read>(part: UnreadPart["part"], reading: Promise<Read>): Promise<Read | undefined> =>
    reading.catch((cause: unknown) => {
      unread.push({ part, cause });
      return undefined;
    });
  const accounts = accountLister(tables.accounts, dynamodb).list();
  const metrics = deliveryMetrics(cloudWatch, stack, queues.delivery);
  const [vendors, mapping, queued, dead, mirror, alarms, measured, objective] = await Promise.all([
    readable(
      "vendors",
      accounts.then((all) => readVendors(all, sources, now)),
    ),
    readable("delivery", lambda.send(new GetEventSourceMappingCommand({ UUID: eventSourceId }))),
    readable("queue", readMessages(sqs, queues.delivery)),
    readable("dead letters", readMessages(sqs, queues.deadLetters)),
    readable("mirror", mirrorStateReader(tables.courses, dynamodb).read()),
    readable("alarms", readRinging(cloudWatch, stack)),
    readable("oldest message", metrics.oldestSeconds(now.getTime())),
    readable("objective", readObjective(metrics, now.getTime())),
  ]);
  return { vendors, mapping, queued, dead, mirror, alarms, measured, objective };
}

type ReadParts = Awaited<ReturnType<typeof readParts>>;

/** @returns undefined if the queue or its dead letters could not be read */
function queueOverview(
  { queued, dead, measured, vendors = [] }: ReadParts,
  breakers: Overview["breakers"],
  now: Date,
): Overview["queue"] | undefined {
  if (queued === undefined || dead === undefined) return undefined;
  const [waiting = 0, delayed = 0, inFlight = 0] = queued;
  const deadLetters = dead.reduce((sum, messages) => sum + messages, 0);
  // While a breaker is open, each run measures only the cards that it tried. The card that opened it still waits.
  const ages = breakers.map(({ since }) => (now.getTime() - Date.parse(since)) / 1000);
  const oldest = Math.max(measured ?? 0, ...ages);
  const cards = vendors.reduce((sum, { activity }) => sum + activity.waiting.cards, 0);
  const messages = waiting + delayed + inFlight;
  return {
    waiting,
    delayed,
    inFlight,
    deadLetters,
    ...(oldest > 0 && messages > 0 && { oldestSeconds: oldest }),
    ...(messages + deadLetters === 0 && cards > 0 && { cardsWithoutMessage: cards }),
  };
}

/** Reads the state of a pipeline, as far as it can be read: when something is wrong, the rest is needed most. It changes nothing. */
export async function readReadableOverview(sources: OverviewSources, now: Date): Promise<ReadableOverview> {
  const { stack, union } = sources;
  const unread: UnreadPart[] = [];
  const parts = await readParts(sources, now, unread);
  const { vendors, mapping, mirror, alarms, objective } = parts;
  const breakers = vendors && listBreakers(vendors);
  const queue = queueOverview(parts, breakers ?? [], now);
  const eventSource = mapping && (mapping.State ?? "unknown");
  return {
    stack,
    at: iso(now),
    union,
    unread,
    ...(eventSource !== undefined && { delivery: { held: /^Disabl/.test(eventSource), eventSource } }),
    ...(queue && { queue }),
    ...(breakers && { breakers }),
    ...(vendors && { vendors: vendors.map(vendorOverview).sort(byActivity) }),
    ...(mirror && { mirror: mirrorOverview(mirror, now) }),
    ...(alarms && { alarms }),
    ...(objective && { objective }),
  };
}

/** The busiest first. */
const byActivity = (one: VendorOverview, other: VendorOverview) =>
  other.today.accepted - one.today.accepted || (one.username < other.username ? -1 : 1);
