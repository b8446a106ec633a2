import { expect, test } from "vitest";
import { TableBatchError } from "../../../core/aws/batch.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import type { CourseVersion } from "../../../core/golf/course.ts";
import { type SyncDependencies, syncMirror } from "../../../core/register/sync.ts";
import { removeClub } from "../../../core/register/unlisted-clubs.ts";
import { ResponseTooLargeError } from "../../../core/union/request.ts";
import { UnionUnavailableError } from "../../../core/union/union-unavailable-error.ts";
import { day } from "../../durations.ts";
import { begin, plenty, provideMirrors } from "./mirror-under-test.ts";
import { club, recordOf, version } from "./union-in-memory.ts";

const { mirror } = await provideMirrors();
const numbers = [1, 2, 3, 4, 5];
const clubs = () => numbers.map((number) => club(number));
const versions = () => numbers.map((number) => version(number));

/** A sync of changes, for which there is time. */
const sync = (dependencies: SyncDependencies) => syncMirror(dependencies, "changes", plenty);

test("a first sync mirrors every club and version with one request per club", async () => {
  const { dependencies, asked, courses } = await mirror(clubs(), versions());
  const report = await sync(dependencies);
  expect(report).toMatchObject({ clubs: 5, mirrored: 5, changedVersions: 5, failed: 0, left: 0 });
  expect(asked.map(({ since }) => since)).toEqual(Array(5).fill(undefined));
  expect((await courses.course(version(3).ID.toLowerCase()))[0]?.version).toEqual(version(3));
  expect(await courses.course(version(3).TemplateID)).toHaveLength(1);
  expect(await courses.club(club(3).ID)).toHaveLength(1);
  expect(await dependencies.clubs.all()).toEqual(clubs().map(recordOf));
});

test("a later sync fetches what changed since the club's last successful sync less the overlap, and writes only that", async () => {
  const all: (CourseVersion & { changedAt?: string })[] = versions();
  const { dependencies, asked, clock, written } = await mirror(clubs(), all);
  await sync(dependencies);
  asked.length = written.length = 0;
  clock.now += 3_600_000;
  all.push({ ...version(3, { ID: version(33).ID, Version: 2 }), changedAt: "20260601T123000" });
  const report = await sync(dependencies);
  expect(asked.map(({ since }) => since)).toEqual(Array(5).fill("20260601T115000"));
  expect(written).toEqual([version(33).ID]);
  expect(report).toMatchObject({ changedVersions: 1, removedVersions: 0 });
});

test("a club that fails does not stop the others, keeps its place in time, and comes first the next time", async () => {
  const { dependencies, asked, failing, clock } = await mirror(clubs(), versions());
  failing.add(club(4).ID);
  expect(await sync(dependencies)).toMatchObject({ mirrored: 4, failed: 1 });
  failing.clear();
  asked.length = 0;
  clock.now += 60_000;
  expect(await sync(dependencies)).toMatchObject({ mirrored: 5, failed: 0, changedVersions: 1 });
  expect(asked[0]).toEqual({ clubId: club(4).ID, since: undefined });
});

test("when the time is up, the next sync continues with the clubs that are left", async () => {
  const { dependencies, asked, clock } = await mirror(clubs(), versions());
  let asks = 0;
  const report = await syncMirror(dependencies, "changes", () => (asks++ < 2 ? 600_000 : 1000));
  expect(report).toMatchObject({ mirrored: 2, left: 3 });
  const done = asked.map(({ clubId }) => clubId);
  asked.length = 0;
  clock.now += 60_000;
  expect(await sync(dependencies)).toMatchObject({ mirrored: 5, left: 0, changedVersions: 3 });
  expect(asked.slice(0, 3).some(({ clubId }) => done.includes(clubId))).toBe(false);
});

