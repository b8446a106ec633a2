import { expect, test } from "vitest";
import { rowReader } from "../../../packages/card-files/table-cards.ts";
import { en } from "../../../packages/card-files/words/en.ts";
import { drawCards, drawFrom } from "./reading/drawn-field.ts";
import { read, textFile } from "./reading/read-cards.ts";

const holes = Array.from({ length: 18 }, (_, hole) => hole + 1);

test.each([
  {
    system: "Golf Genius",
    header: "Tournament Name;Round Date;Round Number;License Number;Last Name;First Name",
    cells: ["Spring Cup", "20260704", "2", "32-1", "Bunker", "Karen"],
    holeName: "",
  },
  {
    system: "a program that writes the fields' names",
    header: "Round/TournamentName;Round/StartTime;Round/TournamentRoundNumber;Player/UnionID;Player/FullName",
    cells: ["Spring Cup", "20260704T000000", "2", "32-1", "Karen Bunker"],
    holeName: "Result/Strokes/",
  },
])("a table of $system is understood by its headings", async ({ header, cells, holeName }) => {
  const cards = drawCards(drawFrom(7), { players: 6 });
  const rows = cards.map(({ strokes }) => [...cells, ...strokes].join(";"));
  const text = [`${header};${holes.map((hole) => `${holeName}${hole}`).join(";")}`, ...rows].join("\n");
  const reading = await read(textFile(text), cards);
  const { value } = rowReader({ ...reading, kind: "csv" }, reading.columns, en)(reading.rows[0] ?? [], 2);
  expect(value).toMatchObject({
    Player: { UnionID: "32-1", FullName: "Karen Bunker" },
    Round: { TournamentName: "Spring Cup", TournamentRoundNumber: 2, StartTime: "20260704T000000" },
    Result: { Strokes: cards[0]?.strokes },
  });
});

test("a card without a name of its own is named by player, day and round: the same each time, and another one for another round", () => {
  const header = ["member", "start", "round"];
  const columns = new Map<string, never>(
    Object.entries({
      ExternalID: { made: "round" },
      "Round/TournamentName": { value: "Cup" },
      "Round/StartTime": "start",
      "Round/TournamentRoundNumber": "round",
      "Player/UnionID": "member",
    }) as [string, never][],
  );
  const read = rowReader({ header, kind: "csv" }, columns, en);
  const nameOf = (...row: string[]) => (read(row, 2).value as { ExternalID?: string }).ExternalID;
  // Another name would send every card anew, so this one stays.
  expect(nameOf("32-1", "4.7.2026 8:10", "1")).toBe("213ed99a-2908-59b2-bbd7-579a98c764db");
  expect(nameOf("32-1", "2026-07-04 09:20", "1")).toBe(nameOf("32-1", "4.7.2026 8:10", "1"));
  const others = [
    nameOf("32-1", "4.7.2026 8:10", "2"),
    nameOf("32-2", "4.7.2026 8:10", "1"),
    nameOf("32-1", "5.7.2026 8:10", "1"),
  ];
  expect(new Set([...others, nameOf("32-1", "4.7.2026 8:10", "1")]).size).toBe(4);
  expect(nameOf("", "4.7.2026 8:10", "1")).toBeUndefined();
});
