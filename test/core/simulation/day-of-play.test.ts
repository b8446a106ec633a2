import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { chunks } from "../../../core/formats/chunks.ts";
import { beginningOfDay, dayOf, instantOf } from "../../../core/formats/union-time.ts";
import { added, type Counts } from "../../../core/views/activity-counts.ts";
import { hour, minute } from "../../durations.ts";
import { cardAbroad } from "../golf/sample-cards.ts";
import { noFaults } from "./faults.ts";
import { type CardHistory, history } from "./history.ts";
import { inVirtualTime } from "./simulated-days.ts";
import { simulatedPipeline } from "./simulated-pipeline.ts";

const timeZone = "Europe/Copenhagen";
const vendors = ["green", "red"] as ApiSet[];
const daysEarlier = [0, 0, 0, 1, 3];
/** Cards of a vendor that are accepted while the exchange is down, and before. */
const [during, before] = [200, 30];

interface PlayedCard {
  readonly apiSet: ApiSet;
  readonly externalId: string;
  readonly day: string;
}

/** An evening on which the exchange is down from 20:00 to 23:50, the clocks of the union say. */
function evening(date: string, seed: number, down: "noConnection" | "retryAfter") {
  const at = (clock: string) => instantOf(Date.parse(`${date}T${clock}Z`), timeZone);
  return inVirtualTime(at("19:00"), seed, (time) => {
    const random = seededRandom(seed, "day of play");
    const faults = noFaults();
    const told = history(time);
    const giveUpMilliseconds = 48 * hour;
    const pipeline = simulatedPipeline(time, random, told, {
      faults,
      giveUpMilliseconds,
      wakesWaiting: false,
    });
    const played: PlayedCard[] = [];
    const until = (clock: string) => time.sleep(at(clock) - time.now());

    async function submitBetween(apiSet: ApiSet, count: number, from: string, to: string) {
      const cards = Array.from({ length: count }, (_, number) => {
        const day = dayOf(at("12:00") - random.oneOf(daysEarlier) * 24 * hour, timeZone);
        return { apiSet, externalId: `${apiSet} ${from} ${number}`, day };
      });
      played.push(...cards);
      const groups = chunks(cards, 10).map(async (group) => {
        await time.sleep(random.whole(at(from), at(to)) - time.now());
        const answers = await pipeline.submit(apiSet, group.map(bodyOf));
        expect(answers).toHaveLength(group.length);
      });
      await Promise.all(groups);
    }

    async function play() {
      await Promise.all(vendors.map((apiSet) => submitBetween(apiSet, before, "19:00:30", "19:50")));
      await until("20:00");
      faults.exchange.down = down;
      await Promise.all(vendors.map((apiSet) => submitBetween(apiSet, during, "20:00:30", "23:49")));
      await until("23:50");
      expect(pipeline.isPaused()).toBe(true);
      faults.exchange.down = "no";
      while (!pipeline.isIdle()) await time.sleep(minute);
      const counts = await Promise.all(
        vendors.map((apiSet) => pipeline.activity.hours(apiSet, at("19:00"), time.now() + 1)),
      );
      expect(told.mistakes).toEqual([]);
      return { played, counts, told, upAt: at("23:50") };
    }
    return time.passUntil(play());
  });
}

function bodyOf({ externalId, day }: PlayedCard) {
  const sample = cardAbroad();
  const StartTime = `${day.replaceAll("-", "")}T120000`;
  const Round = { ...sample.Round, StartTime };
  return { ...sample, Round, Player: { UnionID: "1016-1" }, ExternalID: externalId, Comment: externalId };
}

const takenAt = ({ externalId, taken }: CardHistory): number => {
  expect(taken, externalId).toHaveLength(1);
  return taken[0]?.at ?? Number.NaN;
};

test.each([
  ["2026-07-04", 2, "retryAfter"],
  ["2026-03-28", 3, "noConnection"],
  ["2026-10-25", 4, "noConnection"],
] as const)(
  "after an outage from 20:00 to 23:50 on %s the cards of the day go before older ones, and are counted exactly (seed %i, %s)",
  async (date, seed, down) => {
    const { played, counts, told, upAt } = await evening(date, seed, down);
    const midnight = beginningOfDay(dayOf(upAt + hour, timeZone), timeZone);
    const delivered = played.map((card) => ({ ...card, at: takenAt(told.of(card.externalId)) }));
    expect(delivered).toHaveLength(vendors.length * (before + during));
    for (const apiSet of vendors) {
      const late = delivered.filter((card) => card.apiSet === apiSet && card.at > upAt);
      expect(late.length).toBeGreaterThanOrEqual(during);
      const ofToday = late.filter(({ day }) => day === date).map(({ at }) => at);
      const older = late.filter(({ day }) => day < date).map(({ at }) => at);
      expect(Math.max(...ofToday)).toBeLessThan(midnight);
      // The first card after the outage is a probe: its run may have no card of the day.
      const [, ...afterProbe] = older.toSorted((one, other) => one - other);
      const first = Math.min(...older) < Math.min(...ofToday) ? afterProbe : older;
      expect(Math.min(...first)).toBeGreaterThan(Math.max(...ofToday));
    }
    for (const [index, hours] of counts.entries()) {
      const own = delivered.filter(({ apiSet }) => apiSet === vendors[index]);
      const onDay = own.filter(({ at, day }) => dayOf(at, timeZone) === day).length;
      const ofDays = (days: "today" | "both") =>
        hours
          .filter(({ hour: of }) => days === "both" || of < midnight)
          .reduce<Counts>((sum, { counts: more }) => added(sum, more), {});
      expect(ofDays("today")).toMatchObject({ onDayOfPlay: onDay });
      expect(ofDays("both")).toMatchObject({
        delivered: own.length,
        onDayOfPlay: onDay,
        late: own.length - onDay,
        waiting: 0,
      });
    }
  },
  60_000,
);