test("clubs are renamed and added as the union lists them, and one that is gone is removed a day later", async () => {
  const listed = clubs();
  const { dependencies, clock } = await mirror(listed, versions());
  const names = async () => (await dependencies.clubs.all()).map(({ text }) => JSON.parse(text).Name);
  await sync(dependencies);
  listed.splice(0, 2, club(2, { Name: "Renamed" }), club(9));
  await sync(dependencies);
  const kept = ["Renamed", "Club 3", "Club 4", "Club 5", "Club 9"];
  expect(await names()).toEqual(["Club 1", ...kept]);
  clock.now += day;
  await sync(dependencies);
  expect(await names()).toEqual(kept);
});

/** A sync that is killed before it saves its state. */
const killed = ({ state, ...dependencies }: SyncDependencies) =>
  sync({ ...dependencies, state: { ...state, write: () => Promise.reject(new Error("killed")) } });

test("after a sync that is killed before it saves its state, nothing is missed or written twice", async () => {
  const { dependencies, written, clock } = await mirror(clubs(), versions());
  await expect(killed(dependencies)).rejects.toThrow("killed");
  clock.now += 60_000;
  expect(await sync(dependencies)).toMatchObject({ mirrored: 5, changedVersions: 0 });
  expect(written).toHaveLength(5);
});

test("courses that a killed first run stored, and that the union has removed since, are marked as removed by the second run after it", async () => {
  const all = [version(1)];
  const { dependencies, courses, clock } = await mirror([club(1)], all);
  await expect(killed(dependencies)).rejects.toThrow("killed");
  all.length = 0;
  for (const _ of [1, 2]) {
    clock.now += 900_000;
    await sync(dependencies);
  }
  expect((await courses.version(version(1).ID))?.clubs).toEqual([]);
});

test("if the union does not list its clubs, those in the mirror are synced and none is removed", async () => {
  const all = versions();
  const { dependencies, failing, clock, written } = await mirror(clubs(), all);
  await sync(dependencies);
  failing.add("clubs");
  clock.now += 3_600_000;
  written.length = 0;
  all.push({ ...version(3, { ID: version(33).ID }), changedAt: "20260601T123000" } as CourseVersion);
  expect(await sync(dependencies)).toMatchObject({ listed: false, mirrored: 5, failed: 0 });
  expect(written).toEqual([version(33).ID]);
  expect(await dependencies.clubs.all()).toHaveLength(5);
});

test.each([
  ["an empty list of clubs", 0, 1, 0],
  ["a list of clubs that leaves out more than one in fifty", 3, 0, 2],
])("%s removes no club, however often it comes", async (_, shown, failed, clubsForOperator) => {
  const listed = clubs();
  const { dependencies, asked, clock } = await mirror(listed, versions());
  await sync(dependencies);
  listed.length = shown;
  for (const _day of [1, 2, 3]) {
    clock.now += day;
    asked.length = 0;
    const report = await syncMirror(dependencies, "full", plenty);
    expect(report).toMatchObject({ clubs: 5, removedClubs: 0, removedVersions: 0, failed, clubsForOperator });
    expect(await dependencies.clubs.all()).toHaveLength(5);
    expect(asked).toHaveLength(5);
  }
});

test("a club that the list lacks is kept as long as the union still answers for it", async () => {
  const listed = clubs();
  const { dependencies, register, clock } = await mirror(listed, versions());
  await sync(dependencies);
  const short = { ...register, clubs: async () => ({ entries: listed.slice(1).map(recordOf), skipped: [] }) };
  for (const clubsForOperator of [0, 0, 0, 1]) {
    const report = await sync({ ...dependencies, union: short });
    expect(report).toMatchObject({ removedClubs: 0, unlistedClubs: 1, clubsForOperator });
    clock.now += day;
  }
});

test("a club that an operator removes is gone with its courses, the others stay, and it comes back if it is listed again", async () => {
  const listed = clubs();
  const { dependencies, courses, clock } = await mirror(listed, versions());
  await sync(dependencies);
  const rest = listed.splice(2);
  const [gone = club(3)] = rest;
  expect(await sync(dependencies)).toMatchObject({ clubsForOperator: 3 });
  const before = await courses.texts(gone.ID);
  clock.now += 1000;
  expect(await removeClub(guidKey(gone.ID), dependencies, clock.now)).toBe(1);
  expect(await courses.texts(gone.ID)).toEqual([]);
  expect(await sync(dependencies)).toMatchObject({ clubsForOperator: 2 });
  expect(await dependencies.clubs.all()).toHaveLength(4);
  listed.push(...rest);
  await sync(dependencies);
  expect(await courses.texts(gone.ID)).toEqual(before);
});

