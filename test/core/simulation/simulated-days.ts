import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { test } from "vitest";
import type { Sabotage } from "./sabotage.ts";
import { type Kind, type SimulatedDay, simulatedDay } from "./simulated-day.ts";
import { sleeping } from "./virtual-sleep.ts";
import { type VirtualTime, virtualTime } from "./virtual-time.ts";

/** With broken code some card never comes to its end, and to wait 12 hours for that would be most of the work. */
const patienceWithFaults = 2 * 3_600_000;
/** How many days are searched for one that shows a planted fault. */
const searchedDays = 100;

/** Simulates something by itself: its clock, and what is random in the code, are its own. @param start milliseconds since 1970 */
export async function inVirtualTime<T>(
  start: number,
  seed: number,
  simulate: (time: VirtualTime) => Promise<T>,
): Promise<T> {
  const time = virtualTime(start);
  sleeping.sleep = time.sleep;
  const { random } = Math;
  Math.random = seededRandom(seed, "jitter").fraction;
  try {
    return await simulate(time);
  } finally {
    Math.random = random;
  }
}

const dayOf = (kind: Kind, seed: number, sabotage?: Sabotage, patience?: number): Promise<SimulatedDay> =>
  inVirtualTime(Date.UTC(2026, 5, 1, 12), seed, (time) => simulatedDay(kind, seed, time, sabotage, patience));

/** What does not hold in a day, each with how to see what happened, or with what happened if TRACE says so. */
const describeViolations = (kind: Kind, seed: number, { violations }: SimulatedDay) =>
  violations.map(({ words, trace }) => {
    const command = `npm run proofs -- --kind ${kind} --seed ${seed} --days 1`;
    if (process.env.TRACE) return [`${command}: ${words}`, ...trace].join("\n");
    return `${words}. Replay it: TRACE=1 ${command}`;
  });

/** Plays a day. @returns what does not hold in it */
export const playDay = async (kind: Kind, seed: number): Promise<string[]> =>
  describeViolations(kind, seed, await dayOf(kind, seed));

/**
 * Tests that nothing is violated in a few days of a kind. `npm run proofs` plays new ones.
 */
export function testDays(kind: Kind, sentence: string, days: readonly number[]): void {
  test(`${sentence} (${kind})`, async ({ expect }) => {
    const found: string[] = [];
    for (const seed of days) found.push(...(await playDay(kind, seed)));
    expect(found).toEqual([]);
  });
}

/** Violations of days that have been played without a fault: several faults share a day. */
const rightDays = new Map<string, string[]>();

/**
 * Tests that the judge finds something if the code is broken, and nothing in the same day if it is not.
 *
 * @param first a day that has shown the fault. What is random goes another way after many a change, so others are tried after it
 */
export function testSabotage(sabotage: Sabotage, kind: Kind, sentence: string, first: number): void {
  const play = (seed: number, broken?: Sabotage) => dayOf(kind, seed, broken, patienceWithFaults);

  test(sentence, async ({ expect }) => {
    const days = new Set([first, ...Array.from({ length: searchedDays }, (_, n) => n + 1)]);
    for (const day of days) {
      if ((await play(day, sabotage)).violations.length === 0) continue;
      if (day !== first) console.warn(`Day ${day} shows ${sabotage}, and day ${first} does not any more.`);
      const name = `${kind} ${day}`;
      const right = rightDays.get(name) ?? describeViolations(kind, day, await play(day));
      rightDays.set(name, right);
      expect(right, "the same day with the right code").toEqual([]);
      return;
    }
    expect.fail(`None of the days ${[...days].join(", ")} shows ${sabotage}.`);
  });
}
