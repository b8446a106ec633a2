import { expect, test } from "vitest";
import type { CourseVersion } from "../../../../core/courses/course.ts";
import { mirrorPass } from "../../../../core/courses/sync/sync.ts";
import { TableBatchError } from "../../../../core/dynamodb/batch.ts";
import { begin, mirrorEngine, plenty } from "./mirror-under-test.ts";
import { club, version } from "./union-in-memory.ts";

const { mirror } = mirrorEngine();
const numbers = [1, 2, 3, 4, 5];
const clubs = () => numbers.map((number) => club(number));
const versions = () => numbers.map((number) => version(number));

test("a first pass mirrors every club and every version, asking each club once", async () => {
  const { parts, asked, courses } = await mirror(clubs(), versions());
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
  const { parts, asked, clock, written } = await mirror(clubs(), all);
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
  const { parts, asked, failing, clock } = await mirror(clubs(), versions());
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
  const { parts, asked, clock } = await mirror(clubs(), versions());
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
  const { parts, courses, clock } = await mirror(clubs(), all);
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
  const { parts, courses } = await mirror(clubs(), all);
  await mirrorPass(parts, "changes", plenty);
  const [gone] = all.splice(1, 1);
  await mirrorPass(parts, "full", plenty);
  all.push(gone as CourseVersion);
  await mirrorPass(parts, "full", plenty);
  expect((await courses.version(version(2).ID))?.gone).toBe(false);
});

test("clubs are renamed, added and removed as the union lists them", async () => {
  const listed = clubs();
  const { parts } = await mirror(listed, versions());
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
  const { parts, written, clock } = await mirror(clubs(), versions());
  const killed = {
    ...parts,
    state: { ...parts.state, write: async () => Promise.reject(new Error("killed")) },
  };
  await expect(mirrorPass(killed, "changes", plenty)).rejects.toThrow("killed");
  clock.now += 60_000;
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ mirrored: 5, changedVersions: 0 });
  expect(written).toHaveLength(5);
});

test("a union that does not list its clubs is asked for those that are mirrored, and none is removed", async () => {
  const all = versions();
  const { parts, failing, clock, written } = await mirror(clubs(), all);
  await mirrorPass(parts, "changes", plenty);
  failing.add("clubs");
  clock.now += 3_600_000;
  written.length = 0;
  all.push({ ...version(3, { ID: version(33).ID }), changedAt: "20260601T123000" } as CourseVersion);
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ listed: false, mirrored: 5, failed: 0 });
  expect(written).toEqual([version(33).ID]);
  expect(await parts.clubs.all()).toHaveLength(5);
});

test.each([
  ["an empty list of clubs", 0],
  ["a list of clubs that leaves out more than half", 2],
])("%s removes none, and that is said", async (_, shown) => {
  const listed = clubs();
  const { parts, asked } = await mirror(listed, versions());
  await mirrorPass(parts, "changes", plenty);
  listed.length = shown;
  asked.length = 0;
  const report = await mirrorPass(parts, "changes", plenty);
  const reason = `It leaves out ${5 - shown} clubs that are mirrored.`;
  expect(report).toMatchObject({ clubs: 5, removedClubs: 0, goneVersions: 0, mirrored: 5 });
  expect(report.examples.failed).toEqual([{ club: "the list of clubs", failures: 1, reason }]);
  expect(await parts.clubs.all()).toHaveLength(5);
  expect(asked).toHaveLength(5);
});

test("the courses of a club that is removed are no longer shown, and are again when it comes back", async () => {
  const listed = clubs();
  const { parts, courses, clock } = await mirror(listed, versions());
  await mirrorPass(parts, "changes", plenty);
  const [removed] = listed.splice(0, 1);
  clock.now += 900_000;
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ removedClubs: 1, goneVersions: 1 });
  expect((await courses.version(version(1).ID))?.gone).toBe(true);
  expect(await parts.clubs.club(club(1).ID)).toBeUndefined();
  if (removed !== undefined) listed.push(removed);
  clock.now += 900_000;
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ removedClubs: 0, changedVersions: 1 });
  expect((await courses.version(version(1).ID))?.gone).toBe(false);
});

