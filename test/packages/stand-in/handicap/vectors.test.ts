import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { adjustedGrossScore } from "../../../../packages/stand-in/handicap/adjusted-gross.ts";
import { averageOfLowest, capped } from "../../../../packages/stand-in/handicap/handicap-index.ts";
import { roundHalfUp } from "../../../../packages/stand-in/handicap/rounding.ts";
import { scoreDifferential } from "../../../../packages/stand-in/handicap/score-differential.ts";

interface Vector {
  readonly id: string;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has fields of its own
  readonly input: any;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has fields of its own
  readonly expected: any;
}

const file = fileURLToPath(new URL("../../../../../shared/vectors/whs.json", import.meta.url));
const vectors: readonly Vector[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).vectors : [];
const tenths = (value: number) => Math.round(value * 10);

/** The rules under test by kind of vector; other kinds are no business of the union's. */
const rules: Readonly<Record<string, (vector: Vector) => readonly [got: unknown, expected: unknown]>> = {
  scoreDifferential: ({ input, expected }) => [
    scoreDifferential(
      {
        adjustedGross: input.ags,
        courseRating: tenths(input.cr) * 1_000,
        slope: input.slope,
        holesExpected: 0,
      },
      0,
    ),
    tenths(expected),
  ],
  roundHalfUp({ input, expected }) {
    const [, decimals = ""] = String(input.value).split(".");
    const digits = Number(String(input.value).replace(".", ""));
    return [
      roundHalfUp(digits, 10 ** (decimals.length - input.decimals)),
      Math.round(expected * 10 ** input.decimals),
    ];
  },
  handicapIndexFromDifferentials: ({ input, expected }) => [
    averageOfLowest(input.differentials.map(tenths)),
    tenths(expected),
  ],
  caps: ({ input, expected }) => [capped(tenths(input.avg8), tenths(input.low)), tenths(expected)],
  adjustHole: ({ input, expected }) => [
    adjustedGrossScore([{ par: input.par, index: 1, strokes: input.strokes }], input.strokesReceived),
    expected,
  ],
  netDoubleBogeyLimitNoHandicap: ({ input, expected }) => [
    adjustedGrossScore([{ par: input.par, index: 1, strokes: 0 }], undefined),
    expected,
  ],
  netDoubleBogeyLimit18({ input, expected }) {
    const round = (strokes: number) =>
      Array.from({ length: 18 }, (_, hole) => ({
        par: input.par,
        index: hole + 1,
        strokes: hole + 1 === input.strokeIndex ? strokes : 1,
      }));
    return [adjustedGrossScore(round(0), input.courseHandicap) - 17, expected];
  },
  fullCard: ({ input, expected }) => [
    adjustedGrossScore(
      input.pars.map((par: number, hole: number) => ({
        par,
        index: input.strokeIndexes[hole],
        strokes: input.strokes[hole],
      })),
      expected.courseHandicap,
    ),
    expected.derivedByUs.netDoubleBogeyGross,
  ],
};

describe.skipIf(vectors.length === 0)(
  "worked examples of the World Handicap System (../shared/vectors)",
  () => {
    for (const vector of vectors) {
      const rule = rules[vector.kind];
      if (rule === undefined) continue;
      test(`${vector.id}: ${vector.kind}`, () => {
        const [got, expected] = rule(vector);
        expect(got).toBe(expected);
      });
    }

    test("every kind that the stand-in has a rule for occurs", () => {
      const kinds = new Set(vectors.map(({ kind }) => kind));
      for (const kind of Object.keys(rules)) expect(kinds).toContain(kind);
    });
  },
);