test("if the union asks for a pause, the sync waits for its end before any other request, and asks again", async () => {
  const { dependencies, register, asked, clock } = await mirror(clubs(), versions());
  let refusals = 0;
  const courses: typeof register.courses = async (...given) => {
    if (asked.length === 2 && refusals++ === 0)
      throw new UnionUnavailableError("The union answered 429.", { retryAfterSeconds: 90 });
    return register.courses(...given);
  };
  const given = { ...dependencies, union: { ...register, courses }, parallelRequests: 1 };
  expect(await sync(given)).toMatchObject({ mirrored: 5, failed: 0, left: 0 });
  expect(clock.now).toBe(begin + 90_000);
});

test("if the union asks for a longer pause than a run has, later runs ask for nothing until its end", async () => {
  const { dependencies, register, asked, listings, clock } = await mirror(clubs(), versions());
  const pausing = async () => {
    throw new UnionUnavailableError("The union answered 503.", { retryAfterSeconds: 3600 });
  };
  const union = { ...register, courses: pausing };
  const report = await sync({ ...dependencies, union, parallelRequests: 1 });
  expect(report).toMatchObject({ mirrored: 0, failed: 0, left: 5 });
  const listed = listings.count;
  clock.now += 1_800_000;
  expect(await sync(dependencies)).toMatchObject({ listed: false, left: 5 });
  expect([listings.count, asked]).toEqual([listed, []]);
  clock.now += 1_800_000;
  expect(await sync(dependencies)).toMatchObject({ listed: true, mirrored: 5 });
});

test("a club that is gone is kept for a day, then its courses are marked as removed until it is listed again", async () => {
  const listed = clubs();
  const { dependencies, courses, clock } = await mirror(listed, versions());
  await sync(dependencies);
  const [removed] = listed.splice(0, 1);
  for (let at = 0; at < day; at += 900_000) {
    clock.now += 900_000;
    const report = await syncMirror(dependencies, at === day / 2 ? "full" : "changes", plenty);
    expect(report).toMatchObject({ removedClubs: 0, removedVersions: 0, unlistedClubs: 1 });
  }
  expect((await courses.version(version(1).ID))?.clubs).toHaveLength(1);
  clock.now += 900_000;
  expect(await sync(dependencies)).toMatchObject({ removedClubs: 1, removedVersions: 1 });
  expect((await courses.version(version(1).ID))?.clubs).toEqual([]);
  expect(await dependencies.clubs.club(club(1).ID)).toBeUndefined();
  if (removed !== undefined) listed.push(removed);
  clock.now += 900_000;
  expect(await sync(dependencies)).toMatchObject({ removedClubs: 0, changedVersions: 1 });
  expect((await courses.version(version(1).ID))?.clubs).toHaveLength(1);
});

test("the age of the stalest club grows while it fails, and while a new club was never synced", async () => {
  const listed = clubs();
  const { dependencies, failing, clock } = await mirror(listed, versions());
  expect((await sync(dependencies)).stalestMilliseconds).toBe(0);
  listed.push(club(6));
  failing.add(club(6).ID);
  for (const hours of [1, 2, 3]) {
    clock.now = begin + hours * 3_600_000;
    expect((await sync(dependencies)).stalestMilliseconds).toBe((hours - 1) * 3_600_000);
  }
});

test("a mirror that was never filled has no age, so that it does not look fresh", async () => {
  const { dependencies, failing } = await mirror(clubs(), versions());
  failing.add("clubs");
  const report = await sync(dependencies);
  expect(report).toMatchObject({ listed: false, clubs: 0, stalestMilliseconds: undefined });
});

