import pMap from "p-map";
import type { ApiSet } from "../../core/accounts/account.ts";
import type { DeliveredCards } from "../../core/records/deliveries.ts";
import type { HourSteps } from "../../core/views/activity-counts.ts";
import type { LateWorkTable } from "../../core/views/late-work-table.ts";
import type { ListedCards } from "../../core/views/listed-cards.ts";
import type { OutcomeEvent } from "../../core/views/outcome-event.ts";
import type { TournamentList, TournamentSteps } from "../../core/views/tournament.ts";
import type { WebhookEvent } from "../../core/webhooks/event.ts";
import type { FeedEntry } from "../../core/webhooks/feed-entries.ts";

/** What follows from a batch of changes, by the step that does it. Plain data, since what cannot be done now is stored. */
export interface WorkItems {
  readonly list: ListedCards;
  readonly schedule: DeliveredCards;
  readonly count: HourSteps;
  readonly listTournaments: TournamentList;
  readonly countTournaments: TournamentSteps;
  readonly publish: OutcomeEvent;
  readonly tell: WebhookEvent;
  readonly feed: FeedEntry;
}

/** A step of the work. */
export type Step = keyof WorkItems;

/** The work of one step for one vendor. */
export interface Work<S extends Step = Step> {
  readonly apiSet: ApiSet;
  readonly step: S;
  readonly items: readonly WorkItems[S][];
}

/** The work of any one step. */
export type AnyWork = { [S in Step]: Work<S> }[Step];

/** Work that failed. Times in milliseconds since 1970, UTC. */
export type LateWork = AnyWork & {
  /** Documents with earlier items of it, the oldest first. */
  readonly stored: readonly string[];
  readonly failures: number;
  /** It is not tried again before. */
  readonly notBefore: number;
  /** When it failed first. */
  readonly since: number;
};

/** How each step is done. Each may be repeated, except that an event may then be published or queued twice. */
export type WorkSteps = {
  /** @returns items that were refused */
  readonly [S in Step]: (apiSet: ApiSet, items: readonly WorkItems[S][]) => Promise<readonly WorkItems[S][]>;
};

/** The steps, where late work is stored, the clock, and the log. */
export interface WorkDependencies {
  readonly steps: WorkSteps;
  readonly late: Pick<LateWorkTable<LateWork>, "put" | "read" | "remove">;
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  /** Milliseconds that are left to the run. */
  readonly remaining: () => number;
  readonly failed: (apiSet: ApiSet, step: Step, error: unknown) => void;
}

const parallelWork = 20;
const shortestPause = 1_000;
const longestPause = 60_000;
/** Time that a run keeps for what it has to do after a stored document. */
const documentTime = 15_000;

/** Lambda ends a window whose state is larger than 1 MB. A character is up to three bytes. */
const largestState = 300_000;
/** What is left in the state once more than that waits. */
const spilledState = largestState / 2;

const keyOf = ({ apiSet, step }: Pick<Work, "apiSet" | "step">) => `${step} ${apiSet}`;

/** Sorts a batch's items by vendor and step. */
export function byVendor(items: { readonly [S in Step]: readonly WorkItems[S][] }): AnyWork[] {
  const group = <S extends Step>(step: S, vendorOf: (item: WorkItems[S]) => ApiSet): Work<S>[] =>
    [...Map.groupBy<ApiSet, WorkItems[S]>(items[step], vendorOf)].map(([apiSet, own]) => ({
      apiSet,
      step,
      items: own,
    }));
  return [
    ...group("list", ({ apiSet }) => apiSet),
    ...group("schedule", ({ apiSet }) => apiSet),
    ...group("count", ({ apiSet }) => apiSet),
    ...group("listTournaments", ({ apiSet }) => apiSet),
    ...group("countTournaments", ({ apiSet }) => apiSet),
    ...group("publish", ({ apiSet }) => apiSet as ApiSet),
    ...group("tell", ({ data }) => data.apiSet),
    ...group("feed", ({ apiSet }) => apiSet),
  ];
}

/** Items of one step of a vendor, followed by later ones. */
const joined = (first: LateWork, { items = [] }: Partial<AnyWork>): LateWork =>
  ({ ...first, items: [...first.items, ...items] }) as LateWork;

