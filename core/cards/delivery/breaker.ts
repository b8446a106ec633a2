import type { ApiSet } from "../../accounts/account.ts";
import type { DeliveryFailure } from "../life/card.ts";
import { maxMessageDelay, type PostTiming, probe, returnAfterLongWait } from "./timing.ts";

/** Why nothing can be delivered for the vendor now. */
export interface Outage {
  readonly failure: DeliveryFailure;
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * A vendor's circuit breaker: one item that all runs share. While it is open, only probes are posted for the vendor, one card at
 * a time.
 */
export interface Breaker {
  /** Counts the changes; each is a compare-and-set by this. */
  readonly version: number;
  /** Undefined while it is closed. */
  readonly open?: OpenBreaker | undefined;
  /** When it opened before it closed last. */
  readonly openedAt?: number | undefined;
  /** When it closed last, because a post went through. */
  readonly closedAt?: number | undefined;
  /** As that of the open breaker that closed then. */
  readonly allBackAt?: number | undefined;
  /** As that of the open breaker that closed then. */
  readonly delaysToday?: boolean | undefined;
}

/** What a breaker keeps though it is closed. */
export type BreakerTimes = Omit<Breaker, "version" | "open">;

/** A version of a card that failed, and is not posted before this time. A later version is. */
export interface RestingCard {
  readonly externalId: string;
  readonly version: number;
  readonly until: number;
}

/** Since when and why nothing can be delivered for a vendor. */
export interface OpenBreaker {
  readonly since: number;
  readonly failure: DeliveryFailure;
  /** When the next probe may be claimed. */
  readonly nextProbeAt: number;
  /**
   * Set if the next probe is waited for longer than a message can be delayed: when all cards that wait for it have come back,
   * unless their wake-ups are lost.
   */
  readonly allBackAt?: number | undefined;
  /** A card whose round was played on the day waits for the end of the outage. */
  readonly delaysToday?: boolean | undefined;
  /** The cards that failed last since it opened, the latest first. As long as there is one only, it may be at fault itself. */
  readonly failed?: readonly RestingCard[] | undefined;
  /** ExternalID of the card that a probe is posting; if its run dies, another one claims the next probe at `nextProbeAt`. */
  readonly probing?: string | undefined;
}

/** How long a run must wait until it may post for the vendor, or claim the next probe, in milliseconds; 0 if not at all. */
export function waitFor({ open }: Breaker, now: number): number {
  if (open === undefined) return 0;
  const wait = Math.max(0, open.nextProbeAt - now);
  return open.probing === undefined ? wait : Math.min(wait, probe.shortest);
}

type BoundedShare = Pick<typeof probe, "share" | "shortest" | "longest">;

/** A share of the length of an outage, within bounds. Milliseconds. */
const shareOf = (outage: number, { share, shortest, longest }: BoundedShare): number =>
  Math.max(shortest, Math.min(longest, outage * share));

/** Limit of the item's size: so many failed cards are remembered. A vendor with more has each posted seldom anyway. */
const maxFailed = 8;

/** Those of several lists of cards, the first of each card. */
const firstOfEach = (...lists: readonly (readonly RestingCard[])[]): readonly RestingCard[] =>
  [...Map.groupBy(lists.flat(), ({ externalId }) => externalId).values()]
    .flatMap(([first]) => first ?? [])
    .slice(0, maxFailed);

/**
 * The breaker after an outage: it opens, or stays open until the next probe. An outage needs two cards: until another one has failed,
 * it may be the card's own fault, so that one is posted soon, whatever the exchange asks for.
 *
 * @param cards that failed alone now
 */
export function openedBy(
  { failure, retryAfterSeconds = 0 }: Outage,
  before: Breaker,
  now: number,
  cards: readonly RestingCard[] = [],
): OpenBreaker {
  const since = before.open?.since ?? now;
  const failed = firstOfEach(cards, before.open?.failed ?? []);
  const isOneCard = failed.length === 1 && failure.phase !== "before";
  const wait = isOneCard
    ? probe.shortest
    : Math.max(shareOf(now - since, probe), Math.min(probe.maxRetryAfter, retryAfterSeconds * 1000));
  const nextProbeAt = now + wait;
  const backAt = Math.max(nextProbeAt, ...failed.map(({ until }) => until));
  const isLong = backAt - now > maxMessageDelay;
  return {
    since,
    failure,
    nextProbeAt,
    ...(failed.length > 0 && { failed }),
    ...(isLong && { allBackAt: backAt + returnAfterLongWait }),
  };
}

/** The open breaker once it is known whether a card of the day waits: that holds until it closes. */
const delayingToday = (open: OpenBreaker, delaysToday: boolean | undefined): OpenBreaker =>
  delaysToday ? { ...open, delaysToday } : open;

/** Until when the latest outage holds up cards: those of earlier days wait twice for its end. 0 if there was none. */
export function outageEnd({ open, openedAt, closedAt, allBackAt = 0 }: Breaker): number {
  if (open !== undefined) return Number.POSITIVE_INFINITY;
  if (openedAt === undefined || closedAt === undefined) return 0;
  return Math.max(allBackAt, closedAt + 2 * shareOf(closedAt - openedAt, probe.returned));
}

/**
 * Until when, after an outage that has delayed cards of the day, those of earlier days are held back. By then each card that waited
 * for the end of the outage has come back once, so the cards of the day have gone first.
 */
export function dayFirstUntil({ open, openedAt, closedAt, delaysToday }: Breaker): number {
  if (open !== undefined || !delaysToday || openedAt === undefined || closedAt === undefined) return 0;
  return closedAt + shareOf(closedAt - openedAt, probe.returned);
}

/** The part of the table of cards that has the breakers. */
export interface BreakerTable {
  /** The vendor's breaker, beside some of its cards. */
  tryRead(apiSet: ApiSet, externalIds: readonly string[]): Promise<{ readonly breaker: Breaker }>;
  /**
   * @param times those that change
   * @returns the breaker as written; undefined if another run has changed it since it was read
   */
  writeBreaker(
    apiSet: ApiSet,
    read: Breaker,
    open: OpenBreaker | undefined,
    times?: BreakerTimes,
  ): Promise<Breaker | undefined>;
}

/** The table and the clock that a breaker is changed with. */
interface BreakerDependencies {
  readonly table: BreakerTable;
  readonly timing: PostTiming;
  readonly now: () => number;
  /** Vendors whose breaker was open when it was last read, and known to delay cards of the day. */
  readonly paused: Set<ApiSet>;
}

/** The breaker as a run found or wrote it last. */
function followBreaker(apiSet: ApiSet, read: Breaker, { table, paused }: BreakerDependencies) {
  let breaker = read;
  /** Another run has changed the breaker if it has a later version than this run found or wrote. */
  let knownVersion = read.version;
  const notice = (latest: Breaker) => {
    breaker = latest;
    if (breaker.open?.delaysToday) paused.add(apiSet);
    else paused.delete(apiSet);
  };
  notice(read);
  return {
    current: () => breaker,
    /** Takes notice of a later reading. */
    notice,
    /** Whether another run has opened the breaker meanwhile, or is probing. */
    isPaused: () => breaker.open !== undefined && breaker.version !== knownVersion,
    /** Changes the breaker. @returns false if another run has changed it since */
    async write(open: Breaker["open"], times?: BreakerTimes): Promise<boolean> {
      const written = await table.writeBreaker(apiSet, breaker, open, times);
      notice(written ?? (await table.tryRead(apiSet, [])).breaker);
      if (written !== undefined) knownVersion = written.version;
      return written !== undefined;
    },
  };
}

/**
 * A vendor's circuit breaker as a run sees it, and changes it: each change is a compare-and-set.
 *
 * @param read as it was read first
 */
export function createVendorBreaker(apiSet: ApiSet, read: Breaker, dependencies: BreakerDependencies) {
  const { timing, now } = dependencies;
  const { current, notice, isPaused, write } = followBreaker(apiSet, read, dependencies);
  /** The cards that failed alone in this run, the latest first. */
  let resting: readonly RestingCard[] = [];
  return {
    ...{ current, isPaused, notice },
    /** Keeps a card that failed alone from being posted again before its wait is over. */
    rest(card: RestingCard): void {
      resting = firstOfEach([card], resting);
    },
    /** Until when a card is not posted as a probe; 0 if it may be. */
    restsUntil({ externalId, version }: Pick<RestingCard, "externalId" | "version">): number {
      const failed = [...resting, ...(current().open?.failed ?? [])];
      const card = failed.find((one) => one.externalId === externalId);
      return card?.version === version ? card.until : 0;
    },
    /**
     * Claims the probe for a card.
     *
     * @param delaysToday whether cards of the day wait meanwhile
     * @returns false if another run was first
     */
    async claim(externalId: string, delaysToday: boolean): Promise<boolean> {
      const { open } = current();
      if (open === undefined || isPaused()) return true;
      const claimed = { ...open, probing: externalId, nextProbeAt: now() + timing.readToPostEnd };
      return write(delayingToday(claimed, delaysToday));
    },
    /** Opens the breaker, or plans the next probe. */
    open(outage: Outage, delaysToday: boolean): Promise<boolean> {
      const open = openedBy(outage, current(), now(), resting);
      return write(delayingToday(open, delaysToday || current().open?.delaysToday));
    },
    /** Notes that the outage delays cards of the day, unless a run is probing: that one changes the breaker next. */
    async noteDelayOfToday(): Promise<void> {
      const { open } = current();
      if (open === undefined || open.delaysToday || open.probing !== undefined) return;
      // Without the note cards of earlier days may go first. That must not fail the run, whose messages would become dead letters.
      await write(delayingToday(open, true)).catch(() => false);
    },
    /** Closes the breaker after a card went through. */
    async close(): Promise<void> {
      const { open } = current();
      if (open === undefined) return;
      const { since: openedAt, allBackAt, delaysToday } = open;
      await write(undefined, { openedAt, closedAt: now(), allBackAt, delaysToday });
    },
    /** Gives a probe back that was claimed and not posted, so that another run may probe. */
    async release(): Promise<void> {
      const { open } = current();
      if (open?.probing !== undefined && !isPaused()) {
        await write({ ...open, probing: undefined, nextProbeAt: now() });
      }
    },
  };
}

/** @see createVendorBreaker */
export type VendorBreaker = ReturnType<typeof createVendorBreaker>;
