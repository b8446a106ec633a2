import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import { hourOf, instantOf, wallClockAt } from "../formats/union-time.ts";
import type { Counts } from "./activity-counts.ts";
import type { ActivityReader } from "./activity-table.ts";

const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;

/** Weeks in each of which a vendor must have sent cards at this time: a series of tournaments, or a new vendor, has not. */
const comparedWeeks = 4;
/** Hours that are looked back. A silence that lasts for a week is usual. */
const hoursBack = 24;
/** Cards of its weakest week from which on a vendor's silence is no accident. */
const minUsual = 10;
/** The same if no other vendor shows whether it rains. */
const minUsualAlone = 30;
/** Cards that the other vendors must usually send, to be compared with. */
const minOfOthers = 20;
/** If the others send less than this share of their usual cards, weather, a holiday or the end of the season may be the reason. */
const minShareOfOthers = 0.5;
/** A vendor that sends once a day sends an hour earlier or later, too. */
const toleratedHours = 1;
/** The counts of an hour are complete after this time. */
const countingTime = 15 * minute;

/** How many cards a vendor has sent in the last hours, and in the same hours of the weeks before. */
export interface VendorHours {
  readonly apiSet: ApiSet;
  /** Cards by hour, the oldest first. */
  readonly now: readonly number[];
  /** The same for each week before, the latest first. */
  readonly before: readonly (readonly number[])[];
}

/** A vendor that always sends cards at this time of the week, and does not. */
export interface Silence {
  readonly apiSet: ApiSet;
  /** For how many whole hours it has sent nothing. */
  readonly hours: number;
  /** The cards that it would usually have sent at least. */
  readonly usual: number;
  /** The cards of the other vendors in these hours, as a share of what they usually send at least; absent if that is too few to tell. */
  readonly shareOfOthers?: number;
  /** Whether it is the vendor, or the way to us; otherwise weather, a holiday or the season's end may be the reason. */
  readonly isUnexplained: boolean;
}

const sum = (cards: readonly number[]) => cards.reduce((total, one) => total + one, 0);

/** The cards that a vendor usually sends at least in some of the hours: fewer from week to week if the season ends. */
function usualIn({ before }: VendorHours, from: number, to: number): number {
  const weeks = before.map((cards) => sum(cards.slice(from, to)));
  const [last = 0, secondLast = 0] = weeks;
  const trend = last < secondLast ? (last * last) / secondLast : last;
  return Math.floor(Math.min(trend, ...weeks));
}

/** The vendors that always send cards at this time of the week, and do not. */
export function findSilences(vendors: readonly VendorHours[]): Silence[] {
  return vendors.flatMap((vendor): Silence[] => {
    const { apiSet, now } = vendor;
    const begin = now.findLastIndex((cards) => cards > 0) + 1;
    const end = now.length - toleratedHours;
    const earlier = Math.max(0, begin - toleratedHours);
    // What came earlier than usual is not missing later.
    const ahead = Math.max(0, sum(now.slice(earlier, begin)) - usualIn(vendor, earlier, begin));
    const usual = usualIn(vendor, begin, end) - ahead;
    if (usual < minUsual) return [];
    const others = vendors.filter((other) => other !== vendor);
    const ofOthers = sum(others.map((other) => usualIn(other, begin, end)));
    const share = sum(others.map((other) => sum(other.now.slice(begin, end)))) / ofOthers;
    const silence = { apiSet, hours: now.length - begin, usual };
    if (ofOthers < minOfOthers) return [{ ...silence, isUnexplained: usual >= minUsualAlone }];
    // Rain leaves some cards. If there are none at all, nobody reaches us.
    return [{ ...silence, shareOfOthers: share, isUnexplained: share >= minShareOfOthers || share === 0 }];
  });
}

/** A vendor that has sent as many cards in a day as in ten of its usual ones. */
interface Flood {
  readonly apiSet: ApiSet;
  readonly cards: number;
  /** Of the same day in the weeks before, on average. */
  readonly usual: number;
}

/** Times the usual cards of a day, and the fewest that can cost or spoil anything. */
const floodFactor = 10;
const minFlood = 5_000;

/** The vendors that send ten times what they usually send in a day: a loop, or somebody else with their password. */
export function findFloods(vendors: readonly VendorHours[]): Flood[] {
  return vendors.flatMap(({ apiSet, now, before }) => {
    const cards = sum(now);
    const usual = sum(before.map(sum)) / Math.max(1, before.length);
    return cards >= minFlood && cards >= floodFactor * usual ? [{ apiSet, cards, usual }] : [];
  });
}

const sentIn = ({ accepted = 0, corrected = 0, resent = 0 }: Counts) => accepted + corrected + resent;

/**
 * Reads which vendors are silent, from the counts of the hours, and which send far more than usual. Refused cards count, too.
 *
 * @param now milliseconds since 1970, UTC
 * @param timeZone IANA name of the union's time zone, by whose clocks people play
 */
export async function readUnusual(
  activity: Pick<ActivityReader, "hours" | "refusals">,
  apiSets: Iterable<ApiSet>,
  now: number,
  timeZone: string,
): Promise<{ readonly silences: Silence[]; readonly floods: Flood[] }> {
  const end = hourOf(now - countingTime, timeZone);
  const hours = Array.from({ length: hoursBack }, (_, place) => end - (hoursBack - place) * hour);
  async function countCards(apiSet: ApiSet, weeks: number): Promise<number[]> {
    const shifted = hours.map((at) => instantOf(wallClockAt(at, timeZone) - weeks * week, timeZone));
    const [first = 0, last = 0] = [shifted[0], shifted.at(-1)];
    const [counted, refused] = await Promise.all([
      activity.hours(apiSet, first, last + hour),
      activity.refusals(apiSet, first, last + hour),
    ]);
    const sent = [...refused, ...counted.map(({ counts, ...one }) => ({ ...one, cards: sentIn(counts) }))];
    return shifted.map((at) => sum(sent.flatMap((one) => (one.hour === at ? one.cards : []))));
  }
  const vendors = await pMap(
    new Set(apiSets),
    async (apiSet): Promise<VendorHours> => {
      const weeks = Array.from({ length: comparedWeeks + 1 }, (_, back) => countCards(apiSet, back));
      const [latest = [], ...before] = await Promise.all(weeks);
      return { apiSet, now: latest, before };
    },
    { concurrency: 8 },
  );
  return { silences: findSilences(vendors), floods: findFloods(vendors) };
}
