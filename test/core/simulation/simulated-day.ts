import type { ApiSet } from "../../../core/account/api-set.ts";
import { type SeededRandom, seededRandom } from "../../../stand-in/seeded-random.ts";
import { judge } from "./judge.ts";
import { type Faults, simulatedPipeline } from "./simulated-pipeline.ts";
import { simulatedVendor, vendorDay } from "./vendor-day.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** What a simulated day came to. */
export interface SimulatedDay {
  readonly cards: number;
  readonly kills: number;
  /** How often the exchange took a card in a content in which it had it. */
  readonly repeats: number;
  /** What must hold and did not; empty where all was well. */
  readonly violations: readonly string[];
}

/** Whether everything goes wrong, or nothing. */
export type Weather = "calm" | "storm";

/** Longer than what waits for its next attempt at the end of the faults can wait. */
const patienceMilliseconds = 30 * 60_000;
const twoDays = 2 * 86_400_000;

const calm = (): Faults => ({
  engines: { kill: 0, refuse: 0, loseAnswer: 0, leaveOut: 0, slow: 0, twice: 0 },
  exchange: { fail: 0, throttle: 0, cut: 0, forget: 0, die: 0, outage: false },
  environments: { withoutCredentials: 0, givenUp: 0 },
});

/** Of each trouble as much as chance brings, of some none: what is rare beside much else would else not be seen alone. */
function storm(random: SeededRandom): Faults {
  const upTo = (most: number) => (random.chance(0.4) ? 0 : random.fraction() * most);
  return {
    engines: {
      kill: upTo(0.05),
      refuse: upTo(0.1),
      loseAnswer: upTo(0.1),
      leaveOut: upTo(0.2),
      slow: upTo(0.1),
      twice: upTo(0.1),
    },
    exchange: {
      fail: upTo(0.3),
      throttle: upTo(0.1),
      cut: upTo(0.2),
      forget: upTo(0.05),
      die: upTo(0.1),
      outage: false,
    },
    environments: { withoutCredentials: upTo(0.1), givenUp: 0.1 },
  };
}

function heal(faults: Faults): void {
  const { engines, exchange, environments } = calm();
  Object.assign(faults.engines, engines);
  Object.assign(faults.exchange, exchange);
  Object.assign(faults.environments, environments);
}

/**
 * A day of up to three vendors, and what became of their cards once the weather has cleared up.
 *
 * @param seed of all that chance decides: the same day again
 */
export async function simulatedDay(seed: number, weather: Weather, time: VirtualTime): Promise<SimulatedDay> {
  const random = seededRandom(seed, weather);
  const faults = weather === "calm" ? calm() : storm(random);
  const refusal = (externalId: string) => (externalId.endsWith("card 5") ? 422 : undefined);
  const giveUpMilliseconds = weather === "storm" && random.chance(0.1) ? 60_000 : twoDays;
  const pipeline = simulatedPipeline(time, random, { faults, giveUpMilliseconds, refusal });
  const vendors = Array.from({ length: random.whole(1, 3) }, (_, index) => `vendor-${index}` as ApiSet);

  async function outage(): Promise<void> {
    await time.sleep(random.whole(0, 60_000));
    faults.exchange.outage = weather === "storm" && random.chance(0.5);
    await time.sleep(random.whole(1000, 60_000));
    faults.exchange.outage = false;
  }
  async function settled(): Promise<void> {
    const until = time.now() + patienceMilliseconds;
    while (!pipeline.isIdle() && time.now() < until) await time.sleep(1000);
  }

  async function day(): Promise<SimulatedDay> {
    const [days] = await Promise.all([
      Promise.all(vendors.map((apiSet) => vendorDay(pipeline, time, random, apiSet))),
      outage(),
    ]);
    heal(faults);
    await settled();
    const states = new Map<string, string>();
    for (const [index, cards] of days.entries()) {
      const apiSet = vendors[index] as ApiSet;
      const ask = async () => {
        const ids = cards.map(({ externalId }) => externalId);
        for (const { externalId, state } of await pipeline.statusesOf(apiSet, ids))
          states.set(externalId, state);
      };
      await ask();
      const givenUp = cards.filter(({ externalId }) => states.get(externalId) === "undelivered");
      if (givenUp.length === 0) continue;
      await simulatedVendor(pipeline, time, random, apiSet).repeat(givenUp);
      await settled();
      await ask();
    }
    const sent = days.flat();
    const contents = new Set(pipeline.taken.map(({ externalId, revision }) => `${externalId} ${revision}`));
    const left = pipeline.isIdle() ? [] : ["messages are left"];
    return {
      cards: sent.length,
      kills: pipeline.kills(),
      repeats: pipeline.taken.length - contents.size,
      violations: [...left, ...judge(sent, states, pipeline, refusal)],
    };
  }
  return time.passUntil(day());
}
