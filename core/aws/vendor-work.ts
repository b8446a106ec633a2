import pMap from "p-map";
import type { LateWorkTable } from "./late-work-table.ts";

/** The work of one step for one vendor. Its items are plain data, since what cannot be done now is stored. */
export interface VendorWork {
  readonly apiSet: string;
  readonly step: string;
  readonly items: readonly unknown[];
}

/** Work that failed. Times in milliseconds since 1970, UTC. */
export interface LateWork extends VendorWork {
  /** Documents with earlier items of it, the oldest first. */
  readonly stored: readonly string[];
  readonly failures: number;
  /** It is not tried again before. */
  readonly notBefore: number;
  /** When it failed first. */
  readonly since: number;
}

/** Does a step of a vendor's work. It may be repeated. @returns items that were refused */
export type DoStep = (step: string, apiSet: string, items: readonly unknown[]) => Promise<readonly unknown[]>;

/** The steps, where late work is stored, the clock, and the log. */
export interface WorkDependencies {
  readonly doStep: DoStep;
  readonly late: Pick<LateWorkTable<LateWork>, "put" | "read" | "remove">;
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
  /** Milliseconds that are left to the run. */
  readonly remaining: () => number;
  readonly failed: (apiSet: string, step: string, error: unknown) => void;
}

const parallelWork = 20;
const minPause = 1_000;
/** Later items of the same vendor wait behind those that were refused. */
const maxPause = 10_000;
/** Time that a run keeps for what it has to do after a stored document. */
const documentTime = 15_000;

/** Lambda ends a window whose state is larger than 1 MB. A character is up to three bytes. */
const maxStateLength = 300_000;
/** What is left in the state once more than that waits. */
const spilledState = maxStateLength / 2;

const keyOf = ({ apiSet, step }: Pick<VendorWork, "apiSet" | "step">) => `${step} ${apiSet}`;

/** Items of one step of a vendor, followed by later ones. */
const joined = (first: LateWork, { items }: Pick<VendorWork, "items">): LateWork => ({
  ...first,
  items: [...first.items, ...items],
});

/**
 * Does the work of a batch, and what was left of earlier ones. A step that fails for a vendor delays neither its other steps nor
 * other vendors; what comes for it later waits behind it.
 *
 * @returns what has to be done later
 */
export async function doWork(
  work: readonly VendorWork[],
  waiting: readonly LateWork[],
  { doStep, late, now, remaining, failed }: WorkDependencies,
): Promise<LateWork[]> {
  const waitingByKey = new Map(waiting.map((one) => [keyOf(one), one]));
  const freshByKey = new Map(work.map((one) => [keyOf(one), one]));

  async function doOne(first: LateWork): Promise<LateWork | undefined> {
    let left = first;
    if (now < left.notBefore) return left;
    try {
      for (const id of first.stored) {
        if (remaining() < documentTime) return left;
        const items = await late.read(id);
        // A document that is gone was done, by a run whose response was lost.
        if (items !== undefined) {
          const refused = await doStep(left.step, left.apiSet, items as readonly unknown[]);
          if (refused.length > 0) throw new RefusedError(refused.length);
          await late.remove(id);
        }
        left = { ...left, stored: left.stored.slice(1) };
      }
      if (left.items.length === 0) return undefined;
      const refused = await doStep(left.step, left.apiSet, left.items);
      if (refused.length === 0) return undefined;
      left = { ...left, items: refused };
      throw new RefusedError(refused.length);
    } catch (error) {
      failed(left.apiSet, left.step, error);
      const { failures } = left;
      const pause = Math.min(maxPause, minPause * 2 ** failures);
      return { ...left, failures: failures + 1, notBefore: now + pause };
    }
  }

  const all = [...new Set([...waitingByKey.keys(), ...freshByKey.keys()])].flatMap((key) => {
    const [before, fresh] = [waitingByKey.get(key), freshByKey.get(key)];
    if (before !== undefined) return joined(before, fresh ?? { items: [] });
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
  const limit = most ?? (size > maxStateLength ? spilledState : size);
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
