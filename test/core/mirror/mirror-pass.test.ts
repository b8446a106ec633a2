import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Club, CourseVersion } from "../../../core/course/course.ts";
import { type MirrorParts, mirrorPass } from "../../../core/mirror/mirror-pass.ts";
import { clubTable } from "../../../core/store/clubs.ts";
import { courseTable } from "../../../core/store/courses.ts";
import { mirrorStateStore } from "../../../core/store/mirror-state.ts";
import { startEngine, tables } from "../store/engine.ts";
import { club, unionInMemory, version } from "./union-in-memory.ts";

let engine: Awaited<ReturnType<typeof startEngine>>;
let round = 0;
let names: { clubs: string; courses: string };

beforeAll(async () => {
  engine = await startEngine();
});
beforeEach(async () => {
  round++;
  names = { clubs: `clubs-${round}`, courses: `courses-${round}` };
  await engine.createTable({ ...tables.clubs, TableName: names.clubs });
  await engine.createTable({ ...tables.courses, TableName: names.courses });
});
afterAll(() => engine.stop());

const begin = Date.UTC(2026, 5, 1, 12);
const plenty = () => 600_000;

function mirror(clubs: Club[], versions: (CourseVersion & { changedAt?: string })[]) {
  const union = unionInMemory(clubs, versions);
  const clock = { now: begin };
  const courses = courseTable(names.courses, engine.client);
  const written: string[] = [];
  const parts: MirrorParts = {
    union: union.register,
    account: async () => ({ username: "", password: "", apiSet: "", token: "" }),
    clubs: clubTable(names.clubs, engine.client),
    courses: {
      ...courses,
      put: async (mirrored) => {
        written.push(...mirrored.map(({ version: { ID } }) => ID));
        await courses.put(mirrored);
      },
    },
    state: mirrorStateStore(names.courses, engine.client),
    parallelRequests: 2,
    overlapMilliseconds: 600_000,
    now: () => new Date(clock.now),
  };
  return { ...union, parts, courses, clock, written };
}

const numbers = [1, 2, 3, 4, 5];
const clubs = () => numbers.map((number) => club(number));
const versions = () => numbers.map((number) => version(number));

test("a first pass mirrors every club and every version, asking each club once", async () => {
  const { parts, asked, courses } = mirror(clubs(), versions());
  const report = await mirrorPass(parts, "changes", plenty);
  expect(report).toMatchObject({ clubs: 5, mirrored: 5, changedVersions: 5, failed: 0, left: 0 });
  expect(asked.map(({ since }) => since)).toEqual(Array(5).fill(undefined));
  expect((await courses.version(version(3).ID.toLowerCase()))?.version).toEqual(version(3));
  expect(await courses.course(version(3).TemplateID)).toHaveLength(1);
  expect(await courses.club(club(3).ID)).toHaveLength(1);
  expect(await parts.clubs.all()).toEqual(clubs());
});

test("a later pass asks for what changed since the club's last good pass less the overlap, and writes only that", async () => {
  const all: (CourseVersion & { changedAt?: string })[] = versions();
  const { parts, asked, clock, written } = mirror(clubs(), all);
  await mirrorPass(parts, "changes", plenty);
  asked.length = written.length = 0;
  clock.now += 3_600_000;
  all.push({ ...version(3, { ID: version(33).ID, Version: 2 }), changedAt: "20260601T123000" });
  const report = await mirrorPass(parts, "changes", plenty);
  expect(asked.map(({ since }) => since)).toEqual(Array(5).fill("20260601T115000"));
  expect(written).toEqual([version(33).ID]);
  expect(report).toMatchObject({ changedVersions: 1, goneVersions: 0 });
});

test("a club that fails does not stop the others, keeps its place in time, and comes first the next time", async () => {
  const { parts, asked, failing, clock } = mirror(clubs(), versions());
  failing.add(club(4).ID);
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ mirrored: 4, failed: 1 });
  failing.clear();
  asked.length = 0;
  clock.now += 60_000;
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({
    mirrored: 5,
    failed: 0,
    changedVersions: 1,
  });
  expect(asked[0]).toEqual({ clubId: club(4).ID, since: undefined });
});

test("when the time is up the next pass goes on with the clubs that are left", async () => {
  const { parts, asked, clock } = mirror(clubs(), versions());
  let asks = 0;
  const report = await mirrorPass(parts, "changes", () => (asks++ < 2 ? 600_000 : 1000));
  expect(report).toMatchObject({ mirrored: 2, left: 3 });
  const done = asked.map(({ clubId }) => clubId);
  asked.length = 0;
  clock.now += 60_000;
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({
    mirrored: 5,
    left: 0,
    changedVersions: 3,
  });
  expect(asked.slice(0, 3).some(({ clubId }) => done.includes(clubId))).toBe(false);
});

test("a full pass marks what the union no longer shows, and keeps it", async () => {
  const all = versions();
  const { parts, courses, clock } = mirror(clubs(), all);
  await mirrorPass(parts, "changes", plenty);
  clock.now += 3_600_000;
  all.splice(1, 1);
  expect(await mirrorPass(parts, "full", plenty)).toMatchObject({ goneVersions: 1, changedVersions: 0 });
  expect((await courses.version(version(2).ID))?.gone).toBe(true);
  clock.now += 3_600_000;
  expect(await mirrorPass(parts, "full", plenty)).toMatchObject({ goneVersions: 0 });
});

test("a version that comes back is shown again", async () => {
  const all = versions();
  const { parts, courses } = mirror(clubs(), all);
  await mirrorPass(parts, "changes", plenty);
  const [gone] = all.splice(1, 1);
  await mirrorPass(parts, "full", plenty);
  all.push(gone as CourseVersion);
  await mirrorPass(parts, "full", plenty);
  expect((await courses.version(version(2).ID))?.gone).toBe(false);
});

test("clubs are renamed, added and removed as the union lists them", async () => {
  const listed = clubs();
  const { parts } = mirror(listed, versions());
  await mirrorPass(parts, "changes", plenty);
  listed.splice(0, 2, club(2, { Name: "Renamed" }), club(9));
  await mirrorPass(parts, "changes", plenty);
  expect((await parts.clubs.all()).map(({ Name }) => Name)).toEqual([
    "Renamed",
    "Club 3",
    "Club 4",
    "Club 5",
    "Club 9",
  ]);
});

test("a pass that is killed before it saves how far it got misses nothing and writes nothing twice", async () => {
  const { parts, written, clock } = mirror(clubs(), versions());
  const killed = {
    ...parts,
    state: { ...parts.state, write: async () => Promise.reject(new Error("killed")) },
  };
  await expect(mirrorPass(killed, "changes", plenty)).rejects.toThrow("killed");
  clock.now += 60_000;
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ mirrored: 5, changedVersions: 0 });
  expect(written).toHaveLength(5);
});

test("a union that does not even list its clubs leaves the mirror as it is", async () => {
  const { parts, failing } = mirror(clubs(), versions());
  await mirrorPass(parts, "changes", plenty);
  failing.add("clubs");
  await expect(mirrorPass(parts, "changes", plenty)).rejects.toThrow("down");
  expect(await parts.clubs.all()).toHaveLength(5);
});
