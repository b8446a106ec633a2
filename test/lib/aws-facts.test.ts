import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listPrices } from "../../lib/aws-facts.ts";

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
  ["a [firewall]", `${listPrices.firewallMonth.toFixed(2)}; ${million(listPrices.firewallRequest)}`],
  ["a million requests that only read", `${million(listPrices.apiRequest)} and more`],
  ["an outage, however long", Number(million(listPrices.writeUnit)).toFixed(2)],
  // A single card takes three requests at most.
  ["SQS's surcharge", (3e6 * listPrices.fairQueueRequest).toFixed(2)],
])("docs/costs.md has the price of %s", (beginning, price) => {
  expect(cellsOf(beginning)).toBe(price);
});
