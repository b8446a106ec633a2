import type { ApiSet } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { pausedBy } from "../cards/status.ts";
import { beginningOfDay, dayOf } from "../formats/union-time.ts";
import type { ActivityReader } from "../views/activity-table.ts";
import { maxWait, waitingCards } from "../views/waiting-cards.ts";
import { createEvent } from "./event.ts";
import { type Telling, tellVendor } from "./tell-vendor.ts";

/** The tables that tell what waits, the queue and the feed of events, and the union's time zone. */
export interface UnsentNoticeDependencies extends Telling {
  readonly activity: Pick<ActivityReader, "hours">;
  readonly table: Pick<ScorecardTable, "readWithBreaker">;
  /** IANA name. */
  readonly timeZone: string;
}

/**
 * Tells a vendor's endpoints, and its feed, how many of its cards wait shortly before midnight, since a round that arrives later is not in the
 * Playing Conditions Calculation of its day. Nothing is told if no card waits.
 *
 * @returns the number of cards that wait
 */
export async function sendUnsentNotice(
  apiSet: ApiSet,
  now: number,
  { activity, table, timeZone, ...telling }: UnsentNoticeDependencies,
): Promise<number> {
  const hours = await activity.hours(apiSet, now - maxWait, now + 1);
  const waiting = waitingCards(hours);
  if (waiting.cards === 0) return 0;
  const day = dayOf(now, timeZone);
  const { breaker } = await table.readWithBreaker(apiSet, []);
  const acceptedToday = waitingCards(hours.filter(({ hour }) => hour >= beginningOfDay(day, timeZone))).cards;
  const data = {
    unsent: { day, ...waiting, acceptedToday },
    ...(breaker.open && { paused: pausedBy(breaker.open) }),
  };
  // One a day.
  const event = createEvent(apiSet, "scorecards.unsent", now, data, day);
  const entries = [{ sequenceNumber: day.replaceAll("-", ""), event }];
  await tellVendor(telling, apiSet, "unsent", entries, now);
  return waiting.cards;
}