/** Steps of one hour from several batches, in the order of the stream: an hour is counted by one write after another. */
export const mergedHours = (hours: readonly HourSteps[]): HourSteps[] =>
  [...Map.groupBy(hours, ({ hour }) => hour).values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [{ ...first, steps: all.flatMap(({ steps }) => steps) }];
  });

/** As `mergedHours`, of a tournament's day. The last name that came is the tournament's. */
export const mergedTournaments = (tournaments: readonly TournamentSteps[]): TournamentSteps[] =>
  [...Map.groupBy(tournaments, ({ day, id }) => `${day} ${id}`).values()].map((all) => ({
    ...Object.assign({}, ...all),
    changedAt: Math.max(...all.map(({ changedAt }) => changedAt)),
    steps: all.flatMap(({ steps }) => steps),
  }));

/**
 * Does the work of a batch, and what was left of earlier ones. A step that fails for a vendor delays neither its other steps nor
 * other vendors; what comes for it later waits behind it.
 *
 * @returns what has to be done later
 */
export async function doWork(
  work: readonly AnyWork[],
  waiting: readonly LateWork[],
  { steps, late, now, remaining, failed }: WorkDependencies,
): Promise<LateWork[]> {
  const waitingByKey = new Map(waiting.map((one) => [keyOf(one), one]));
  const freshByKey = new Map(work.map((one) => [keyOf(one), one]));

  const perform = <S extends Step>({ apiSet, step, items }: Work<S>) => steps[step](apiSet, items);

  async function doOne(first: LateWork): Promise<LateWork | undefined> {
    let left = first;
    if (now < left.notBefore) return left;
    try {
      for (const id of first.stored) {
        if (remaining() < documentTime) return left;
        const items = await late.read(id);
        // A document that is gone was done, by a run whose response was lost.
        if (items !== undefined) {
          const refused = await perform({ ...left, items } as LateWork);
          if (refused.length > 0) throw new RefusedError(refused.length);
          await late.remove(id);
        }
        left = { ...left, stored: left.stored.slice(1) };
      }
      if (left.items.length === 0) return undefined;
      const refused = await perform(left);
      if (refused.length === 0) return undefined;
      left = { ...left, items: refused } as LateWork;
      throw new RefusedError(refused.length);
    } catch (error) {
      failed(left.apiSet, left.step, error);
      const { failures } = left;
      const pause = Math.min(longestPause, shortestPause * 2 ** failures);
      return { ...left, failures: failures + 1, notBefore: now + pause };
    }
  }

  const all = [...new Set([...waitingByKey.keys(), ...freshByKey.keys()])].flatMap((key) => {
    const [before, fresh] = [waitingByKey.get(key), freshByKey.get(key)];
    if (before !== undefined) return joined(before, fresh ?? {});
    return fresh === undefined ? [] : { ...fresh, stored: [], failures: 0, notBefore: 0, since: now };
  });
  const left = await pMap(all, doOne, { concurrency: parallelWork });
  return left.filter((one) => one !== undefined);
}

/** Some items of a step were refused. */
class RefusedError extends Error {
  override readonly name = "RefusedError";

  constructor(refused: number) {
    super(`${refused} were refused. They are tried again.`);
  }
}

/**
 * Stores items of late work, the largest first, if all that waits is too large for a window's state.
 *
 * @param most characters of JSON that may wait in the state; 0 to store all items
 * @returns the same work, which now names the documents
 * @throws TableBatchError
 */
export async function storeItems(
  work: readonly LateWork[],
  { put }: Pick<LateWorkTable<LateWork>, "put">,
  most?: number,
): Promise<LateWork[]> {
  const sized = work.map((one) => ({ one, size: JSON.stringify(one).length }));
  let size = sized.reduce((sum, one) => sum + one.size, 0);
  const limit = most ?? (size > largestState ? spilledState : size);
  const kept: LateWork[] = [];
  for (const { one, size: own } of sized.toSorted((first, second) => second.size - first.size)) {
    if (one.items.length === 0 || (size <= limit && limit > 0)) {
      kept.push(one);
      continue;
    }
    kept.push({ ...one, items: [], stored: [...one.stored, await put(one.items)] });
    size -= own;
  }
  return kept;
}
