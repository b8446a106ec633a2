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
  const { value } = rowReader(reading.header, reading.columns, en)(reading.rows[0] ?? [], 2);
  expect(value).toMatchObject({
    Player: { UnionID: "32-1", FullName: "Karen Bunker" },
    Round: { TournamentName: "Spring Cup", TournamentRoundNumber: 2, StartTime: "20260704T000000" },
    Result: { Strokes: cards[0]?.strokes },
  });
});

test("the name of a round stays the same in all versions: another one would send every card anew", () => {
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
  const { value } = rowReader(header, columns, en)(["32-1", "4.7.2026 8:10", "1"], 2);
  expect(value).toMatchObject({ ExternalID: "213ed99a-2908-59b2-bbd7-579a98c764db" });
});