test("the report says which clubs failed, how often, and why", async () => {
  const { dependencies, failing } = await mirror(clubs(), versions());
  failing.add(club(4).ID);
  await sync(dependencies);
  const { examples } = await sync(dependencies);
  expect(examples.failed).toEqual([{ club: club(4).ID, failures: 2, reason: "down" }]);
});

test("the state keeps why a club or the list of clubs failed, until it can be read again", async () => {
  const { dependencies, failing } = await mirror(clubs(), versions());
  const failures = async () => {
    const { list, clubs } = await dependencies.state.read();
    return { list: list.failure, clubs: [...clubs.values()].flatMap(({ failure }) => failure ?? []) };
  };
  await sync(dependencies);
  failing.add("clubs").add(club(4).ID).add(club(5).ID);
  await sync(dependencies);
  expect(await failures()).toEqual({ list: "down", clubs: ["down", "down"] });
  failing.delete("clubs");
  failing.delete(club(4).ID);
  await sync(dependencies);
  expect(await failures()).toEqual({ list: undefined, clubs: ["down"] });
});

test("no version is marked as removed if the response could not be read completely", async () => {
  const all = versions();
  const { dependencies, unreadable, clock } = await mirror(clubs(), all);
  const nextDay = async () => {
    clock.now += 86_400_000;
    return syncMirror(dependencies, "full", plenty);
  };
  await syncMirror(dependencies, "full", plenty);
  all.shift();
  unreadable.set(club(1).ID, 1);
  for (const _ of [1, 2])
    expect(await nextDay()).toMatchObject({ removedVersions: 0, doubtedLists: 0, skippedEntries: 1 });
  unreadable.clear();
  expect(await nextDay()).toMatchObject({ removedVersions: 0, doubtedLists: 1, skippedEntries: 0 });
  expect(await nextDay()).toMatchObject({ removedVersions: 1, doubtedLists: 0 });
});

test("no club is removed if the list could not be read completely", async () => {
  const all = clubs();
  const { dependencies, unreadable, clock } = await mirror(all, versions());
  const nextDay = async () => {
    clock.now += day;
    return syncMirror(dependencies, "full", plenty);
  };
  await syncMirror(dependencies, "full", plenty);
  all.shift();
  unreadable.set("clubs", 1);
  for (const _ of [1, 2]) expect(await nextDay()).toMatchObject({ removedClubs: 0, unlistedClubs: 0 });
  unreadable.clear();
  expect(await nextDay()).toMatchObject({ removedClubs: 0, unlistedClubs: 1 });
  expect(await nextDay()).toMatchObject({ removedClubs: 1 });
});

test("after a version was marked as removed, the next sync is a full one, and then changes are enough again", async () => {
  const all = versions();
  const { dependencies, asked, clock } = await mirror(clubs(), all);
  await sync(dependencies);
  all.push(version(1, { ID: version(11).ID, Version: 2 }));
  all.shift();
  const wholeOf = async (kind: "changes" | "full") => {
    asked.length = 0;
    clock.now += 900_000;
    await syncMirror(dependencies, kind, plenty);
    return asked.filter(({ since }) => since === undefined).map(({ clubId }) => clubId);
  };
  expect(await wholeOf("full")).toHaveLength(5);
  // The list was half as long, and comes again.
  expect(await wholeOf("changes")).toEqual([club(1).ID]);
  expect(await wholeOf("changes")).toEqual([club(1).ID]);
  expect(await wholeOf("changes")).toEqual([]);
});

test("courses that the union left out for some hours are restored by the next sync", async () => {
  const all = versions();
  const { dependencies, courses, clock } = await mirror(clubs(), all);
  const nextSync = async (kind: "changes" | "full") => {
    clock.now += 900_000;
    return syncMirror(dependencies, kind, plenty);
  };
  await nextSync("changes");
  const leftOut = all.splice(0, 2);
  expect(await nextSync("full")).toMatchObject({ doubtedLists: 2, removedVersions: 0 });
  expect(await nextSync("changes")).toMatchObject({ removedVersions: 2 });
  for (const _ of [1, 2, 3]) await nextSync("changes");
  all.push(...leftOut);
  expect(await nextSync("changes")).toMatchObject({ changedVersions: 2 });
  for (const { ID } of all) expect((await courses.version(ID))?.clubs).toHaveLength(1);
});

