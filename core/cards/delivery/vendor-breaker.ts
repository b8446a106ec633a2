import type { ApiSet } from "../../accounts/account.ts";
import {
  type Breaker,
  type BreakerTimes,
  claimedFor,
  delayingToday,
  openedBy,
  outageSince,
} from "./breaker.ts";
import type { Outage } from "./classify-response.ts";
import type { ScorecardTable } from "./scorecard-table.ts";
import { type PostTiming, suspectNote } from "./timing.ts";

/** The table and the clock that a breaker is changed with. */
interface BreakerDependencies {
  readonly table: Pick<ScorecardTable, "readWithBreaker" | "writeBreaker">;
  readonly timing: PostTiming;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Vendors whose breaker was open when it was last read, and known to delay cards of the day. */
  readonly paused: Set<ApiSet>;
}

/**
 * A vendor's circuit breaker as a run sees it, and changes it: each change is a compare-and-set.
 *
 * @param read as it was read first
 */
export function createVendorBreaker(
  apiSet: ApiSet,
  read: Breaker,
  { table, timing, now, paused }: BreakerDependencies,
) {
  let breaker = read;
  /** The breaker as this run found or wrote it last; another run has changed it if it has a later version. */
  let knownVersion = read.version;
  const take = (latest: Breaker) => {
    breaker = latest;
    if (breaker.open?.delaysToday) paused.add(apiSet);
    else paused.delete(apiSet);
  };
  take(read);

  /** Changes the breaker. @returns false if another run has changed it since */
  async function write(open: Breaker["open"], times?: BreakerTimes): Promise<boolean> {
    const written = await table.writeBreaker(apiSet, breaker, open, times);
    take(written ?? (await table.readWithBreaker(apiSet, [])).breaker);
    if (written !== undefined) knownVersion = written.version;
    return written !== undefined;
  }
  /** Whether another run has opened the breaker meanwhile, or is probing. */
  const isPaused = () => breaker.open !== undefined && breaker.version !== knownVersion;

  return {
    current: () => breaker,
    isPaused,
    /** Takes notice of a later reading. */
    notice: take,
    /**
     * Claims the probe for a card.
     *
     * @param delaysToday whether cards of the day wait meanwhile
     * @returns false if another run was first
     */
    async claim(externalId: string, delaysToday: boolean): Promise<boolean> {
      const { open } = breaker;
      if (open === undefined || isPaused()) return true;
      return write(delayingToday(claimedFor(open, externalId, now(), timing), delaysToday));
    },
    /** Opens the breaker, or plans the next probe. */
    open: (outage: Outage, delaysToday: boolean) =>
      write(delayingToday(openedBy(outage, breaker, now()), delaysToday || breaker.open?.delaysToday)),
    /** Notes that the outage delays cards of the day, unless a run is probing: that one changes the breaker next. */
    async noteDelayOfToday(): Promise<void> {
      const { open } = breaker;
      if (open === undefined || open.delaysToday || open.probing !== undefined) return;
      // Without the note cards of earlier days may go first. That must not fail the run, whose messages would become dead letters.
      await write(delayingToday(open, true)).catch(() => false);
    },
    /** Closes the breaker after a post went through. */
    async close(): Promise<void> {
      if (breaker.open === undefined) return;
      const { since: openedAt, allBackAt, delaysToday } = breaker.open;
      await write(undefined, {
        openedAt,
        closedAt: now(),
        allBackAt,
        delaysToday,
        outageSince: outageSince(breaker.open, breaker),
      });
    },
    /** Gives a probe back that was claimed and not posted, so that another run may probe. */
    async release(): Promise<void> {
      const { open } = breaker;
      if (open?.probing !== undefined && !isPaused()) {
        await write({ ...open, probing: undefined, nextProbeAt: now() });
      }
    },
    /** Notes from time to time that a suspect was posted, so that nobody takes it for lost. */
    async noteSuspect(): Promise<void> {
      if (now() - (breaker.suspectTriedAt ?? 0) > suspectNote) {
        await write(breaker.open, { suspectTriedAt: now() });
      }
    },
  };
}

/** @see createVendorBreaker */
export type VendorBreaker = ReturnType<typeof createVendorBreaker>;