test("the age of the stalest club grows while it fails, and while a new club was never mirrored", async () => {
  const listed = clubs();
  const { parts, failing, clock } = await mirror(listed, versions());
  expect((await mirrorPass(parts, "changes", plenty)).stalestMilliseconds).toBe(0);
  listed.push(club(6));
  failing.add(club(6).ID);
  for (const hours of [1, 2, 3]) {
    clock.now = begin + hours * 3_600_000;
    expect((await mirrorPass(parts, "changes", plenty)).stalestMilliseconds).toBe((hours - 1) * 3_600_000);
  }
});

test("a mirror that was never filled has no age, so that it cannot be taken for a fresh one", async () => {
  const { parts, failing } = await mirror(clubs(), versions());
  failing.add("clubs");
  const report = await mirrorPass(parts, "changes", plenty);
  expect(report).toMatchObject({ listed: false, clubs: 0, stalestMilliseconds: undefined });
});

test("it is said which clubs failed, how often, and why", async () => {
  const { parts, failing } = await mirror(clubs(), versions());
  failing.add(club(4).ID);
  await mirrorPass(parts, "changes", plenty);
  const { examples } = await mirrorPass(parts, "changes", plenty);
  expect(examples.failed).toEqual([{ club: club(4).ID, failures: 2, reason: "UnionUnavailableError: down" }]);
});

test("no version is called gone on the word of an answer that could not be read whole", async () => {
  const all = versions();
  const { parts, unreadable, clock } = await mirror(clubs(), all);
  const nextDay = async () => {
    clock.now += 86_400_000;
    return mirrorPass(parts, "full", plenty);
  };
  await mirrorPass(parts, "full", plenty);
  all.shift();
  unreadable.set(club(1).ID, 1);
  expect(await nextDay()).toMatchObject({ goneVersions: 0, unreadable: 1 });
  unreadable.clear();
  expect(await nextDay()).toMatchObject({ goneVersions: 1, unreadable: 0 });
});

test("no club is called gone on the word of a list that could not be read whole", async () => {
  const all = clubs();
  const { parts, unreadable, clock } = await mirror(all, versions());
  const nextDay = async () => {
    clock.now += 86_400_000;
    return mirrorPass(parts, "full", plenty);
  };
  await mirrorPass(parts, "full", plenty);
  all.shift();
  unreadable.set("clubs", 1);
  expect(await nextDay()).toMatchObject({ removedClubs: 0 });
  unreadable.clear();
  expect(await nextDay()).toMatchObject({ removedClubs: 1 });
});

test("what is called gone is looked for once more in the next pass, and then changes are enough again", async () => {
  const all = versions();
  const { parts, asked, clock } = await mirror(clubs(), all);
  await mirrorPass(parts, "changes", plenty);
  all.push(version(1, { ID: version(11).ID, Version: 2 }));
  all.shift();
  const wholeOf = async (pass: "changes" | "full") => {
    asked.length = 0;
    clock.now += 900_000;
    await mirrorPass(parts, pass, plenty);
    return asked.filter(({ since }) => since === undefined).map(({ clubId }) => clubId);
  };
  expect(await wholeOf("full")).toHaveLength(5);
  expect(await wholeOf("changes")).toEqual([club(1).ID]);
  expect(await wholeOf("changes")).toEqual([]);
});