/** A mirror of 100 clubs, without courses but two, that has not been told of the loss of two of them for a day. */
async function mirrorWithTwoGone() {
  const many = Array.from({ length: 100 }, (_, n) => n + 1);
  const listed = many.map((number) => club(number));
  const made = await mirror(listed, [version(4), version(5)]);
  await sync(made.dependencies);
  listed.splice(3, 2);
  expect(await sync(made.dependencies)).toMatchObject({ unlistedClubs: 2 });
  made.clock.now += day;
  return made;
}

test("clubs that are gone are removed while there is time, and the rest by the next sync", async () => {
  const { dependencies, courses } = await mirrorWithTwoGone();
  let asks = 0;
  // It asks before each club, and before each that it removes.
  const given = () => (asks++ < 101 ? 600_000 : 1000);
  const report = await syncMirror(dependencies, "changes", given);
  expect(report).toMatchObject({ removedClubs: 2, removedVersions: 1, left: 1 });
  expect(await dependencies.clubs.all()).toHaveLength(99);
  expect(await sync(dependencies)).toMatchObject({ removedClubs: 1, removedVersions: 1 });
  for (const number of [4, 5]) expect(await courses.club(club(number).ID)).toEqual([]);
});

test("a club that cannot be removed does not stop the others", async () => {
  const { dependencies, courses } = await mirrorWithTwoGone();
  const unreadable: typeof courses.listings = (id) =>
    id === club(4).ID ? Promise.reject(new Error("unreadable")) : courses.listings(id);
  const failing = { ...dependencies, courses: { ...dependencies.courses, listings: unreadable } };
  expect(await sync(failing)).toMatchObject({ failed: 1, mirrored: 98 });
  expect((await dependencies.clubs.all()).map(({ id }) => id)).not.toContain(club(5).ID);
  expect(await sync(dependencies)).toMatchObject({ removedClubs: 1, removedVersions: 1 });
});

test("state that could not be saved in the middle of a sync is saved later, and the sync goes on", async () => {
  const { dependencies, register, clock } = await mirror(clubs(), versions());
  let writes = 0;
  const busyAtFirst = {
    ...dependencies,
    union: {
      ...register,
      courses: (...given: Parameters<typeof register.courses>) => {
        clock.now += 16_000;
        return register.courses(...given);
      },
    },
    state: {
      ...dependencies.state,
      write: async (state: Parameters<typeof dependencies.state.write>[0]) => {
        if (++writes === 1) throw new TableBatchError("courses");
        await dependencies.state.write(state);
      },
    },
  };
  expect(await sync(busyAtFirst)).toMatchObject({ mirrored: 5, failed: 0 });
  expect([...(await dependencies.state.read()).clubs.values()].every(({ syncedAt }) => syncedAt > 0)).toBe(
    true,
  );
});

test("a full sync that was due is made up for by the next one that can be made", async () => {
  const all = versions();
  const { dependencies, asked, failing, clock } = await mirror(clubs(), all);
  await sync(dependencies);
  clock.now += 86_400_000;
  const broken = (change: Partial<typeof dependencies>) => ({ ...dependencies, ...change });
  const { state } = dependencies;
  const fails = () => Promise.reject(new Error("killed"));
  for (const doomed of [
    broken({ account: fails }),
    broken({ state: { ...state, read: fails } }),
    broken({ state: { ...state, write: fails } }),
  ])
    await expect(sync(doomed)).rejects.toThrow("killed");
  failing.add("clubs").add(club(2).ID);
  await sync(dependencies);
  failing.clear();
  asked.length = 0;
  await sync(dependencies);
  const whole = asked.filter(({ since }) => since === undefined);
  expect(whole.map(({ clubId }) => clubId)).toEqual([club(2).ID]);
});

