import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { awsLimits, listPrices, outdatedFacts } from "../../lib/aws-facts.ts";

test("no price, limit or default of AWS was read more than a year ago", () => {
  expect(outdatedFacts(new Date())).toEqual([]);
});

test("a fact is outdated a year and a month after the end of its month", () => {
  expect(outdatedFacts(new Date("2026-12-31T23:59:59Z"))).toEqual([]);
  const outdated = outdatedFacts(new Date("2027-01-01T00:00:00Z"));
  expect(outdated).toContainEqual(expect.stringMatching(/^apiRequest was read in 2025-11: https:/));
  expect(outdated.join()).not.toContain("noisyShare");
});

test.each(Object.entries({ ...listPrices, ...awsLimits }))(
  "%s has a source and a month",
  (_name, { source, seen }) => {
    expect(URL.canParse(source)).toBe(true);
    expect(seen).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
  },
);

/** Cells of a row of docs/costs.md. */
const cellsOf = (beginning: string) =>
  readFileSync("docs/costs.md", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| ${beginning}`))
    ?.split("|")
    .at(-2)
    ?.trim();
const million = (price: number) => (1e6 * price).toFixed(2);

test.each([
  [
    "a [firewall]",
    `${listPrices.firewallMonth.value.toFixed(2)}; ${million(listPrices.firewallRequest.value)}`,
  ],
  ["a million requests that only read", `${million(listPrices.apiRequest.value)} and more`],
  ["an outage, however long", Number(million(listPrices.writeUnit.value)).toFixed(2)],
  // A single card takes three requests at most.
  ["SQS's surcharge", (3e6 * listPrices.fairQueueRequest.value).toFixed(2)],
])("docs/costs.md has the price of %s", (beginning, price) => {
  expect(cellsOf(beginning)).toBe(price);
});
