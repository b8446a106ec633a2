import { expect, test } from "vitest";
import { columnsOfHeader, systemOf } from "../../../../packages/card-files/base/table-layouts.ts";
import { guessColumns } from "../../../../packages/card-files/guess-columns.ts";
import { rowReader } from "../../../../packages/card-files/table-cards.ts";
import { en } from "../../../../packages/card-files/words/en.ts";

const holes = Array.from({ length: 18 }, (_, hole) => `Hole ${hole + 1}`);

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
  expect(systemOf(header)).toBe("Golf Genius");
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
  expect(systemOf(header)).toContain("Tournament Manager");
  expect(Object.fromEntries(columnsOfHeader(header))).toMatchObject({
    "Player/UnionID": "GHIN ID Number",
    "Player/FullName": "Golfer Name",
    HCP: "Handicap Index",
  });
});

test("what is given of columns goes before what is known of a layout, and headings of fields count only if nothing is given", () => {
  const header = ["GHIN ID Number", "Golfer Name", "Handicap Index", "HCP", "PHCP"];
  const given = columnsOfHeader(header, new Map([["HCP", "HCP"]]));
  expect([given.get("HCP"), given.get("Player/UnionID"), given.has("PHCP")]).toEqual([
    "HCP",
    "GHIN ID Number",
    false,
  ]);
});

test.each([
  ["English", ["Card", "Player", "Member No", "Handicap Index", "Course Hcp", "Start", "Tee ID", "Marker"]],
  ["Danish", ["Kort", "Spiller", "Medlemsnr.", "HCP", "Banehandicap", "Starttid", "Tee", "Markør"]],
])("the headings that people write in %s are guessed", (_, headings) => {
  const columns = guessColumns([...headings, ...holes]);
  const [card, player, member, index, course, start, tee, marker] = headings;
  expect(Object.fromEntries(columns)).toEqual({
    ExternalID: card,
    HCP: index,
    CourseHandicap: course,
    "Course/TeeID": tee,
    "Round/StartTime": start,
    "Player/FullName": player,
    "Player/UnionID": member,
    "Marker/UnionID": marker,
    "Result/Strokes": holes,
  });
});

test.each([
  ["numbers", (hole: number) => String(hole)],
  ["Hole n", (hole: number) => `Hole ${hole}`],
  ["hul n", (hole: number) => `hul ${hole}`],
  ["Hn", (hole: number) => `H${hole}`],
  ["H_n", (hole: number) => `H_${hole}`],
  ["Hole n - Strokes", (hole: number) => `Hole ${hole} - Strokes`],
])("the holes are found by headings like %s, in their order", (_, heading) => {
  const names = Array.from({ length: 18 }, (__, hole) => heading(hole + 1));
  expect(guessColumns(["Card", ...names.toReversed()]).get("Result/Strokes")).toEqual(names);
  expect(guessColumns(["Card", ...names.slice(9)]).get("Result/Strokes")).toEqual(names.slice(9));
  expect(guessColumns(["Card", ...names.slice(3)]).has("Result/Strokes")).toBe(false);
});

test("a column is guessed for one field only", () => {
  const columns = guessColumns(["handicap", "index", "round", "date"]);
  const used = [...columns.values()];
  expect(new Set(used).size).toBe(used.length);
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
