import { expect, test } from "vitest";
import { courseReader } from "../../../core/mirror/course-reader.ts";
import type { MirroredVersion } from "../../../core/store/courses.ts";
import { guidKey } from "../../../core/wire/guid.ts";
import { club, version } from "./union-in-memory.ts";

const changedAt = Date.UTC(2026, 5, 1, 12);
const mirrored = (number: number, gone = false): MirroredVersion => ({
  version: version(number),
  clubId: guidKey(club(1).ID),
  changedAt,
  gone,
});

/** A reader of one club with the given versions; counts its queries. */
function reader(versions: readonly MirroredVersion[]) {
  const reads = { count: 0 };
  const clubs = [club(1)];
  const courses = courseReader(
    {
      club: async (id) => clubs.find(({ ID }) => ID === id.toUpperCase()),
      all: async () => clubs,
    },
    {
      club: async (id) => {
        reads.count++;
        await Promise.resolve();
        return id === club(1).ID ? [...versions] : [];
      },
    },
  );
  return { courses, reads };
}

test("what the union no longer shows is left out", async () => {
  const { courses } = reader([mirrored(1), mirrored(2, true)]);
  const shown = await courses.courses(club(1).ID.toLowerCase());
  expect(shown?.map((one) => one.version.ID)).toEqual([version(1).ID]);
});

test("a club without courses has none, and one that does not exist is none", async () => {
  const { courses } = reader([]);
  expect(await courses.courses(club(1).ID)).toEqual([]);
  expect(await courses.courses(club(9).ID)).toBeUndefined();
});

test("a club is read once for many who ask at the same time, and kept", async () => {
  const { courses, reads } = reader([mirrored(1)]);
  await Promise.all(Array.from({ length: 20 }, () => courses.courses(club(1).ID)));
  await courses.courses(club(1).ID);
  expect(reads.count).toBe(1);
});

test("a vendor that was answered before a change could be read sees it by the time of that answer", async () => {
  const { courses } = reader([mirrored(1)]);
  const [shown] = (await courses.courses(club(1).ID)) ?? [];
  const keptAndWritten = 30_000;
  expect(shown?.changedAt).toBe(changedAt + keptAndWritten);
});
