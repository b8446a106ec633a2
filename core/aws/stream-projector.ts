import * as z from "zod/mini";
import type { DeferredWork, LateWorkTable } from "./late-work-table.ts";
import { doWork, type LateWork, storeItems, type VendorWork, type WorkDependencies } from "./vendor-work.ts";

/** What follows from a batch of a table's changes, vendor by vendor. */
export interface View<Batch> {
  readonly workOf: (batch: Batch) => readonly Omit<VendorWork, "step">[];
  /** Does it. It may be repeated. @returns items that were refused */
  readonly apply: (apiSet: string, items: readonly unknown[], shardId: string) => Promise<readonly unknown[]>;
  /** Whether work of older shards has to be done first. */
  readonly isInOrder: boolean;
}

/** How a view is described: items are plain data, of a vendor each. */
interface ViewOptions<Batch, Item, Vendor extends string> {
  readonly itemsOf: (batch: Batch) => readonly Item[];
  readonly apiSetOf: (item: Item) => Vendor;
  readonly apply: (
    apiSet: Vendor,
    items: readonly Item[],
    shardId: string,
  ) => Promise<readonly Item[]> | Promise<void>;
  readonly isInOrder?: boolean;
}

/** Makes a view. What it leaves for later comes back as its own items. */
export const streamView = <Batch, Item, Vendor extends string>({
  itemsOf,
  apiSetOf,
  apply,
  isInOrder = false,
}: ViewOptions<Batch, Item, Vendor>): View<Batch> => ({
  workOf: (batch) => [...Map.groupBy(itemsOf(batch), apiSetOf)].map(([apiSet, items]) => ({ apiSet, items })),
  apply: async (apiSet, items, shardId) =>
    (await apply(apiSet as Vendor, items as readonly Item[], shardId)) ?? [],
  isInOrder,
});

/** A run of a window of the stream, as Lambda gives it to an event source with tumbling windows. */
export interface WindowRun<Batch> {
  readonly shardId: string;
  /** What the run before returned in the same window. */
  readonly state?: Record<string, unknown> | undefined;
  readonly isLast: boolean;
  readonly batch: Batch;
}

