import pMap from "p-map";
import type { LoggedFault } from "../../api/activity.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { RefusalReader } from "./refusal-table.ts";

/** Cards of one vendor that were refused for the same reason. */
export interface RefusalGroup {
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
const vendorsAtOnce = 4;

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
export async function readRefusalGroups(
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
