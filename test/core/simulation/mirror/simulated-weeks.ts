import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { GuidKey } from "../../../../core/formats/identifiers.ts";
import { clubTable } from "../../../../core/register/club-table.ts";
import { courseTable } from "../../../../core/register/course-table.ts";
import { fullSyncDueAt } from "../../../../core/register/full-sync.ts";
import { mirrorStateTable } from "../../../../core/register/mirror-state-table.ts";
import { type SyncDependencies, syncMirror } from "../../../../core/register/sync.ts";
import { courseRegister } from "../../../../core/register/union-register.ts";
import { removeClub } from "../../../../core/register/unlisted-clubs.ts";
import { day, hour, minute } from "../../../durations.ts";
import { type EngineFaults, type Environment, environment, requester } from "../environment.ts";
import type { VirtualTime } from "../virtual-time.ts";
import { registerTables } from "./register-tables.ts";
import { type MirroredLists, simulatedUnion, type UnionFaults } from "./simulated-union.ts";

/** Breaks the mirror, to see whether the judge notices. */
export type Sabotage = (dependencies: SyncDependencies) => SyncDependencies;

const interval = 15 * minute;
const runTime = 10 * minute;
const fullSyncAt = { hour: 3, minute: 30 };
const timeZone = "Europe/Copenhagen";
/** Longer than it takes until what was written can be read. */
const settling = 70_000;

const calmUnion: UnionFaults = { serverError: 0, hang: 0, reset: 0, nonsense: 0, cut: 0, down: false };
const calmEngines: EngineFaults = {
  kill: 0,
  refuse: 0,
  loseAnswer: 0,
  finishLate: 0,
  refusePart: 0,
  slow: 0,
  stall: 0,
};

const mostlyShown = (all: Iterable<string>) => JSON.stringify([...all].sort());

/**
 * A week of a union's life, with a mirror of it that runs every quarter of an hour.
 *
 * @param address for the mirror to ask; passes its requests to the union
 * @returns what did not hold, in words
 */
