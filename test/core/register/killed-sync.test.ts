import { expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { type SyncDependencies, syncMirror } from "../../../core/register/sync.ts";
import { mirrorEngine, plenty } from "./mirror-under-test.ts";
import { club, version } from "./union-in-memory.ts";

const { mirror } = mirrorEngine();

class Killed extends Error {}

/** Dependencies of a run that is killed at its n-th call of one, before or after the call has its effect. */
function killedAt(step: number, after: boolean, dependencies: SyncDependencies): SyncDependencies {
  let steps = 0;
  const mortal =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const dies = ++steps >= step;
      if (dies && !(after && steps === step)) throw new Killed();
      const result = await work(...given);
      if (dies) throw new Killed();
      return result;
    };
  const { union, clubs, courses, state } = dependencies;
  return {
    ...dependencies,
    union: { clubs: mortal(union.clubs), courses: mortal(union.courses) },
    clubs: {
      club: mortal(clubs.club),
      all: mortal(clubs.all),
      isEmpty: mortal(clubs.isEmpty),
      put: mortal(clubs.put),
      remove: mortal(clubs.remove),
    },
    courses: {
      put: mortal(courses.put),
      putClubNumbers: mortal(courses.putClubNumbers),
      listings: mortal(courses.listings),
      remove: mortal(courses.remove),
    },
    state: { read: mortal(state.read), write: mortal(state.write) },
  };
}

const clubNumbers = [1, 2, 3, 4, 5, 6];
test("a full sync whose run is killed is made by the next one", async () => {
  const versions = [...clubNumbers, 11, 12, 13, 14].map((number) =>
    version(number, number > 10 ? { ClubID: version(1).ClubID } : {}),
  );
  const { dependencies, courses, clock } = await mirror(
    clubNumbers.map((number) => club(number)),
    versions,
  );
  await syncMirror(dependencies, "changes", plenty);
  versions.splice(0, 1);
  clock.now += 86_400_000;
  const dying = killedAt(4, false, dependencies);
  await syncMirror(dying, "changes", plenty).catch(() => undefined);
  clock.now += 900_000;
  expect(await syncMirror(dependencies, "changes", plenty)).toMatchObject({ removedVersions: 1 });
  expect((await courses.version(version(1).ID))?.clubs).toEqual([]);
});

test("a club that one list left out gets its courses back, wherever that run was killed", async () => {
  const clubs = clubNumbers.map((number) => club(number));
  const versions = clubNumbers.map((number) => version(number));
  const { dependencies, courses, clock } = await mirror(clubs, versions);
  const nextSync = async (of = dependencies) => {
    clock.now += 900_000;
    await syncMirror(of, "changes", plenty).catch(() => undefined);
  };
  await nextSync();
  for (let step = 1; step <= 12; step++) {
    const leftOut = clubs.splice(0, 1);
    // Otherwise it would be kept for a day.
    await dependencies.accepted.write([guidKey(leftOut[0]?.ID ?? "")], clock.now);
    await nextSync(killedAt(step, true, dependencies));
    clubs.push(...leftOut);
    await nextSync();
    for (const { ID } of versions) expect((await courses.version(ID))?.clubs).toHaveLength(1);
  }
});

test("courses that a killed first run stored, and that the union has removed since, are marked as removed by the second run after it", async () => {
  const versions = [version(1)];
  const { dependencies, courses, clock } = await mirror([club(1)], versions);
  const unsaved = {
    ...dependencies,
    state: { ...dependencies.state, write: async () => Promise.reject(new Killed()) },
  };
  await expect(syncMirror(unsaved, "changes", plenty)).rejects.toThrow(Killed);
  versions.length = 0;
  for (const _ of [1, 2]) {
    clock.now += 900_000;
    await syncMirror(dependencies, "changes", plenty);
  }
  expect((await courses.version(version(1).ID))?.clubs).toEqual([]);
});
