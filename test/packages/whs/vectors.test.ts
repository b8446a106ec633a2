import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkedFunctions, evaluate } from "../../../packages/whs/check/functions.ts";

interface Vector {
  readonly id: string;
  readonly rule: string;
  readonly function: string;
  readonly source: string;
  readonly input: unknown;
  readonly expected: unknown;
  readonly why: string;
}

const vectors: Vector[] = globSync("packages/whs/vectors/*.json").flatMap((file) =>
  JSON.parse(readFileSync(file, "utf8")),
);

/** What `whs-check` prints and ends with. */
function check(...words: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["packages/whs/check/whs-check.ts", ...words],
    { encoding: "utf8" },
  );
  return { lines: stdout.trimEnd().split("\n"), stderr, status };
}
const reference = [process.execPath, join(import.meta.dirname, "reference-program.ts")];

test("each vector of the Rules of Handicapping agrees with the package", () => {
  const wrong = vectors.filter(
    (one) => JSON.stringify(evaluate(one.function, one.input).value) !== JSON.stringify(one.expected),
  );
  expect(wrong).toEqual([]);
  expect(vectors.length).toBeGreaterThan(200);
});

test("each function has a vector, and each vector its own id, a rule, a source and a reason", () => {
  expect(new Set(vectors.map((one) => one.function))).toEqual(new Set(Object.keys(checkedFunctions)));
  expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
  for (const { rule, source, why } of vectors) expect([rule, source, why].every(Boolean)).toBe(true);
});

test("a rule writes out its working", () => {
  const figures = { handicapIndex: 164_000, slope: 124, rating: 698_000, par: 72 };
  const working = (name: string, input: object) => evaluate(name, input).working;
  expect(working("courseHandicap", figures)).toBe("16.4 x 124 / 113 - 2.2 = 15.80, so 16");
  expect(working("nineHoleCourseHandicap", { ...figures, handicapIndex: 87_000 })).toBe(
    "8.7 / 2 is 4.4; 4.4 x 124 / 113 - 2.2 = 2.63, so 3",
  );
  expect(working("playingHandicap", { ...figures, allowance: 95 })).toBe(
    "16.4 x 124 / 113 - 2.2 = 15.80; x 95 % = 15.01, so 15",
  );
  const score = { adjustedGross: 42, rating: 348_000, slope: 113 };
  expect(working("scoreDifferential", score)).toBe("113 / 113 x (42 - 34.8) = 7.20, so 7.2");
  expect(
    working("shortRoundScoreDifferential", { ...score, handicapIndex: 140_000, holesNotPlayed: 9 }),
  ).toBe("113 / 113 x (42 - 34.8) = 7.20; with 9 holes at 0.52 x 14.0 + 1.197 for nine = 15.68, so 15.7");
  expect(working("handicapIndex", { differentials: [153_000, 152_000, 166_000] })).toBe(
    "(15.2) / 1 - 2.0 = 13.2",
  );
  const twenty = Array.from({ length: 20 }, () => 150_000);
  expect(working("handicapIndex", { differentials: twenty, lowHandicapIndex: 100_000 })).toContain(
    "/ 8 = 15.0; capped above 10.0: 14.0",
  );
});

test("what the book does not publish says that it is an estimate", () => {
  const estimated = checkedFunctions.expectedScoreDifferential({ handicapIndex: 140_000 });
  const published = checkedFunctions.courseHandicap({
    handicapIndex: 0,
    slope: 113,
    rating: 720_000,
    par: 72,
  });
  expect([estimated.estimated, published.estimated]).toEqual([true, undefined]);
});

test("whs-check finds an independent program to agree on each vector, and on drawn inputs", () => {
  expect(check(...reference)).toMatchObject({
    lines: [`${vectors.length} agree, 0 differ, 0 were not answered.`],
    status: 0,
  });
  expect(check("--draw", "300", "--seed", "7", ...reference)).toMatchObject({
    lines: ["2100 agree, 0 differ, 0 were not answered."],
    status: 0,
  });
});

test("whs-check names each vector that a program has another figure for, with what is right and why", () => {
  const sevens = `for await (const line of require("readline").createInterface(process.stdin)) {
    const { id } = JSON.parse(line);
    console.log(JSON.stringify({ id, value: 7 }));
  }`;
  const { lines, status } = check(
    "--function",
    "capRise",
    "--",
    process.execPath,
    "--eval",
    `(async () => {${sevens}})()`,
  );
  expect(lines[0]).toMatch(/^CAP\w+: capRise of \{.+\} is 106000, not 7 \(11\.6 above a low of 6\.5\)$/);
  expect([lines.at(-1), status]).toEqual(["0 agree, 2 differ, 0 were not answered.", 1]);
});

test("whs-check says what it needs, and that a program cannot be started or answers nothing", () => {
  expect(check()).toMatchObject({ status: 2, stderr: expect.stringContaining("COMMAND…") });
  const missing = check("no-such-program");
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("cannot be started")]);
});