export async function simulatedWeek(
  seed: number,
  time: VirtualTime,
  serve: (fetch: (address: string) => Promise<Response>) => void,
  sabotage: Sabotage = (dependencies) => dependencies,
): Promise<string[]> {
  const random = seededRandom(seed, "week of a mirror");
  const unionFaults = { ...calmUnion };
  const engineFaults = { ...calmEngines };
  const violations = new Set<string>();
  const violated = (words: string) => violations.add(`${new Date(time.now()).toISOString()} ${words}`);

  /** What the union listed in its last good answers, by club. */
  const owed = new Map<GuidKey, Set<GuidKey>>();

  const request = requester(time, seededRandom(seed, "engines"), engineFaults);
  const tables = registerTables(request, time, seededRandom(seed, "tables"), engineFaults);
  const vendor = { clubs: clubTable("clubs", tables.calm), courses: courseTable("courses", tables.calm) };
  const state = mirrorStateTable("courses", tables.calm);
  const mirrored: MirroredLists = {
    async ids(clubId) {
      const entries = clubId === undefined ? await vendor.clubs.all() : await vendor.courses.listings(clubId);
      return new Set(entries.map(({ id }) => id));
    },
    async isDoubting(clubId) {
      const { clubs } = await state.read();
      return clubId !== undefined && clubs.get(clubId)?.doubted !== undefined;
    },
  };
  const union = simulatedUnion(
    time,
    seededRandom(seed, "union"),
    unionFaults,
    mirrored,
    ({ clubId, isWhole, ids }) => {
      if (clubId !== undefined) {
        owed.set(clubId, new Set(isWhole ? ids : [...(owed.get(clubId) ?? []), ...ids]));
        return;
      }
      for (const id of [...owed.keys()]) if (!ids.includes(id)) owed.delete(id);
    },
  );
  serve(union.fetch);

  /** What vendors read, by club. */
  const readAll = async () => {
    const ids = new Set([...union.clubs.keys(), ...seen.keys()]);
    return new Map(
      await Promise.all([...ids].map(async (id) => [id, await vendor.courses.club(id)] as const)),
    );
  };
  const seen = new Map<GuidKey, Set<GuidKey>>();
  /** Clubs that both the union and the mirror had. */
  let shared = new Set<GuidKey>();

  async function look(): Promise<void> {
    const shownClubs = new Set((await vendor.clubs.all()).map(({ id }) => id));
    for (const id of shared)
      if (union.clubs.has(id) && !shownClubs.has(id))
        violated(`club ${id} is gone, although the union has it`);
    shared = shownClubs.intersection(new Set(union.clubs.keys()));
    for (const [clubId, versions] of await readAll()) {
      const shown = new Set(versions.map(({ version }) => version.ID as GuidKey));
      for (const id of seen.get(clubId) ?? []) {
        if (!shown.has(id) && owed.get(clubId)?.has(id))
          violated(`${id} of ${clubId} is gone, although listed`);
      }
      seen.set(clubId, shown);
    }
  }

  let alive: Environment | undefined;
  let running: Promise<unknown> | undefined;
  let environments = 0;
  function run(): Promise<unknown> {
    if (!alive?.isAlive()) alive = environment(`mirror-${++environments}`, time, random);
    const from = alive;
    from.beginRun();
    const client = tables.of(from);
    const endsAt = time.now() + runTime;
    const mirror = sabotage({
      union: courseRegister("http://union.test/api", 20_000),
      account: async () => ({ username: "mirror", password: "", unionApiSet: "mirror", token: "" }),
      clubs: clubTable("clubs", client),
      courses: courseTable("courses", client),
      state: mirrorStateTable("courses", client),
      sleep: time.sleep,
      parallelRequests: 4,
      overlapMilliseconds: 10 * minute,
      fullDueAt: (now) => fullSyncDueAt(now, fullSyncAt, timeZone),
      now: () => new Date(from.now()),
    });
    const synced = syncMirror(mirror, "changes", () => endsAt - time.now()).catch(() => undefined);
    // Lambda ends a run whose time is up.
    const ended = time.sleep(runTime).then(() => from.kill());
    return Promise.race([synced, from.killed, ended]);
  }
  async function runOnSchedule(until: number): Promise<void> {
    while (time.now() < until) {
      // Only one at a time.
      running ??= run().finally(() => {
        running = undefined;
      });
      const first = random.whole(0, interval);
      await time.sleep(first);
      await look();
      await time.sleep(interval - first);
    }
  }

  /** Good times and bad ones. */
  function changeWeather(): void {
    const isStorm = random.chance(0.5);
    const some = (most: number) => (isStorm && random.chance(0.5) ? most * random.fraction() : 0);
    Object.assign(unionFaults, {
      serverError: some(0.5),
      hang: some(0.2),
      reset: some(0.3),
      nonsense: some(0.3),
      cut: some(0.5),
      down: isStorm && random.chance(0.1),
    });
    Object.assign(engineFaults, {
      kill: some(0.05),
      refuse: some(0.1),
      loseAnswer: some(0.1),
      finishLate: some(0.1),
      refusePart: some(0.2),
      slow: some(0.2),
      stall: some(0.05),
    });
  }

  const life = 6 * day;
  const begun = time.now();
  const isOver = () => time.now() >= begun + life;
  async function every(longest: number, happens: () => void): Promise<void> {
    while (!isOver()) {
      happens();
      await time.sleep(random.whole(minute, longest));
    }
  }
  await Promise.all([
    runOnSchedule(begun + life),
    every(8 * hour, changeWeather),
    every(2 * hour, union.live),
  ]);

  Object.assign(unionFaults, calmUnion);
  Object.assign(engineFaults, calmEngines);
  union.mend();
  await time.sleep(settling);
  await running;
  // What was asked since the bad times may be the good pass already, but surely the first of the night is.
  const night = fullSyncDueAt(time.now(), fullSyncAt, timeZone) + day + 2 * hour;
  await time.sleep(night - time.now());
  await look();
  const before = new Map(seen);
  // Otherwise clubs that are gone may be kept for another day.
  const unlisted = (await vendor.clubs.all()).map(({ id }) => id).filter((id) => !union.clubs.has(id));
  const calm = { clubs: clubTable("clubs", tables.calm), courses: courseTable("courses", tables.calm) };
  for (const id of unlisted) await removeClub(id, calm, time.now());

  /** Whether a list became so much shorter that it has to come twice. */
  const isDoubtful = (old: readonly GuidKey[], listed: (id: GuidKey) => boolean) => {
    const lacking = old.filter((id) => !listed(id)).length;
    return lacking > 0 && 3 * lacking >= old.length;
  };
  const differs = (shown: readonly string[], wanted: readonly string[], mayHaveMore: boolean) =>
    mayHaveMore ? wanted.some((text) => !shown.includes(text)) : mostlyShown(shown) !== mostlyShown(wanted);
  /** @param isDoubted whether a club's list may still have what the union has removed; nothing else */
  async function compare(when: string, isDoubted: (clubId: GuidKey) => boolean): Promise<void> {
    const texts = (await vendor.clubs.all()).map(({ text }) => text);
    if (mostlyShown(texts) !== mostlyShown([...union.clubs.values()]))
      violated(`after the good pass, asked ${when}, the clubs are not the union's`);
    for (const [clubId, versions] of await readAll()) {
      const listed = union.clubs.has(clubId) ? union.list(clubId) : [];
      const wanted = listed.map((id) => union.versions.get(id)?.text ?? "");
      const shown = versions.map(({ text }) => text);
      if (differs(shown, wanted, isDoubted(clubId)))
        violated(
          `after the good pass, asked ${when}, ${clubId} has ${mostlyShown(shown)}, not ${mostlyShown(wanted)}`,
        );
    }
  }
  await run();
  await time.sleep(settling);
  await compare("once", (id) =>
    isDoubtful([...(before.get(id) ?? [])], (one) => union.list(id).includes(one)),
  );
  await time.sleep(interval - settling);
  await run();
  await time.sleep(settling);
  await look();
  await compare("twice", () => false);
  for (const [id, { templateId }] of union.versions) {
    const found = (await vendor.courses.course(templateId)).find(({ version }) => version.ID === id);
    const clubs = [...union.clubs.keys()].filter((clubId) => union.list(clubId).includes(id));
    // A version that was listed for so short a time that the mirror never saw it is none.
    if (mostlyShown(found?.clubs ?? []) !== mostlyShown(clubs))
      violated(`${id} is listed by ${mostlyShown(found?.clubs ?? [])}, not ${mostlyShown(clubs)}`);
  }
  return [...violations];
}
