import type { Reading } from "@scorecard-pipeline/card-files/reading/reading";
import { expect, test } from "vitest";
import { toReadTable } from "../../portal/tables/read-table.ts";

const file = { kind: "csv", name: "a.csv", sheets: [] } as never;
const readingOf = (numbers: readonly number[]) =>
  ({
    header: ["Card"],
    rows: numbers.map((number) => [`${number}`]),
    numbers,
    heading: { sheet: "", first: 1, last: 1 },
  }) as unknown as Reading;

test.each([
  ["as a spreadsheet shows them", [4, 6, 7], [4, 6, 7]],
  ["in their order if two rounds stand in one row, so that each is found by its own", [4, 4, 6], [2, 3, 4]],
])("rows are numbered %s", (_, numbers, expected) => {
  expect(toReadTable(file, readingOf(numbers)).numbers).toEqual(expected);
});