/** The views by the names of their steps, where late work is stored, the clock and the log. */
export interface ProjectorDependencies<Batch> {
  readonly views: Readonly<Record<string, View<Batch>>>;
  readonly late: LateWorkTable<LateWork>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly failed: (apiSet: string, step: string, error: unknown) => void;
  /** Age of the oldest work that is late, in milliseconds. */
  readonly measureAge: (milliseconds: number) => void;
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

/** Longer than a tumbling window: after it, no run of the shard has the list's work in its state. */
const idleTime = 20 * 60_000;

/** Has the work of older shards done first. */
function createTurns<Batch>(
  late: ProjectorDependencies<Batch>["late"],
  views: ProjectorDependencies<Batch>["views"],
) {
  /**
   * Vendors for which older shards still have work that must be done first. A shard's successor has later changes of the same cards,
   * and begins when the older one has ended; shards are named by the time at which they began.
   */
  const vendorsOfOlderShards = (lists: readonly DeferredWork<LateWork>[], shardId: string): Set<string> =>
    new Set(
      lists
        .filter((list) => list.shardId < shardId)
        .flatMap(({ work }) => work.flatMap(({ step, apiSet }) => (views[step]?.isInOrder ? [apiSet] : []))),
    );

  /** Keeps a shard's work behind that of older shards, for the views that need it. */
  function listTurns(shardId: string, vendors: readonly string[]) {
    let behind: ReadonlySet<string> = new Set(vendors);
    return {
      behind: () => [...behind],
      /** @throws Error if an older shard has work for the vendor that is late */
      async wait(apiSet: string): Promise<void> {
        if (behind.has(apiSet)) behind = vendorsOfOlderShards(await late.lists(), shardId);
        if (behind.has(apiSet)) throw new Error("Events of an older shard of the stream come first.");
      },
    };
  }

  return { vendorsOfOlderShards, listTurns };
}

/**
 * Makes the function that keeps views of a table by its stream.
 *
 * A view that fails for a vendor, as when its partition key is throttled, waits in the state of the tumbling window, which Lambda
 * hands to the next run of the shard; everything else goes on. No record is ever handed back: AWS does not say what becomes of the
 * state of a response that also names failed records.
 *
 * At the end of the window, what is still late is stored, and the first run of the next one reads it back. If a shard has no further
 * changes, or has ended, a schedule has its work done by `resumeIdleShards`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html
 */
export function createProjector<Batch>(dependencies: ProjectorDependencies<Batch>) {
  const { views, late, now } = dependencies;
  const entries = Object.entries(views);
  const { vendorsOfOlderShards, listTurns } = createTurns(late, views);

  /** The work that was left at the end of the shard's last window. From now on it is this window's. */
  async function listedWork(shardId: string, at: number) {
    const lists = await late.lists();
    const { work = [] } = lists.find((list) => list.shardId === shardId) ?? {};
    // The time of the list says that a run is at work on it.
    if (work.length > 0) await late.save(shardId, work, at);
    return { late: work, isListed: work.length > 0, behind: [...vendorsOfOlderShards(lists, shardId)] };
  }

  return {
    /** Follows a batch. @returns the state for the window's next run */
    async follow({ shardId, state, isLast, batch }: WindowRun<Batch>, remaining: () => number) {
      const at = now();
      const before = stateSchema.parse(state ?? {}) ?? (await listedWork(shardId, at));
      const work = entries.flatMap(([step, view]) => view.workOf(batch).map((own) => ({ step, ...own })));
      const turns = listTurns(shardId, before.behind);
      const run = { shardId, at, remaining, wait: turns.wait };
      const left = await doWork(work, before.late, createSteps(dependencies, run));
      measureWork(dependencies, left, at);
      if (isLast) {
        // The state ends with the window. If this run's response is lost, the next one stores the same again.
        const stored = await storeItems(left, late, 0);
        if (stored.length > 0 || before.isListed) await late.save(shardId, stored, at);
        return { state: {} };
      }
      // With tumbling windows, Lambda takes a response without a state for a failure.
      return {
        state: {
          late: await storeItems(left, late),
          isListed: before.isListed,
          behind: turns.behind(),
        },
      };
    },

    /**
     * Does the work of shards that have had no run for a while. If one of them has a run again at the same time, both do it: counts
     * and lists stay exact, and an event is told twice at most.
     */
    async resumeIdleShards(remaining: () => number) {
      const at = now();
      const lists = await late.lists();
      for (const list of lists.toSorted((one, other) => (one.shardId < other.shardId ? -1 : 1))) {
        measureWork(dependencies, list.work, at);
        if (at - list.savedAt < idleTime) continue;
        const { shardId } = list;
        const { wait } = listTurns(shardId, [...vendorsOfOlderShards(lists, shardId)]);
        const steps = createSteps(dependencies, { shardId, at, remaining, wait });
        const left = await doWork([], list.work, steps);
        await late.replace(list, await storeItems(left, late, 0));
      }
      return { state: {} };
    },
  };
}

function measureWork<Batch>(
  { measureAge }: ProjectorDependencies<Batch>,
  work: readonly LateWork[],
  at: number,
): void {
  if (work.length > 0) measureAge(at - Math.min(...work.map(({ since }) => since)));
}

/** A run of a shard. */
interface ShardRun {
  readonly shardId: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly remaining: () => number;
  /** Has a vendor's work of older shards done first. */
  readonly wait: (apiSet: string) => Promise<void>;
}

/** What a run does the steps of work with. */
const createSteps = <Batch>(
  { views, late, failed }: ProjectorDependencies<Batch>,
  { shardId, at, remaining, wait }: ShardRun,
): WorkDependencies => ({
  late,
  now: at,
  remaining,
  failed,
  async doStep(step, apiSet, items) {
    const view = views[step];
    if (view === undefined) return [];
    if (view.isInOrder) await wait(apiSet);
    return view.apply(apiSet, items, shardId);
  },
});
