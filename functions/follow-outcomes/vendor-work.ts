import pMap from "p-map";
import type { ApiSet } from "../../core/accounts/account.ts";
import type { CountStep, HourSteps } from "../../core/outcomes/activity-counts.ts";
import type { ListedCards } from "../../core/outcomes/listed-cards.ts";
import type { DeliveredCards } from "../../core/records/deliveries.ts";
import type { WebhookEvent } from "../../core/webhooks/event.ts";

/** What follows from a batch of changes for one vendor: plain data, since a part that fails waits in the window's state. */
export interface VendorWork {
  readonly apiSet: ApiSet;
  readonly lists: readonly ListedCards[];
  readonly deliveries: readonly DeliveredCards[];
  readonly hours: readonly HourSteps[];
  readonly events: readonly WebhookEvent[];
}

/** Work of a vendor that failed, and is not tried again before a time. Milliseconds since 1970, UTC. */
export interface LateWork extends VendorWork {
  readonly failures: number;
  readonly notBefore: number;
}

/** How each part of the work is done. Each may be repeated, except that events may reach the queue twice. */
export interface WorkSteps {
  readonly list: (lists: readonly ListedCards[]) => Promise<void>;
  readonly schedule: (deliveries: readonly DeliveredCards[]) => Promise<void>;
  readonly count: (hours: readonly HourSteps[]) => Promise<void>;
  readonly tell: (apiSet: ApiSet, events: readonly WebhookEvent[]) => Promise<void>;
  readonly failed: (apiSet: ApiSet, error: unknown) => void;
}

const parallelVendors = 10;
const shortestPause = 1_000;
const longestPause = 60_000;

/** The parts of a batch's work, of all vendors. */
export type BatchWork = Omit<VendorWork, "apiSet">;

/** Sorts a batch's work by vendor. */
export function byVendor({ lists, deliveries, hours, events }: BatchWork): VendorWork[] {
  const of = <Part extends { readonly apiSet: ApiSet }>(parts: readonly Part[]) =>
    Map.groupBy(parts, ({ apiSet }) => apiSet);
  const [ownLists, ownDeliveries, ownHours] = [of(lists), of(deliveries), of(hours)];
  const ownEvents = Map.groupBy(events, ({ data }) => data.apiSet);
  const vendors = new Set([ownLists, ownDeliveries, ownHours, ownEvents].flatMap((own) => [...own.keys()]));
  return [...vendors].map((apiSet) => ({
    apiSet,
    lists: ownLists.get(apiSet) ?? [],
    deliveries: ownDeliveries.get(apiSet) ?? [],
    hours: ownHours.get(apiSet) ?? [],
    events: ownEvents.get(apiSet) ?? [],
  }));
}

const nothing = (apiSet: ApiSet): VendorWork => ({
  apiSet,
  lists: [],
  deliveries: [],
  hours: [],
  events: [],
});

/** Work that waited, followed by that of the next batch. Steps of one hour are counted in the order of the stream. */
function joined(first: VendorWork, second: VendorWork): VendorWork {
  const hours = Map.groupBy([...first.hours, ...second.hours], ({ hour }) => hour);
  return {
    apiSet: first.apiSet,
    lists: [...first.lists, ...second.lists],
    deliveries: [...first.deliveries, ...second.deliveries],
    hours: [...hours].map(([hour, all]) => ({
      apiSet: first.apiSet,
      hour,
      steps: all.flatMap(({ steps }): readonly CountStep[] => steps),
    })),
    events: [...first.events, ...second.events],
  };
}

/**
 * Does the work of a batch, and what was left of earlier ones, by vendor: one whose items cannot be written delays no other.
 *
 * Events come last, so that nothing which fails has them queued again.
 *
 * @param now milliseconds since 1970, UTC
 * @returns what has to be done later
 */
export async function doVendorWork(
  work: readonly VendorWork[],
  late: readonly LateWork[],
  steps: WorkSteps,
  now: number,
): Promise<LateWork[]> {
  const waiting = new Map(late.map((one) => [one.apiSet, one]));
  const fresh = new Map(work.map((one) => [one.apiSet, one]));
  const doOne = async (apiSet: ApiSet): Promise<LateWork | undefined> => {
    const { failures, notBefore, ...before } = waiting.get(apiSet) ?? {
      ...nothing(apiSet),
      failures: 0,
      notBefore: 0,
    };
    let left = joined(before, fresh.get(apiSet) ?? nothing(apiSet));
    if (now < notBefore) return { ...left, failures, notBefore };
    try {
      await steps.list(left.lists);
      left = { ...left, lists: [] };
      await steps.schedule(left.deliveries);
      left = { ...left, deliveries: [] };
      await steps.count(left.hours);
      left = { ...left, hours: [] };
      if (left.events.length > 0) await steps.tell(apiSet, left.events);
      return undefined;
    } catch (error) {
      steps.failed(apiSet, error);
      const pause = Math.min(longestPause, shortestPause * 2 ** failures);
      return { ...left, failures: failures + 1, notBefore: now + pause };
    }
  };
  const results = await pMap(new Set([...waiting.keys(), ...fresh.keys()]), doOne, {
    concurrency: parallelVendors,
  });
  return results.filter((one) => one !== undefined);
}

/**
 * Does all that is late, before a window ends or its state grows too large.
 *
 * Nothing is told unless all the rest is done: what throws comes again from the beginning.
 *
 * @throws an error of the first part that fails
 */
export async function finishLateWork(
  late: readonly LateWork[],
  { list, schedule, count, tell }: Omit<WorkSteps, "failed">,
): Promise<void> {
  for (const { lists, deliveries, hours } of late) {
    await list(lists);
    await schedule(deliveries);
    await count(hours);
  }
  for (const { apiSet, events } of late) if (events.length > 0) await tell(apiSet, events);
}
