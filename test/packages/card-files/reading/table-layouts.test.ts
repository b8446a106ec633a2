import { expect, test } from "vitest";
import { columnsOfHeader } from "../../../../packages/card-files/reading/table-layouts.ts";
import { rowReader } from "../../../../packages/card-files/table-cards.ts";
import { en } from "../../../../packages/card-files/words/en.ts";

test("a table that Golf Genius exports has cards with a name of their own, player, tournament, round and holes", () => {
  const header = [
    "Tournament Local UID",
    "Player Local UID",
    "Organizing Golf ID",
    "Tournament Name",
    "Round Date",
    "Round Number",
    "Nb Holes Played",
    "License Number",
    "Last Name",
    "First Name",
  ];
  const read = rowReader({ header, kind: "csv" }, columnsOfHeader(header), en);
  const row = ["77", "5501", "8023", "Spring Cup", "20260704", "2", "3", "32-1", "Bunker", "Karen"];
  expect(read(row, 2)).toMatchObject({
    number: 2,
    value: {
      ExternalID: "77 5501 2",
      CreateDateTime: "20260704T000000",
      Round: {
        TournamentName: "Spring Cup",
        TournamentRoundNumber: 2,
        StartTime: "20260704T000000",
        HolesPlayed: 18,
        RoundType: 2,
      },
      Player: { UnionID: "32-1", FullName: "Karen Bunker" },
    },
  });
  const nine = read(row.with(6, "1"), 3).value as { Round: { HolesPlayed: number } };
  expect(nine.Round.HolesPlayed).toBe(9);
});

test("the columns of Tournament Manager's list of players are known", () => {
  const header = ["GHIN ID Number", "Golfer Name", "Handicap Index", "1", "2"];
  expect(Object.fromEntries(columnsOfHeader(header))).toMatchObject({
    "Player/UnionID": "GHIN ID Number",
    "Player/FullName": "Golfer Name",
    HCP: "Handicap Index",
  });
});

test("headings are fields only if a program wrote them: by the path of a field, or an ExternalID", () => {
  expect(columnsOfHeader(["HCP", "PHCP", "1"]).size).toBe(0);
  expect([...columnsOfHeader(["ExternalID", "HCP", "Course/TeeID", "Result/Strokes/1", "other"])]).toEqual([
    ["ExternalID", "ExternalID"],
    ["HCP", "HCP"],
    ["Course/TeeID", "Course/TeeID"],
    ["Result/Strokes", ["Result/Strokes/1"]],
  ]);
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