test("courses that the union left out for hours of a night are shown again with the next pass", async () => {
  const all = versions();
  const { parts, courses, clock } = await mirror(clubs(), all);
  const nextPass = async (pass: "changes" | "full") => {
    clock.now += 900_000;
    return mirrorPass(parts, pass, plenty);
  };
  await nextPass("changes");
  const leftOut = all.splice(0, 2);
  expect(await nextPass("full")).toMatchObject({ goneVersions: 2 });
  for (const _ of [1, 2, 3]) await nextPass("changes");
  all.push(...leftOut);
  expect(await nextPass("changes")).toMatchObject({ changedVersions: 2 });
  for (const { ID } of all) expect((await courses.version(ID))?.gone).toBe(false);
});

test("clubs that are no longer listed are removed as far as time goes, and the rest in the next pass", async () => {
  const listed = clubs();
  const { parts, courses } = await mirror(listed, versions());
  await mirrorPass(parts, "changes", plenty);
  listed.splice(3, 2);
  let asks = 0;
  const report = await mirrorPass(parts, "changes", () => (asks++ < 1 ? 600_000 : 1000));
  expect(report).toMatchObject({ removedClubs: 2, goneVersions: 1, left: 4 });
  expect(await parts.clubs.all()).toHaveLength(4);
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ removedClubs: 1, goneVersions: 1 });
  expect((await courses.club(club(5).ID)).map(({ gone }) => gone)).toEqual([true]);
});

test("a club that cannot be removed does not stop the others", async () => {
  const listed = clubs();
  const { parts, courses } = await mirror(listed, versions());
  await mirrorPass(parts, "changes", plenty);
  listed.splice(0, 2);
  const unreadable: typeof courses.club = (id) =>
    id === club(1).ID ? Promise.reject(new Error("unreadable")) : courses.club(id);
  const failing = { ...parts, courses: { ...parts.courses, club: unreadable } };
  expect(await mirrorPass(failing, "changes", plenty)).toMatchObject({ failed: 1, mirrored: 3 });
  expect((await parts.clubs.all()).map(({ ID }) => ID)).not.toContain(club(2).ID);
  expect(await mirrorPass(parts, "changes", plenty)).toMatchObject({ removedClubs: 1, goneVersions: 1 });
});

test("what could not be saved in the middle of a pass is saved later, and the pass goes on", async () => {
  const { parts, register, clock } = await mirror(clubs(), versions());
  let writes = 0;
  const busyAtFirst = {
    ...parts,
    union: {
      ...register,
      courses: (...given: Parameters<typeof register.courses>) => {
        clock.now += 16_000;
        return register.courses(...given);
      },
    },
    state: {
      ...parts.state,
      write: async (state: Parameters<typeof parts.state.write>[0]) => {
        if (++writes === 1) throw new TableBatchError("courses");
        await parts.state.write(state);
      },
    },
  };
  expect(await mirrorPass(busyAtFirst, "changes", plenty)).toMatchObject({ mirrored: 5, failed: 0 });
  expect([...(await parts.state.read()).clubs.values()].every(({ goodAt }) => goodAt > 0)).toBe(true);
});

test("a course that moves to another club is not called gone by the one it has left, whichever is asked first", async () => {
  const all = versions();
  const { parts, courses, clock } = await mirror(clubs(), all);
  await mirrorPass(parts, "changes", plenty);
  const moved = version(1, { ClubID: club(2).ID as CourseVersion["ClubID"] });
  all.splice(0, 1, moved);
  clock.now += 900_000;
  // Its new club writes it after its old one has read what is stored of itself, and before that writes.
  const written = Promise.withResolvers<void>();
  const interleaved: typeof parts = {
    ...parts,
    courses: {
      ...parts.courses,
      club: async (id) => {
        const stored = await courses.club(id);
        if (id === club(1).ID) await written.promise;
        return stored;
      },
      put: async (mirrored) => {
        await parts.courses.put(mirrored);
        if (mirrored.some(({ clubId }) => clubId === club(2).ID)) written.resolve();
      },
    },
  };
  await mirrorPass(interleaved, "full", plenty);
  expect(await courses.version(moved.ID)).toMatchObject({ version: moved, clubId: club(2).ID, gone: false });
});
