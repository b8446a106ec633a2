/** Pseudo-random numbers, the same for the same seed. */
export interface SeededRandom {
  /** At least 0, less than 1. */
  fraction(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** True with this probability, 0 to 1. */
  chance(share: number): boolean;
  /** Normally distributed. */
  around(mean: number, deviation: number): number;
  /** @throws RangeError if the list is empty */
  oneOf<T>(list: readonly T[]): T;
  /** One of the values, with a probability in proportion to its weight. @throws RangeError if there is none */
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T;
  /** The same entries in another order. */
  shuffled<T>(list: readonly T[]): T[];
}

/** A 32-bit number from a text. @see http://www.isthe.com/chongo/tech/comp/fnv (FNV-1a) */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/**
 * Fractions of at least 0 and less than 1, the same for the same seed.
 *
 * @param seed any whole number; its lower 32 bits count
 * @see mulberry32, Tommy Ettinger
 */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Random numbers for one invented record. Each club, course and player has its own, so that adding one does not change
 * the others.
 *
 * @param seed identifies the record
 */
export function seededRandom(...seed: readonly (string | number)[]): SeededRandom {
  const fraction = mulberry32(hash(seed.join("/")));

  const whole = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));

  function weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T {
    const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
    let left = fraction() * total;
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new RangeError("there is nothing to choose from");
  }

  return {
    fraction,
    whole,
    weighted,
    chance: (share) => fraction() < share,
    around(mean, deviation) {
      // The sum of twelve fractions is almost normally distributed, and has no far outliers.
      let sum = -6;
      for (let count = 0; count < 12; count++) sum += fraction();
      return mean + sum * deviation;
    },
    oneOf: (list) => weighted(list.map((value) => [value, 1])),
    shuffled(list) {
      const keyed = list.map((value) => ({ value, key: fraction() }));
      return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value);
    },
  };
}
