import { expect, test } from "vitest";
import { syncMirror } from "../../../core/register/sync.ts";
import { mirrorEngine, plenty } from "./mirror-under-test.ts";
import { club, version } from "./union-in-memory.ts";

const { mirror } = mirrorEngine();

class Killed extends Error {}

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
