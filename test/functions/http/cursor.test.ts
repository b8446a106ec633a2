import { expect, test } from "vitest";
import { type CursorKind, readCursor, writeCursor } from "../../../functions/http/cursor.ts";

const item = `${"0".repeat(38)}17#shardId-00000001414576573621-f55eea83`;
const time = "2026-07-04T11:00:00.000Z";
/** A place of each list, and its cursor of 0.2.0. */
const places: Readonly<Record<CursorKind, readonly [place: readonly string[], earlier: string]>> = {
  state: [[time, "card #417\n"], `${time}#card #417\n`],
  days: [[`2026-07-04#${item}`, "20"], `2026-07-04#${item}#20`],
  refusals: [[`${time}#5cf3a1a8-6b0e#007`, "20"], `${time}#5cf3a1a8-6b0e#007#20`],
  tournaments: [["2026-07-04", `~${"a".repeat(22)}`], `2026-07-04#~${"a".repeat(22)}`],
  tournamentCards: [["2026-07-04", item, "20"], `2026-07-04#${item}#20`],
  events: [["29175902000001", "1"], "29175902000001-1"],
};
const kinds = Object.keys(places) as CursorKind[];

test.each(kinds)("a cursor of %s names its place, also as an earlier version spelled it", (kind) => {
  const [place, earlier] = places[kind];
  const cursor = writeCursor(kind, ...place);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(readCursor(kind, cursor)).toEqual(place);
  expect(readCursor(kind, earlier)).toEqual(place);
});

test.each(kinds)("a cursor of another list is no place in %s, even if it looks like one", (kind) => {
  for (const other of kinds) {
    if (other !== kind) expect(readCursor(kind, writeCursor(other, ...places[kind][0]))).toBeUndefined();
  }
});

test.each(["", "null", "W10", writeCursor("days", "2026-07-04", "x"), `${places.days[1]}0000`])(
  "%j is no cursor",
  (text) => {
    for (const kind of kinds) expect(readCursor(kind, text)).toBeUndefined();
  },
);
