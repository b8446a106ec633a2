import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { type Faults, noFaults } from "../faults.ts";

/** A place at which the simulation could have gone another way. */
export interface Choice {
  readonly label: string;
  readonly options: number;
  /** 1 for a fault or a delay of its own, 0 for the way in which a fault just taken shows. */
  readonly cost: 0 | 1;
  /** Milliseconds since the story began. */
  readonly at: number;
}

const engineFaults = [
  "kill",
  "refuse",
  "loseAnswer",
  "finishLate",
  "refusePart",
  "slow",
  "stall",
  "duplicate",
];
const exchangeFaults = [
  ...["serverError", "unavailable", "badGateway", "limit", "refuseConnection", "cut", "finishLate", "forget"],
  ...["leaveOut", "slow", "kill", "sendLate", "unknown", "lie"],
];

/** Each fault has a probability of its own, by which the oracle knows what is asked. */
const labels = new Map<number, string>();
const label = (group: string, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const share = (labels.size + 1) * 1e-9;
      labels.set(share, `${group}.${name}`);
      return [name, share];
    }),
  );
const labelled = {
  engines: label("engine", [...engineFaults, "delay"]),
  exchange: label("exchange", exchangeFaults),
  environments: label("environment", ["withoutCredentials", "givenUp"]),
};

/** Faults each of which may happen at each place, if the oracle says so. */
export function possibleFaults(): Faults {
  const none = noFaults();
  return {
    engines: { ...none.engines, ...labelled.engines },
    exchange: { ...none.exchange, ...labelled.exchange },
    environments: { ...none.environments, ...labelled.environments },
  };
}

/** Values of ranges that only make the usual differ a little. */
const fixed: Readonly<Record<string, number>> = {
  ...{
    "1,30": 10,
    "200,2500": 2500,
    "0,400": 0,
    "20,400": 300,
    "20,9999": 9999,
    "0,30000": 30_000,
    "1,12": 6,
  },
  ...{ "20,200": 60, "1,50": 5, "1,20": 5, "0,5000": 500, "100,1500": 700 },
};
/** Values of ranges that make a difference, the usual one first. */
const varied: Readonly<Record<string, readonly [cost: 0 | 1, ...values: number[]]>> = {
  "-5000,5000": [1, 0, -5000, 5000],
  "0,30000": [0, 30_000, 5],
  "0,60000": [0, 59_000, 16_000, 5],
  "100,20000": [0, 16_000, 6000],
  "1,3": [1, 2, 1],
};
/** A choice so soon after a fault is about that fault. */
const near = 10;
/** The SDK's attempts after the first: a request fails if they are refused, too. */
const retries = 2;

/**
 * Takes the place of what is random: all is as usual but for the forced choices, and each place is noted at which something else could
 * have been chosen.
 *
 * @param forced choices other than the first, by place
 * @param isOpen whether something may still fail
 */
export function oracle(forced: ReadonlyMap<number, number>, now: () => number, isOpen: () => boolean) {
  const choices: Choice[] = [];
  let lastFault = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  /** Whether an item of a batch was just refused. */
  let isItemRefused = false;

  function choose(label: string, options: number, cost: 0 | 1): number {
    if (!isOpen() || options < 2) return 0;
    const place = choices.length;
    choices.push({ label, options, cost: place - lastFault > near ? 1 : cost, at: now() });
    const choice = forced.get(place) ?? 0;
    if (choice > 0 && cost > 0) lastFault = place;
    return choice;
  }

  function isRefused(name: string): boolean {
    if (refusals > 0) return refusals-- > 0;
    const choice = choose(name, 3, 1);
    if (choice === 2) refusals = retries;
    return choice > 0;
  }

  const random: SeededRandom = {
    fraction: () => 0.5,
    around: (mean) => mean,
    chance(share) {
      if (share <= 0 || share >= 1) return share >= 1;
      const name = labels.get(share);
      if (name === "engine.refuse") return isRefused(name);
      if (name !== undefined) return choose(name, 2, 1) === 1;
      // Some or all of an array: with one or two cards there is no third way.
      const isChosen = share !== 0.3 && choose(`variant ${share}`, 2, 0) === 1;
      if (share === 0.4) isItemRefused = isChosen;
      return isChosen;
    },
    whole(least, most) {
      const range = `${least},${most}`;
      const [cost = 0, ...values] = varied[range] ?? [0, fixed[range] ?? Math.floor((least + most) / 2)];
      return values[choose(`whole ${range}`, values.length, cost)] as number;
    },
    oneOf(list) {
      // The code of a refused item: carried out or not; all cards taken or none. Of other lists the first stands for all.
      const isOfOpposites = list[0] === "ThrottlingError" ? isItemRefused : Array.isArray(list[0]);
      isItemRefused = false;
      const values = isOfOpposites ? [list[0], list.at(-1)] : [list[0]];
      return values[choose("one of", values.length, 0)] as (typeof list)[number];
    },
    weighted: ([first]) => first?.[0] as never,
    shuffled: (list) => (list.length > 1 && choose("order", 2, 1) === 1 ? list.toReversed() : [...list]),
  };
  return { random, choices };
}