test("a club is asked for the changes since its last list that could be read, until one can be", async () => {
  const { dependencies, asked, unreadable, clock } = await mirror(clubs(), versions());
  await sync(dependencies);
  unreadable.set(club(1).ID, 1);
  const sinceOfNext = async () => {
    clock.now += 3_600_000;
    asked.length = 0;
    const report = await sync(dependencies);
    return [asked.find(({ clubId }) => clubId === club(1).ID)?.since, report.skippedEntries];
  };
  expect(await sinceOfNext()).toEqual(["20260601T115000", 1]);
  expect(await sinceOfNext()).toEqual(["20260601T115000", 1]);
  unreadable.clear();
  expect(await sinceOfNext()).toEqual(["20260601T115000", 0]);
  expect(await sinceOfNext()).toEqual(["20260601T145000", 0]);
});

test("a sync stores which course each tee is of, also of tees that versions share, and the numbers of the clubs", async () => {
  const tee = (ID: unknown) => ({ ID, Name: "Yellow", Holes: [] });
  const teeIds = ["629bdeec-0000-4309-861e-08b072d9509a", "73acEFFD-0000-4410-972f-19c183ea610b"];
  const withTees = (of: CourseVersion, ...IDs: unknown[]) =>
    ({ ...of, Tees: IDs.map(tee) }) as unknown as CourseVersion;
  const second = version(1, { ID: version(11).ID, Version: 2 });
  const all = [withTees(version(1), teeIds[0], "no GUID", null), withTees(second, teeIds[0], teeIds[1])];
  const { dependencies, courses } = await mirror(clubs(), all);
  expect(await courses.clubNumbers()).toEqual([]);
  await sync(dependencies);
  for (const teeId of teeIds)
    expect(await courses.coursesOfTee(teeId.toLowerCase())).toEqual([version(1).TemplateID]);
  expect(await courses.coursesOfTee(version(2).ID)).toEqual([]);
  expect(await courses.clubNumbers()).toEqual(numbers);
  expect(await courses.course(version(1).TemplateID)).toHaveLength(2);
  expect(await courses.club(club(1).ID)).toHaveLength(2);
});

test("a tee that up to 20 courses have names each of them, and one that more have names none: its union has no IDs of tees", async () => {
  const Tees = [{ ID: version(9).ID, Name: "Yellow", Holes: [] }] as unknown as CourseVersion["Tees"];
  const all = Array.from({ length: 20 }, (_, n) => version(100 + n, { ClubID: club(1).ID, Tees }));
  const { dependencies, courses, clock } = await mirror(clubs(), all);
  await syncMirror(dependencies, "full", plenty);
  const named = all.map(({ TemplateID }) => TemplateID);
  expect((await courses.coursesOfTee(version(9).ID)).toSorted()).toEqual(named);
  all.push(version(120, { ClubID: club(1).ID, Tees }));
  clock.now += 900_000;
  await syncMirror(dependencies, "full", plenty);
  expect(await courses.coursesOfTee(version(9).ID)).toEqual([]);
});

test("answers that are too large to be read at the same time are read one after the other", async () => {
  const { dependencies, register, courses } = await mirror(clubs(), versions());
  const large = new Set([1, 2, 4].map((number) => club(number).ID));
  let reading = 0;
  let most = 0;
  const union: typeof register = {
    ...register,
    async courses(account, clubId, since, maxMebibytes) {
      if (!large.has(clubId)) return register.courses(account, clubId, since);
      if (maxMebibytes !== undefined)
        throw new UnionUnavailableError("large", { cause: new ResponseTooLargeError(maxMebibytes) });
      most = Math.max(most, ++reading);
      return register.courses(account, clubId, since);
    },
  };
  const put: typeof courses.put = async (clubId, ...given) => {
    const written = await courses.put(clubId, ...given);
    if (large.has(clubId)) reading--;
    return written;
  };
  const given = { ...dependencies, union, courses: { ...dependencies.courses, put }, parallelRequests: 5 };
  expect(await sync(given)).toMatchObject({ mirrored: 5, failed: 0 });
  expect(most).toBe(1);
  for (const { ID } of clubs()) expect(await courses.club(ID)).toHaveLength(1);
});
