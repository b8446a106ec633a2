import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { test, vi } from "vitest";
import { type Kind, type SimulatedDay, simulatedDay } from "./simulated-day.ts";
import type { Sabotage } from "./simulated-pipeline.ts";
import { sleeping } from "./virtual-sleep.ts";
import { type VirtualTime, virtualTime } from "./virtual-time.ts";

/**
 * More days, and others, for whoever changes delivery:
 * SIMULATED_DAYS=2000 FIRST_DAY=1000 KIND=storm npx vitest run test/core/simulation. Without KIND, that many of each kind.
 */
const { SIMULATED_DAYS, FIRST_DAY = "1", KIND } = process.env;
const millisecondsOfDay = 10_000;

/** Simulates something by itself: its clock, and what is random in the code, are its own. @param start milliseconds since 1970 */
export async function inVirtualTime<T>(
  start: number,
  seed: number,
  simulate: (time: VirtualTime) => Promise<T>,
): Promise<T> {
  const time = virtualTime(start);
  sleeping.sleep = time.sleep;
  const jitter = vi.spyOn(Math, "random").mockImplementation(seededRandom(seed, "jitter").fraction);
  try {
    return await simulate(time);
  } finally {
    jitter.mockRestore();
  }
}

const dayOf = (kind: Kind, seed: number, sabotage?: Sabotage): Promise<SimulatedDay> =>
  inVirtualTime(Date.UTC(2026, 5, 1, 12), seed, (time) => simulatedDay(kind, seed, time, sabotage));

/** What does not hold in a day, each with how to see what happened, or with what happened if TRACE says so. */
const violationsOf = (kind: Kind, seed: number, { violations }: SimulatedDay) =>
  violations.map(({ words, trace }) => {
    const what = `KIND=${kind} FIRST_DAY=${seed} SIMULATED_DAYS=1: ${words}`;
    return process.env.TRACE ? [what, ...trace].join("\n") : `${what} (TRACE=1 shows its life)`;
  });

/** Tests that nothing is violated in so many days of a kind. */
export function testDays(kind: Kind, sentence: string, usualDays: number): void {
  const days = SIMULATED_DAYS === undefined ? usualDays : Number(SIMULATED_DAYS);
  const isWanted = KIND === undefined || KIND === kind;
  test.runIf(isWanted)(
    `${sentence} (${kind})`,
    async ({ expect }) => {
      const found: string[] = [];
      for (let seed = Number(FIRST_DAY); seed < Number(FIRST_DAY) + days; seed++) {
        found.push(...violationsOf(kind, seed, await dayOf(kind, seed)));
      }
      expect(found).toEqual([]);
    },
    days * millisecondsOfDay,
  );
}

/** Tests that the judge finds something in one of so many days of a kind if the code is broken. */
export function testSabotage(sabotage: Sabotage, kind: Kind, sentence: string, mostDays: number): void {
  test.skipIf(SIMULATED_DAYS !== undefined)(
    sentence,
    async ({ expect }) => {
      for (let seed = 1; seed <= mostDays; seed++) {
        if ((await dayOf(kind, seed, sabotage)).violations.length === 0) continue;
        expect(violationsOf(kind, seed, await dayOf(kind, seed)), "the same day with the right code").toEqual(
          [],
        );
        return;
      }
      expect.fail(`No violation was found in ${mostDays} days.`);
    },
    mostDays * millisecondsOfDay,
  );
}
