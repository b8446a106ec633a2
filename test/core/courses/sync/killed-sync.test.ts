import { expect, test } from "vitest";
import type { CourseVersion } from "../../../../core/courses/course.ts";
import { type MirrorDependencies, mirrorPass } from "../../../../core/courses/sync/sync.ts";
import { seededRandom } from "../../../../stand-in/seeded-random.ts";
import { mirrorEngine, plenty } from "./mirror-under-test.ts";
import { club, version } from "./union-in-memory.ts";

const { mirror } = mirrorEngine();

class Killed extends Error {}

/** The parts of a run that is killed at its n-th step outside, before the step or after it has had its effect. */
function killedAt(step: number, after: boolean, parts: MirrorDependencies): MirrorDependencies {
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
  const { union, clubs, courses, state } = parts;
  return {
    ...parts,
    union: { clubs: mortal(union.clubs), courses: mortal(union.courses) },
    clubs: {
      club: mortal(clubs.club),
      all: mortal(clubs.all),
      isEmpty: mortal(clubs.isEmpty),
      put: mortal(clubs.put),
      remove: mortal(clubs.remove),
    },
    courses: {
      fingerprints: mortal(courses.fingerprints),
      club: mortal(courses.club),
      put: mortal(courses.put),
    },
    state: { read: mortal(state.read), write: mortal(state.write) },
  };
}

const clubNumbers = [1, 2, 3, 4, 5, 6];
const timestamp = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");

test.each([1, 2, 3])(
  "a mirror whose runs are killed at any moment misses no change and doubles none (seed %i)",
  async (seed) => {
    const random = seededRandom(seed, "killed");
    const clubs = clubNumbers.map((number) => club(number));
    const versions: (CourseVersion & { changedAt?: string })[] = clubNumbers.map((n) => version(n));
    const { parts, courses, clock, written } = await mirror(clubs, versions);
    let number = 100;
    let changes = versions.length;
    for (let run = 0; run < 20; run++) {
      clock.now += 900_000;
      for (const { ID } of clubs.filter(() => random.fraction() < 0.3)) {
        changes++;
        const added = version(++number, { ClubID: ID as CourseVersion["ClubID"], Version: run + 2 });
        versions.push({ ...added, changedAt: timestamp(clock.now - 450_000) });
      }
      const step = 1 + Math.floor(random.fraction() * 25);
      const doomed = killedAt(step, random.fraction() < 0.5, parts);
      const pass = random.fraction() < 0.2 ? "full" : "changes";
      await mirrorPass(doomed, pass, plenty).catch(() => undefined);
    }
    clock.now += 900_000;
    const last = await mirrorPass(parts, "changes", plenty);
    expect(last).toMatchObject({ failed: 0, left: 0 });
    for (const { ID } of clubs) {
      const shown = versions.filter(({ ClubID }) => ClubID === ID).map(({ changedAt: _, ...one }) => one);
      const mirrored = (await courses.club(ID)).filter(({ gone }) => !gone).map((one) => one.version);
      expect(mirrored.sort((one, other) => one.ID.localeCompare(other.ID))).toEqual(
        shown.sort((one, other) => one.ID.localeCompare(other.ID)),
      );
    }
    expect(written).toHaveLength(changes);
    expect(new Set(written).size).toBe(changes);
  },
);

test("a full pass that was wanted is not forgotten when its run is killed", async () => {
  const versions = clubNumbers.map((number) => version(number));
  const { parts, courses, clock } = await mirror(
    clubNumbers.map((number) => club(number)),
    versions,
  );
  await mirrorPass(parts, "changes", plenty);
  versions.splice(0, 1);
  clock.now += 3_600_000;
  const dying = { ...parts, courses: { ...parts.courses, fingerprints: () => new Promise<never>(() => {}) } };
  void mirrorPass(dying, "full", plenty);
  await expect.poll(async () => (await parts.state.read()).fullWantedAt).toBe(clock.now);
  clock.now += 900_000;
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ goneVersions: 1 });
  expect((await courses.version(version(1).ID))?.gone).toBe(true);
});

test("a club that was left out of one list has its courses again, wherever that run was killed", async () => {
  const clubs = clubNumbers.map((number) => club(number));
  const versions = clubNumbers.map((number) => version(number));
  const { parts, courses, clock } = await mirror(clubs, versions);
  const nextPass = async (of = parts) => {
    clock.now += 900_000;
    await mirrorPass(of, "changes", plenty).catch(() => undefined);
  };
  await nextPass();
  for (let step = 1; step <= 12; step++) {
    const leftOut = clubs.splice(0, 1);
    await nextPass(killedAt(step, true, parts));
    clubs.push(...leftOut);
    await nextPass();
    for (const { ID } of versions) expect((await courses.version(ID))?.gone).toBe(false);
  }
});

test("what a killed first run has left of a club that has no course by then is gone with the next but one", async () => {
  const versions = [version(1)];
  const { parts, courses, clock } = await mirror([club(1)], versions);
  const unsaved = { ...parts, state: { ...parts.state, write: async () => Promise.reject(new Killed()) } };
  await expect(mirrorPass(unsaved, "changes", plenty)).rejects.toThrow(Killed);
  versions.length = 0;
  for (const _ of [1, 2]) {
    clock.now += 900_000;
    await mirrorPass(parts, "changes", plenty);
  }
  expect((await courses.version(version(1).ID))?.gone).toBe(true);
});
