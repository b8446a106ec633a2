import { expect, test, vi } from "vitest";
import { seededRandom } from "../../../stand-in/seeded-random.ts";
import { simulatedDay, type Weather } from "./simulated-day.ts";
import { type VirtualTime, virtualTime } from "./virtual-time.ts";

/** The clock of the day under way; what waits by Node's own timers waits by it. */
const clock = vi.hoisted(() => ({ sleep: (_: number): Promise<void> => Promise.resolve() }));
vi.mock("node:timers/promises", () => ({
  setTimeout: (milliseconds: number) => clock.sleep(milliseconds),
  setImmediate: () => clock.sleep(0),
}));

function dayOf(seed: number, weather: Weather) {
  const time: VirtualTime = virtualTime(Date.UTC(2026, 5, 1, 12));
  clock.sleep = time.sleep;
  vi.spyOn(AbortSignal, "timeout").mockImplementation(time.timeout);
  vi.spyOn(Math, "random").mockImplementation(seededRandom(seed, "jitter").fraction);
  return simulatedDay(seed, weather, time);
}

/**
 * More days, and others, for whoever changes delivery: SIMULATED_DAYS=2000 FIRST_DAY=1000 npx vitest run test/core/simulation.
 * One day in a thousand or two shows what docs/delivery.md allows: a failure beside another message's outcome.
 */
const { SIMULATED_DAYS: days = "40", FIRST_DAY: firstDay = "1" } = process.env;
const millisecondsOfDay = 2000;

async function daysOf(weather: Weather, count: number) {
  const simulated = [];
  for (let seed = Number(firstDay); seed < Number(firstDay) + count; seed++) {
    simulated.push({ seed, ...(await dayOf(seed, weather)) });
  }
  return simulated;
}
const violationsOf = (simulated: Awaited<ReturnType<typeof daysOf>>) =>
  simulated.flatMap(({ seed, violations }) => violations.map((violation) => `day ${seed}, ${violation}`));

test(
  "whatever fails, each card ends as it was last sent: delivered, refused or withdrawn, and nothing older after it",
  async () => {
    const stormy = await daysOf("storm", Number(days));
    expect(violationsOf(stormy)).toEqual([]);
    expect(stormy.some(({ kills, repeats }) => kills > 10 && repeats > 10)).toBe(true);
  },
  Number(days) * millisecondsOfDay,
);

test("where nothing fails, each content is posted once", async () => {
  const calm = await daysOf("calm", 10);
  expect(violationsOf(calm)).toEqual([]);
  expect(calm.filter(({ kills, repeats }) => kills + repeats > 0)).toEqual([]);
});
