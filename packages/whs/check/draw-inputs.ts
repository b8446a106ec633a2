import { tenth } from "../worked.ts";
import type { checkedFunctions } from "./functions.ts";

/** Draws whole numbers from `least` to `most`. */
type Draw = (least: number, most: number) => number;

/** The numbers of Park and Miller, which are exact in doubles: the same seed gives the same ones in every language. */
function startDraw(seed: number): Draw {
  let state = 1 + (seed % 2_147_483_646);
  return (least, most) => {
    state = (state * 48_271) % 2_147_483_647;
    return least + (state % (most - least + 1));
  };
}

const drawIndex = (draw: Draw) => draw(-80, 540) * tenth;
const drawSlope = (draw: Draw) => draw(55, 155);

const drawFigures = (draw: Draw, par: number) => ({
  handicapIndex: drawIndex(draw),
  slope: drawSlope(draw),
  rating: (par * 10 + draw(-60, 60)) * tenth,
  par,
});

const drawScore = (draw: Draw) => ({
  adjustedGross: draw(65, 140),
  rating: draw(600, 780) * tenth,
  slope: drawSlope(draw),
});

/** Three to twenty Score Differentials around a player's own, in half of the cases with a Low Handicap Index that may cap. */
function drawRecord(draw: Draw): object {
  const own = draw(-40, 500);
  const count = draw(1, 3) === 1 ? draw(3, 19) : 20;
  const differentials = Array.from({ length: count }, () => (own + draw(-60, 150)) * tenth);
  return draw(0, 1) === 0
    ? { differentials }
    : { differentials, lowHandicapIndex: (own + draw(-90, 20)) * tenth };
}

/** Eighteen holes in any order of stroke indexes, some picked up or not played. */
function drawRound(draw: Draw): object {
  const strokeIndexes: number[] = [];
  for (let index = 1; index <= 18; index++) strokeIndexes.splice(draw(0, index - 1), 0, index);
  const pars = strokeIndexes.map(() => draw(3, 5));
  const strokes = pars.map((par) => (draw(1, 20) === 1 ? draw(-1, 0) : par + draw(-1, 6)));
  return { pars, strokeIndexes, strokes, courseHandicap: draw(-9, 60) };
}

/** What an input is drawn for, and how. */
const drawn = {
  handicapIndex: drawRecord,
  scoreDifferential: drawScore,
  exceptionalScoreReduction: (draw) => ({ ...drawScore(draw), handicapIndex: drawIndex(draw) }),
  courseHandicap: (draw) => drawFigures(draw, draw(68, 74)),
  nineHoleCourseHandicap: (draw) => drawFigures(draw, draw(27, 37)),
  playingHandicap: (draw) => ({ ...drawFigures(draw, 72), allowance: 5 * draw(10, 20) }),
  adjustedGrossScore: drawRound,
} as const satisfies { readonly [name in keyof typeof checkedFunctions]?: (draw: Draw) => object };

/** Inputs of a rule; none if no input is drawn for it. The same seed gives the same ones. */
export function drawInputs(name: string, count: number, seed: number): object[] {
  const drawOne = (drawn as Readonly<Record<string, (draw: Draw) => object>>)[name];
  const draw = startDraw(seed);
  return drawOne === undefined ? [] : Array.from({ length: count }, () => drawOne(draw));
}
