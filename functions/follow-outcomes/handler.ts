import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { hourOf } from "../../core/formats/union-time.ts";
import { hourSteps } from "../../core/outcomes/activity-counts.ts";
import { activityWriter } from "../../core/outcomes/activity-table.ts";
import { type LateList, lateWorkTable } from "../../core/outcomes/late-work-table.ts";
import { listedCards } from "../../core/outcomes/listed-cards.ts";
import { type OutcomeEvent, outcomeOf } from "../../core/outcomes/outcome-event.ts";
import { publishOutcomes } from "../../core/outcomes/publish.ts";
import { tournamentWork } from "../../core/outcomes/tournament.ts";
import { tournamentWriter } from "../../core/outcomes/tournament-table.ts";
import { deliveredCards } from "../../core/records/deliveries.ts";
import { recordCheckScheduler } from "../../core/records/record-check-table.ts";
import { webhookLister } from "../../core/webhooks/endpoint-table.ts";
import { feedEntries } from "../../core/webhooks/feed-entries.ts";
import { feedWriter } from "../../core/webhooks/feed-table.ts";
import { feedWakeUps, type OutgoingWebhook, sendWebhooks } from "../../core/webhooks/queue.ts";
import { eventsOfChanges, queueEvents } from "../../core/webhooks/queue-changes.ts";
import { consumer } from "../runtime/consumer.ts";
import { logError, logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { breakerUpdates, cardUpdates, tableChangesSchema } from "./table-changes.ts";
import {
  byVendor,
  doWork,
  type LateWork,
  mergedHours,
  mergedTournaments,
  storeItems,
  type WorkDependencies,
} from "./vendor-work.ts";

const settings = readSettings({
  ACTIVITY_TABLE: z.string(),
  ACTIVITY_RETENTION_DAYS: z.coerce.number(),
  TIME_ZONE: z.string(),
  WEBHOOK_TABLE: z.string(),
  WEBHOOK_QUEUE_URL: z.string(),
  /** Absent if outcomes are not published. */
  EVENT_BUS: z.optional(z.string()),
  /** Absent if no card is looked for in the players' records. */
  RECORD_CHECK_SHARE: z.optional(z.coerce.number()),
  RECORD_CHECK_FIRST_SECONDS: z._default(z.coerce.number(), 0),
  RECORD_CHECK_LAST_SECONDS: z._default(z.coerce.number(), 0),
});

const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
const activity = activityWriter(settings.ACTIVITY_TABLE, dynamodb, settings.ACTIVITY_RETENTION_DAYS);
const tournaments = tournamentWriter(settings.ACTIVITY_TABLE, dynamodb, settings.ACTIVITY_RETENTION_DAYS);
const feed = feedWriter(settings.ACTIVITY_TABLE, dynamodb, settings.ACTIVITY_RETENTION_DAYS, Date.now);
const endpoints = webhookLister(settings.WEBHOOK_TABLE, dynamodb);
const send = (messages: readonly OutgoingWebhook[]) =>
  sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, messages);
const scheduleChecks = recordCheckScheduler(settings.ACTIVITY_TABLE, dynamodb, {
  first: settings.RECORD_CHECK_FIRST_SECONDS * 1000,
  last: settings.RECORD_CHECK_LAST_SECONDS * 1000,
});
const eventBridge = settings.EVENT_BUS === undefined ? undefined : sdkClient(EventBridgeClient);

const lateWork = lateWorkTable<LateWork>(settings.ACTIVITY_TABLE, dynamodb);
const figures = gatherFigures();

/** A schedule's event: work is to be done that shards without changes, or that have ended, could not do. */
const resumeSchema = z.object({ resume: z.literal(true) });

/**
 * Follows the table's stream: publishes outcomes, queues them for webhooks, adds them to the vendors' feeds, lists the cards of each day
 * and those to look for in the players' records, and counts outcomes by vendor and hour, and by tournament.
 *
 * A step that fails for a vendor, as when its partition key is throttled or EventBridge refuses its outcomes, waits in the state of
 * the tumbling window, which Lambda hands to the next run of the shard; everything else goes on. No record is ever handed back: AWS
 * does not say what becomes of the state of a response that also names failed records.
 *
 * At the end of the window, what is still late is stored, and the first run of the next one reads it back. If a shard has no further
 * changes, or has ended, a schedule has its work done. Lists and counts have each change once, however often it is tried.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html
 */
export const handler = consumer({
  logInvocation,
  event: z.union([tableChangesSchema, resumeSchema]),
  figures,
  run: async (event, remaining) =>
    "resume" in event ? resumeIdleShards(remaining) : followChanges(event, remaining),
});

async function followChanges(
  { shardId, Records, state, isFinalInvokeForWindow: isLast }: z.infer<typeof tableChangesSchema>,
  remaining: () => number,
) {
  const now = Date.now();
  const {
    late: before,
    isListed,
    behind,
  } = stateSchema.parse(state ?? {}) ?? (await listedWork(shardId, now));
  const updates = cardUpdates(Records);
  const ofTournaments = tournamentWork(updates);
  const breakers = breakerUpdates(Records);
  const work = byVendor({
    list: listedCards(updates, settings.TIME_ZONE),
    schedule: deliveredCards(updates, settings.RECORD_CHECK_SHARE ?? 0),
    count: hourSteps(updates, (instant) => hourOf(instant, settings.TIME_ZONE)),
    listTournaments: ofTournaments.lists,
    countTournaments: ofTournaments.steps,
    publish:
      eventBridge === undefined ? [] : updates.flatMap(({ card, before }) => outcomeOf(card, before) ?? []),
    tell: eventsOfChanges({ updates, breakers, shardId }, now),
    feed: feedEntries({ updates, breakers, shardId }, now),
  });
  const turns = feedTurns(shardId, behind);
  const late = await doWork(work, before, dependencies(shardId, now, remaining, turns.wait));
  measureAge(late, now);
  if (isLast) {
    // The state ends with the window. If this run's response is lost, the next one stores the same again.
    const stored = await storeItems(late, lateWork, 0);
    if (stored.length > 0 || isListed) await lateWork.save(shardId, stored, now);
    return { state: {} };
  }
  // With tumbling windows, Lambda takes a response without a state for a failure.
  return { state: { late: await storeItems(late, lateWork), isListed, behind: turns.behind() } };
}

