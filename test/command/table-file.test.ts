import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { valueOfCell } from "@scorecard-pipeline/card-files/table-values";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openFile } from "../../command/submit/open-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-csv-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, text: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function cardsOf(name: string, text: string | Uint8Array, columns?: object) {
  const mapping = columns && (await fileOf(`${name}.columns.json`, JSON.stringify(columns)));
  const file = await openFile(await fileOf(name, text), mapping);
  const cards: [number, unknown][] = [];
  for await (const { number, value, json } of file.cards) {
    expect(JSON.parse(String(json))).toEqual(value);
    cards.push([number, value]);
  }
  return { cards, columnOf: file.table?.columnOf };
}

const columns = {
  ExternalID: "Card",
  HCP: "Index",
  "Course/TeeID": { value: "a tee" },
  "Player/FullName": "Player",
  "Result/Strokes": ["1", "2", "3"],
};

describe("a table of cards", () => {
  test.each([",", ";", "\t"])("a row is a card, with columns separated by %j", async (separator) => {
    const rows = [
      ["Card", "Player", "Index", "1", "2", "3"],
      ["a 1", '"Kjær, ""Bo"""', "15.8", "4", "x", ""],
    ];
    const text = `\ufeff${rows.map((row) => row.join(separator)).join("\r\n")}\r\n`;
    const { cards } = await cardsOf("rows.csv", text, columns);
    expect(cards).toEqual([
      [
        2,
        {
          ExternalID: "a 1",
          HCP: "158000",
          Course: { TeeID: "a tee" },
          Player: { FullName: 'Kjær, "Bo"' },
          Result: { Strokes: [4, 0, -1] },
        },
      ],
    ]);
  });

  test("a card has the number of its row in a spreadsheet, and empty rows are skipped", async () => {
    const text = 'ExternalID,Comment\na,"two\nlines"\n,\n\nb,\n';
    const { cards } = await cardsOf("numbers.csv", text);
    expect(cards).toEqual([
      [2, { ExternalID: "a", Comment: "two\nlines" }],
      [5, { ExternalID: "b" }],
    ]);
  });

  test("without a file of columns the header names the fields, and other columns are ignored", async () => {
    const text = "Flight,ExternalID,Result/Strokes/1,Result/Strokes/2\n7,a,4,5\n";
    const { cards } = await cardsOf("header.csv", text);
    expect(cards).toEqual([[2, { ExternalID: "a", Result: { Strokes: [4, 5] } }]]);
  });

  test("a fault is in the column that its field comes from", async () => {
    const { columnOf } = await cardsOf("faults.csv", "Card,Player,Index,1,2,3\n", columns);
    const pointers = [
      "/HCP",
      "/Player/FullName",
      "/Result/Strokes/2",
      "/Result/Strokes",
      "/Course/TeeID",
      "/Round",
      "",
    ];
    expect(pointers.map((pointer) => columnOf?.(pointer))).toEqual([
      "Index",
      "Player",
      "3",
      "1 to 3",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test("a row with other cells than the header has one fault, but empty cells at its end are none", async () => {
  const text = "ExternalID,HCP\na,1.2,3\nb\nc,1.2,,\nd,1.2\n";
  const { cards } = await openFile(await fileOf("ragged.csv", text), undefined);
  const faults: unknown[] = [];
  for await (const { number, fault } of cards) faults.push([number, fault?.code]);
  expect(faults).toEqual([
    [2, "cells_count"],
    [3, "cells_count"],
    [4, undefined],
    [5, undefined],
  ]);
});

test("fields that every card needs and no column has are known before a row is read", async () => {
  const { table } = await openFile(
    await fileOf("incomplete.csv", "ExternalID,HCP,Course/TeeID,Player/UnionID\n"),
    undefined,
  );
  expect(table?.missingFields).toEqual([
    "CreateDateTime",
    "CourseHandicap",
    "Round/HolesPlayed",
    "Round/RoundType",
    "Round/StartTime",
    "Result/Strokes",
    "Result/IsQualifying",
    "Marker/UnionID",
  ]);
});

describe("a table that cannot be read", () => {
  test.each<[string, string | Uint8Array, object | undefined, string]>([
    [
      "without a column that is needed",
      "Card,Player,1,2,3\n",
      columns,
      'has no column "Index". Its header has "Card"',
    ],
    [
      "with a column twice",
      "ExternalID,HCP,HCP\n",
      undefined,
      'two columns "HCP". Give one of them another name.',
    ],
    ["that is no workbook", "ExternalID\n", undefined, "Save it as .xlsx without a password, or as CSV"],
    ["without an ExternalID", "Card\na\n", undefined, "No column of"],
    [
      "with an unknown field",
      "Card\n",
      { ExternalID: "Card", Handicap: "Index" },
      "a card has no field Handicap.",
    ],
    ["with a list for one value", "Card\n", { ExternalID: ["Card"] }, "ExternalID needs one column."],
    ["with one column for all holes", "Card\n", { "Result/Strokes": "1" }, "needs a list of columns"],
    ["with columns that are none", "Card\n", ["Card"], "does not say which column is which field"],
    [
      "in Latin-1",
      Buffer.from("ExternalID\nKj\xe6r\n", "latin1"),
      undefined,
      "is not in UTF-8. Save it in UTF-8.",
    ],
    [
      "in UTF-16",
      Buffer.from("\ufeffExternalID\n", "utf16le"),
      undefined,
      "is not in UTF-8. Save it in UTF-8.",
    ],
    ["with a quotation mark that is not closed", 'ExternalID\n"a\n', undefined, "Check its quotation marks."],
  ])("%s is an error that says what to do", async (name, text, mapping, said) => {
    await expect(
      cardsOf(`${name}.${name.includes("workbook") ? "xlsx" : "csv"}`, text, mapping),
    ).rejects.toThrow(said);
  });
});

test.each([
  ["HCP", "15.8", "158000"],
  ["HCP", "15,8", "158000"],
  ["HCP", "18", "180000"],
  ["HCP", "158000", "158000"],
  ["HCP", "+1.2", "-12000"],
  ["HCP", "-12000", "-12000"],
  ["HCP", "0", "0"],
  ["HCP", "0.5", "5000"],
  ["HCP", "scratch", "scratch"],
  ["Course/TeeRating", "71.8", "718000"],
  ["CourseHandicap", "20", 20],
  ["CourseHandicap", "20.5", "20.5"],
  ["Round/StartTime", "2026-06-01 08:10", "20260601T081000"],
  ["Round/StartTime", "2026-06-01T08:10:30", "20260601T081030"],
  ["Round/StartTime", "20260601T081000", "20260601T081000"],
  ["Round/StartTime", "24.11.2026 08:10", "20261124T081000"],
  ["Round/StartTime", "1.6.2026 8.10", "20260601T081000"],
  ["Round/StartTime", "24.11.2026", "20261124T000000"],
  ["Round/StartTime", "2026-06-01", "20260601T000000"],
  ["Round/StartTime", "24/11/2026", "24/11/2026"],
  ["Round/StartTime", "24.11.2026 noon", "24.11.2026 noon"],
  ["Round/StartTime", "1 June", "1 June"],
  ["Round/RoundType", "2", 2],
  ["Course/TeeSlope", "119", "119"],
  ["Result/IsQualifying", "Yes", true],
  ["Result/IsQualifying", "0", false],
  ["Result/IsQualifying", "perhaps", "perhaps"],
  ["Result/Strokes", "-", -1],
  ["Result/Strokes", "X", 0],
  ["Result/Strokes", "five", "five"],
  ["Player/UnionID", "32-1", "32-1"],
  ["Player/UnionID", "", undefined],
])("the cell of %s with %j is the value %j", (field, text, value) => {
  expect(valueOfCell(text, field)).toBe(value);
});
