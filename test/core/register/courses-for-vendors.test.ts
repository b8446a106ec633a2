import { expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import type { MirroredVersion } from "../../../core/register/course-table.ts";
import { coursesForVendors } from "../../../core/register/courses-for-vendors.ts";
import { club, recordOf, version } from "./union-in-memory.ts";

const changedAt = Date.UTC(2026, 5, 1, 12);
const mirrored = (number: number): MirroredVersion => ({
  version: version(number),
  text: recordOf(version(number)).text,
  changedAt,
});

/** A reader of one club with the given versions, or of other clubs; counts its queries. */
function reader(versions: readonly MirroredVersion[], clubs = [recordOf(club(1))]) {
  const reads = { count: 0 };
  const mirror = coursesForVendors(
    {
      club: async (id) => clubs.find((one) => one.id === guidKey(id)),
      all: async () => [...clubs],
      isEmpty: async () => clubs.length === 0,
    },
    {
      club: async (id, isRemoved) => {
        reads.count++;
        await Promise.resolve();
        if (isRemoved && id === club(1).ID) return [{ ...mirrored(2), removedAt: changedAt }];
        return id === club(1).ID ? [...versions] : [];
      },
    },
  );
  return { mirror, reads };
}

test("a club's courses are found by its ID in any case", async () => {
  const { mirror } = reader([mirrored(1)]);
  const shown = await mirror.courses(club(1).ID.toLowerCase());
  expect(shown?.map((one) => one.version.ID)).toEqual([version(1).ID]);
});

test("a club without courses has none, and one that does not exist is none", async () => {
  const { mirror } = reader([]);
  expect(await mirror.courses(club(1).ID)).toEqual([]);
  expect(await mirror.courses(club(9).ID)).toBeUndefined();
});

test("a mirror that has not been filled yet has no answer, rather than a wrong one", async () => {
  const { mirror } = reader([], []);
  const notYet = expect.objectContaining({ refusal: expect.objectContaining({ kind: "unavailable" }) });
  await expect(mirror.clubs()).rejects.toEqual(notYet);
  await expect(mirror.club(club(1).ID)).rejects.toEqual(notYet);
  await expect(mirror.courses(club(1).ID)).rejects.toEqual(notYet);
});

test("an ID that is no GUID is no club's, and is not looked for", async () => {
  const { mirror, reads } = reader([mirrored(1)]);
  for (const id of ["", "x".repeat(2049), `{${club(1).ID}}`]) {
    expect(await mirror.club(id)).toBeUndefined();
    expect(await mirror.courses(id)).toBeUndefined();
  }
  expect(reads.count).toBe(0);
});

test("a club is read once for many who ask at the same time, and kept", async () => {
  const { mirror, reads } = reader([mirrored(1)]);
  await Promise.all(Array.from({ length: 20 }, () => mirror.courses(club(1).ID)));
  await mirror.courses(club(1).ID);
  expect(reads.count).toBe(1);
});

test("a vendor that was answered before a change could be read sees it by the time of that answer", async () => {
  const { mirror } = reader([mirrored(1)]);
  const [shown] = (await mirror.courses(club(1).ID)) ?? [];
  const keptAndWritten = 30_000;
  expect(shown?.changedAt).toBe(changedAt + keptAndWritten);
});

test("a version that the union has removed is shown apart, without tees, with when that was seen", async () => {
  const { mirror } = reader([mirrored(1)]);
  const [removed] = (await mirror.courses(club(1).ID, true)) ?? [];
  expect(JSON.parse(removed?.text ?? "")).toEqual({ ...version(2), Tees: [], RemovedAt: "20260601T120000" });
  expect(removed?.changedAt).toBeGreaterThan(changedAt);
  expect(await mirror.courses(club(9).ID, true)).toBeUndefined();
});
