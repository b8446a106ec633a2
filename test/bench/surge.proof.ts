import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { surgeChart } from "../../bench/surge/chart.ts";
import { type LongestWaits, maxWaits, playDay, scenarios } from "../../bench/surge/scenarios.ts";

/** The rows of the table of simulated days in docs/performance.md, by the name of the day. */
const published = new Map(
  readFileSync("docs/performance.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", ...cells]) => [name, cells.slice(0, 3)]),
);

const seconds = (wait: number) => `${wait < 10 ? wait.toFixed(1) : Math.round(wait).toLocaleString("en")} s`;

test.each(scenarios())(
  "on $name cards wait no longer than the bars allow, and as long as docs/performance.md publishes",
  (scenario) => {
    const [fair, plain] = [true, false].map((isFair) => maxWaits(playDay(scenario, isFair))) as [
      LongestWaits,
      LongestWaits,
    ];
    expect(fair.largest).toBeLessThanOrEqual(scenario.bars.largest);
    expect(fair.others).toBeLessThanOrEqual(scenario.bars.others);
    expect(published.get(scenario.name)).toEqual([fair.largest, fair.others, plain.others].map(seconds));
  },
);

test("the bars are missed on days of up to 100,000 cards with more at once than batches of ten can carry if runs do not drain the queue", () => {
  const ordinary = scenarios().filter(
    ({ arrivals }) => arrivals.reduce((sum, { at }) => sum + at.length, 0) <= 100_000,
  );
  const missed = ordinary.filter((scenario) => {
    const { largest } = maxWaits(playDay(scenario, true, { drainTo: 0 }));
    return largest > 4 * scenario.bars.largest;
  });
  expect(missed.map(({ name }) => name)).toEqual([
    "100,000 cards in ten minutes",
    "the largest day, half of it from one vendor at once",
  ]);
});

test("the chart of docs/performance.md shows what the simulation gives", async () => {
  await expect(surgeChart()).toMatchFileSnapshot("../../docs/surge.svg");
});