/** What a run returns for the next one of its window; undefined if there was none. */
const stateSchema = z.pipe(
  z.object({
    late: z.optional(z.array(z.unknown())),
    isListed: z._default(z.boolean(), false),
    behind: z._default(z.array(z.string()), []),
  }),
  z.transform(({ late, ...state }) => late && { late: late as LateWork[], ...state }),
);

/** The work that was left at the end of the shard's last window. From now on it is this window's. */
async function listedWork(shardId: string, now: number) {
  const lists = await lateWork.lists();
  const { work = [] } = lists.find((list) => list.shardId === shardId) ?? {};
  // The time of the list says that somebody is at work on it.
  if (work.length > 0) await lateWork.save(shardId, work, now);
  return { late: work, isListed: work.length > 0, behind: [...vendorsOfOlderFeeds(lists, shardId)] };
}

/**
 * Vendors for whose feeds older shards still have events. A shard's successor has later changes of the same cards, and begins when the
 * older one has ended; shards are named by the time at which they began.
 */
const vendorsOfOlderFeeds = (lists: readonly LateList<LateWork>[], shardId: string): Set<string> =>
  new Set(
    lists
      .filter((list) => list.shardId < shardId)
      .flatMap(({ work }) => work.flatMap(({ step, apiSet }) => (step === "feed" ? [apiSet] : []))),
  );

/** Keeps a shard's events behind those of older shards, so that a card's outcomes are in order in the feed. */
function feedTurns(shardId: string, vendors: readonly string[]) {
  let behind: ReadonlySet<string> = new Set(vendors);
  return {
    behind: () => [...behind],
    /** @throws Error if an older shard has events for the vendor's feed that are late */
    async wait(apiSet: string): Promise<void> {
      if (behind.has(apiSet)) behind = vendorsOfOlderFeeds(await lateWork.lists(), shardId);
      if (behind.has(apiSet)) throw new Error("Events of an older shard of the stream come first.");
    },
  };
}

/** Longer than a tumbling window: after it, no run of the shard has the list's work in its state. */
const idleTime = 20 * 60_000;

/**
 * Does the work of shards that have had no run for a while. If one of them has a run again meanwhile, both do it: counts and lists
 * stay exact, and an event is told twice at most.
 */
async function resumeIdleShards(remaining: () => number) {
  const now = Date.now();
  const lists = await lateWork.lists();
  for (const list of lists.toSorted((one, other) => (one.shardId < other.shardId ? -1 : 1))) {
    measureAge(list.work, now);
    if (now - list.savedAt < idleTime) continue;
    const { wait } = feedTurns(list.shardId, [...vendorsOfOlderFeeds(lists, list.shardId)]);
    const left = await doWork([], list.work, dependencies(list.shardId, now, remaining, wait));
    await lateWork.replace(list, await storeItems(left, lateWork, 0));
  }
  return { state: {} };
}

function measureAge(late: readonly LateWork[], now: number): void {
  if (late.length === 0) return;
  figures.add({ OutcomesLateAge: (now - Math.min(...late.map(({ since }) => since))) / 1000 });
}

const dependencies = (
  shardId: string,
  now: number,
  remaining: () => number,
  feedTurn: (apiSet: string) => Promise<void>,
): WorkDependencies => ({
  late: lateWork,
  now,
  remaining,
  failed: (apiSet, step, error) =>
    logError({ message: "a vendor's changes are followed later", apiSet, step }, error),
  steps: {
    async list(_apiSet, lists) {
      await activity.list(lists, shardId);
      return [];
    },
    async schedule(_apiSet, deliveries) {
      await scheduleChecks(deliveries, shardId);
      return [];
    },
    async count(_apiSet, hours) {
      await activity.count(mergedHours(hours), shardId);
      return [];
    },
    async listTournaments(_apiSet, lists) {
      await tournaments.list(lists, shardId);
      return [];
    },
    async countTournaments(_apiSet, steps) {
      await tournaments.count(mergedTournaments(steps), shardId);
      return [];
    },
    publish: async (_apiSet, outcomes) => publish(outcomes),
    async tell(apiSet, events) {
      await queueEvents(apiSet, events, { endpoints, send, now });
      return [];
    },
    async feed(apiSet, entries) {
      await feedTurn(apiSet);
      await feed.append(apiSet, shardId, entries);
      const wakeUps = await feedWakeUps(endpoints, apiSet, now);
      if (wakeUps.length > 0) await send(wakeUps);
      return [];
    },
  },
});

/** Puts outcomes on the event bus, if there is one. @returns those that EventBridge refused */
async function publish(outcomes: readonly OutcomeEvent[]): Promise<readonly OutcomeEvent[]> {
  const { EVENT_BUS } = settings;
  if (eventBridge === undefined || EVENT_BUS === undefined) return [];
  const refused = await publishOutcomes(
    eventBridge,
    EVENT_BUS,
    outcomes.map((event) => ({ event })),
  );
  return refused.map(({ event }) => event);
}
