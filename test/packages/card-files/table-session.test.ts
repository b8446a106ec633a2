import { writeCsvCell } from "@scorecard-pipeline/card-files/csv-cell";
import {
  createUnionMemory,
  fillRow,
  understandWithUnion,
} from "@scorecard-pipeline/card-files/reading/consult-union";
import { readGridFile } from "@scorecard-pipeline/card-files/reading/read-grid-file";
import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import { courseHandicapBy } from "@scorecard-pipeline/card-files/reading/tees";
import { en } from "@scorecard-pipeline/card-files/words/en";
import { expect, test } from "vitest";
import {
  checkRows,
  countProgress,
  createTableSession,
  mendRow,
} from "../../../packages/card-files/table-session.ts";
import { showRow } from "../../../portal/tables/shown-row.ts";
import { type DrawnCard, drawCards, drawFrom, textOfIndex, unionOf } from "./reading/drawn-field.ts";

/** The part of a client that finds what was sent before: nothing. */
const nothingStored = {
  statuses: async (names: readonly string[]) => names.map((externalId) => ({ externalId, state: "unknown" })),
  async *tournamentCards() {},
  card: async () => ({}),
};

const limits = { parallel: 1, retrySeconds: 0 };

test("rows are numbered in their order if two rounds stand in one row, so that each is found by its own", () => {
  const table = { header: ["Comment"], rows: [["a round"], ["another"]], numbers: [4, 4] };
  const session = createTableSession(table, new Map(), undefined, { texts: en } as never);
  expect(session.rows.map(({ number }) => number)).toEqual([2, 3]);
});

/** A client that checks cards as far as the cells that are worked out are empty. */
const asksForCells = {
  ...nothingStored,
  async validate(texts: readonly string[]) {
    const cards = texts.map((text, index) => {
      const { ExternalID: externalId, HCP, CourseHandicap, Course } = JSON.parse(text);
      const parts = { "/HCP": HCP, "/Course/TeeID": Course?.TeeID, "/CourseHandicap": CourseHandicap };
      const lacking = Object.entries(parts).flatMap(([pointer, part]) => (part === undefined ? pointer : []));
      const errors = lacking.map((pointer) => ({ index, externalId, pointer, code: "required", detail: "" }));
      const found = errors.length > 0 ? { status: 422, errors } : { status: 201, warnings: [] };
      return { index, externalId, ...found };
    });
    return { cards };
  },
};

const header = [
  ...["Player", "Member No", "Handicap Index", "Tee", "Date", "Marker"],
  ...Array.from({ length: 18 }, (_, hole) => String(hole + 1)),
];
const cellsOf = ({ player, tee, day, marker, strokes }: DrawnCard) =>
  [player.name, player.unionId, textOfIndex(player.index, "."), tee.name, day, marker, ...strokes].map(
    String,
  );

/** Begins to work on a table of drawn cards. */
async function startSession(drawn: readonly DrawnCard[], rows: readonly string[][], answers: Answers) {
  const text = [["Cup"], ["Bogø Golf Klub"], ...rows].map((row) => row.join(";")).join("\n");
  const grid = readGridFile(new TextEncoder().encode(text), "cup.csv");
  const [union, memory] = [unionOf(drawn), createUnionMemory()];
  const reading = await understandWithUnion(grid, answers, { today: "2026-11-27" }, union, memory);
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
  await checkRows(session);
  return {
    shown,
    filled: (place: number) => {
      const { "Tee ID •": tee, "Course Handicap •": handicap } = shown(place)?.cells ?? {};
      return [tee, Number(handicap)];
    },
    mend: (place: number, mended: Record<string, string>) => mendRow(session, numberOf(place), mended),
    waitUntilReady: () =>
      expect
        .poll(() => countProgress(session))
        .toMatchObject({ activity: "idle", ready: session.rows.length }),
  };
}

test("tee and Course Handicap follow a member number, an index or a tee that is mended, unless a person wrote them", async () => {
  const drawn = drawCards(drawFrom(3), { players: 24 });
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
  const rows = drawn.map((card, place) => {
    const [column, cell] = wrong[place] ?? [];
    return column === undefined ? cellsOf(card) : cellsOf(card).with(column, cell ?? "");
  });
  const answers = { "tee:Lilla": "none of them" };
  const { shown, filled, mend, waitUntilReady } = await startSession(drawn, [header, ...rows], answers);
  const right = (place: number) => [drawn[place]?.tee.id, drawn[place]?.courseHandicap];
  // What follows from a cell that is wrong is no fault of its own.
  expect(shown(ofTee)?.findings.map(({ cells }) => cells)).toEqual([["Tee"]]);
  const mends: readonly (readonly [number, string, string])[] = [
    [ofNumber, "Member No", drawn[ofNumber]?.player.unionId ?? ""],
    [ofIndex, "Handicap Index", textOfIndex(drawn[ofIndex]?.player.index ?? 0, ".")],
    [ofTee, "Tee", drawn[ofTee]?.tee.name ?? ""],
    [byHand, "Tee ID •", drawn[byHand]?.tee.id ?? ""],
  ];
  for (const [place, column, cell] of mends) mend(place, { [column]: cell });
  await waitUntilReady();
  for (const [place] of mends) expect(filled(place)).toEqual(right(place));
  // A Course Handicap of the competition's own stays, whatever else is mended at once or later.
  const later: readonly Record<string, string>[] = [
    { "Course Handicap •": "7", "Handicap Index": "1.0" },
    { Marker: "Committee" },
  ];
  for (const mended of later) {
    mend(ofIndex, mended);
    await waitUntilReady();
    expect(filled(ofIndex)).toEqual([drawn[ofIndex]?.tee.id, 7]);
  }
});

test.each(["written", "register"])(
  "Course Handicaps follow indexes that a person writes: %s",
  async (index) => {
    const all = drawCards(drawFrom(3), { players: 5 });
    const [, ...drawn] = all;
    const rows = [header, ...drawn.map(cellsOf)].map((cells) => cells.toSpliced(2, 1));
    const { shown, filled, mend, waitUntilReady } = await startSession(all, rows, { index });
    const isFaulty = (place: number) => shown(place)?.findings[0]?.cells[0] === "Handicap Index •";
    expect(drawn.filter((_, place) => isFaulty(place))).toHaveLength(index === "written" ? 4 : 0);
    for (const place of drawn.keys()) mend(place, { "Handicap Index •": "36.4" });
    await waitUntilReady();
    for (const [place, { tee }] of drawn.entries())
      expect(filled(place)).toEqual([tee.id, courseHandicapBy(364_000, tee)]);
    // A member number that is mended later takes back nothing that was written.
    mend(0, { "Member No": "32-1000" });
    await waitUntilReady();
    expect(shown(0)?.cells["Handicap Index •"]).toBe("36.4");
  },
);

test.each(["=1+1", "\u0000=1", "\u200b+1+1", "\uff1d1+1", "'\uff0d1", "x;\u00a0@x", "x\u2028=1"])(
  "a cell that a spreadsheet would run is written as a text: %j",
  (cell) => {
    const written = writeCsvCell(cell);
    const cells = written.replaceAll('"', "").split(/[;,\t|\r\n\u2028]/);
    for (const one of cells) expect(one).not.toMatch(/^[\s\p{Cc}\p{Cf}]*[=+@\uff1d\uff0b\uff0d\uff20-]/u);
  },
);
