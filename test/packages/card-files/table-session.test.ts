import { writeCsvCell } from "@scorecard-pipeline/card-files/csv-cell";
import {
  createUnionMemory,
  fillRow,
  understandWithUnion,
} from "@scorecard-pipeline/card-files/reading/consult-union";
import { readGridFile } from "@scorecard-pipeline/card-files/reading/read-grid-file";
import { en } from "@scorecard-pipeline/card-files/words/en";
import { expect, test } from "vitest";
import {
  checkRows,
  countProgress,
  createTableSession,
  mendRow,
} from "../../../packages/card-files/table-session.ts";
import { showRow } from "../../../portal/tables/shown-row.ts";
import { drawCards, drawFrom, textOfIndex, unionOf } from "./reading/drawn-field.ts";

/** The part of a client that finds what was sent before: nothing. */
const nothingStored = {
  statuses: async (names: readonly string[]) => names.map((externalId) => ({ externalId, state: "unknown" })),
  async *tournamentCards() {},
  card: async () => ({}),
};

const limits = { parallel: 1, retrySeconds: 0 };

const table = {
  header: ["ExternalID", "Comment"],
  rows: [
    ["used", "another round"],
    ["new", "a round"],
  ],
  numbers: [2, 3],
};
const columns = new Map([
  ["ExternalID", "ExternalID"],
  ["Comment", "Comment"],
]);

test("rows are numbered in their order if two rounds stand in one row, so that each is found by its own", () => {
  const twice = { ...table, numbers: [4, 4] };
  const session = createTableSession(twice, columns, undefined, { texts: en } as never);
  expect(session.rows.map(({ number }) => number)).toEqual([2, 3]);
});

/** A client that checks cards as far as the cells that are worked out are empty. */
const asksForCells = {
  ...nothingStored,
  async validate(texts: readonly string[]) {
    const cards = texts.map((text, index) => {
      const { ExternalID: externalId, CourseHandicap, Course } = JSON.parse(text);
      const lacking = [
        ...(Course?.TeeID === undefined ? ["/Course/TeeID"] : []),
        ...(CourseHandicap === undefined ? ["/CourseHandicap"] : []),
      ];
      const errors = lacking.map((pointer) => ({ index, externalId, pointer, code: "required", detail: "" }));
      return {
        index,
        externalId,
        ...(errors.length > 0 ? { status: 422, errors } : { status: 201, warnings: [] }),
      };
    });
    return { cards };
  },
};

test("tee and Course Handicap follow a member number, an index or a tee that is mended, unless a person wrote them", async () => {
  const drawn = drawCards(drawFrom(3), { players: 24 });
  const holes = Array.from({ length: 18 }, (_, hole) => String(hole + 1));
  const shared = drawn.flatMap(({ tee: { name } }, place) =>
    name === "Blå" || name === "Rød" ? [place] : [],
  );
  const [ofNumber = 0, ofIndex = 0, ofTee = 0, byHand = 0] = shared;
  const wrong: Readonly<Record<number, readonly [column: number, cell: string]>> = {
    [ofNumber]: [1, "32/1"],
    [ofIndex]: [2, "scratch"],
    [ofTee]: [3, "Lilla"],
    [byHand]: [3, "Lilla"],
  };
  const rows = drawn.map(({ player, tee, day, marker, strokes }, place) => {
    const cells = [
      player.name,
      player.unionId,
      textOfIndex(player.index, "."),
      tee.name,
      day,
      marker,
      ...strokes,
    ];
    const [column, cell] = wrong[place] ?? [];
    return column === undefined ? cells : cells.with(column, cell ?? "");
  });
  const header = ["Player", "Member No", "Handicap Index", "Tee", "Date", "Marker", ...holes];
  const text = [["Cup"], ["Bogø Golf Klub"], header, ...rows].map((row) => row.join(";")).join("\n");
  const grid = readGridFile(new TextEncoder().encode(text), "cup.csv");
  const [union, memory] = [unionOf(drawn), createUnionMemory()];
  const facts = { today: "2026-11-27" };
  const answers = { "tee:Lilla": "none of them" };
  const reading = await understandWithUnion(grid, answers, facts, union, memory);
  const session = createTableSession(reading, reading.columns, undefined, {
    client: asksForCells as never,
    texts: en,
    limits,
    onChange: () => undefined,
    fill: (cells) => fillRow(reading, cells, union, memory),
    pause: async () => undefined,
  });
  const numberOf = (place: number) => reading.numbers[place] ?? 0;
  const shown = (place: number) => {
    const row = session.byNumber.get(numberOf(place));
    return row && showRow(row, session.form);
  };
  const filled = (place: number) => {
    const { "Tee ID •": tee, "Course Handicap •": handicap } = shown(place)?.cells ?? {};
    return [tee, Number(handicap)];
  };
  const right = (place: number) => [drawn[place]?.tee.id, drawn[place]?.courseHandicap];
  await checkRows(session);
  // What follows from a cell that is wrong is no fault of its own.
  expect(shown(ofTee)?.findings.map(({ cells }) => cells)).toEqual([["Tee"]]);
  const mends: readonly (readonly [number, string, string])[] = [
    [ofNumber, "Member No", drawn[ofNumber]?.player.unionId ?? ""],
    [ofIndex, "Handicap Index", textOfIndex(drawn[ofIndex]?.player.index ?? 0, ".")],
    [ofTee, "Tee", drawn[ofTee]?.tee.name ?? ""],
    [byHand, "Tee ID •", drawn[byHand]?.tee.id ?? ""],
  ];
  for (const [place, column, cell] of mends) mendRow(session, numberOf(place), { [column]: cell });
  await expect.poll(() => countProgress(session)).toMatchObject({ activity: "idle", ready: drawn.length });
  for (const [place] of mends) expect(filled(place)).toEqual(right(place));
  // A Course Handicap of the competition's own stays, whatever else is mended at once or later.
  const later: readonly Readonly<Record<string, string>>[] = [
    { "Course Handicap •": "7", "Handicap Index": "1.0" },
    { Marker: "Committee" },
  ];
  for (const mended of later) {
    mendRow(session, numberOf(ofIndex), mended);
    await expect.poll(() => countProgress(session)).toMatchObject({ activity: "idle", ready: drawn.length });
    expect(filled(ofIndex)).toEqual([drawn[ofIndex]?.tee.id, 7]);
  }
});

test.each(["=1+1", "\u0000=1", "\u200b+1+1", "\uff1d1+1", "'\uff0d1", "x;\u00a0@x", "x\u2028=1"])(
  "a cell that a spreadsheet would run is written as a text: %j",
  (cell) => {
    const written = writeCsvCell(cell);
    const cells = written.replaceAll('"', "").split(/[;,\t|\r\n\u2028]/);
    for (const one of cells) expect(one).not.toMatch(/^[\s\p{Cc}\p{Cf}]*[=+@\uff1d\uff0b\uff0d\uff20-]/u);
  },
);
