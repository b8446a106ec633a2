import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { type GuidKey, guidKey } from "../../../../core/formats/identifiers.ts";
import type { RegisterRecord } from "../../../../core/golf/course.ts";
import type { AcceptedRemovalTable } from "../../../../core/register/accepted-removal-table.ts";
import type { ClubTable } from "../../../../core/register/club-table.ts";
import { type SyncDependencies, syncMirror } from "../../../../core/register/sync.ts";
import type { MirrorState } from "../../../../core/register/sync-state.ts";
import { type Listing, UnionUnavailableError } from "../../../../core/register/union-register.ts";
import { proofSeed } from "../../../proofs/proof-seed.ts";
import { club, recordOf, version } from "../../register/union-in-memory.ts";

/** Every quarter of an hour as deployed, instead of every three hours: SYNC_MINUTES=15. */
const { SYNC_MINUTES = "180" } = process.env;
const minute = 60_000;
const day = 24 * 60 * minute;
const begin = Date.UTC(2026, 5, 1, 12);
const clubs = Array.from({ length: 40 }, (_, n) => recordOf(club(n + 1)));
/** These the union removes in the middle of the week; it knows them no more then. */
const removedByUnion = new Set(clubs.slice(38).map(({ id }) => id));
const removedAt = begin + 3 * day;

const down = (retryAfterSeconds?: number) =>
  Promise.reject(
    new UnionUnavailableError("down", retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  );
const some = (listed: readonly RegisterRecord[], skipped: readonly string[] = []): Promise<Listing> =>
  Promise.resolve({ entries: listed, skipped });

/** What can be wrong with the list of clubs, given the right one. */
const faults: Record<
  string,
  (listed: readonly RegisterRecord[], random: ReturnType<typeof seededRandom>) => Promise<Listing>
> = {
  "no answer": () => down(),
  "a pause": (_, random) => down(random.whole(1, 3600)),
  "an empty list": () => some([]),
  "a first page, the same each time": (listed) => some(listed.slice(0, 27)),
  "a first page of any length": (listed, random) => some(listed.slice(0, random.whole(1, 40))),
  "one missing, the same each time": (listed) => some(listed.toSpliced(7, 1)),
  "one missing, another each time": (listed, random) => some(listed.toSpliced(random.whole(0, 37), 1)),
  "an entry that cannot be read": (listed) => some(listed.slice(1), ["Entry 1 has no ID."]),
};
const names = Object.keys(faults);
/** `npm run proofs` plays all combinations; these have at most two faults, or lack at most one. */
const isPlayed = ({ length }: readonly string[]) =>
  proofSeed !== undefined || length <= 2 || length >= names.length - 1;
const subsets = Array.from({ length: 2 ** names.length }, (_, bits) =>
  names.filter((_name, place) => bits & (1 << place)),
);
const playedSubsets = [...subsets.entries()].filter(([, wrong]) => isPlayed(wrong));

/** A mirror in memory, and what vendors read of it. */
function mirrorInMemory(union: SyncDependencies["union"], clock: { now: number }) {
  const stored = new Map<GuidKey, RegisterRecord>();
  let state: MirrorState = { list: {}, clubs: new Map() };
  const versions = new Map<GuidKey, ReadonlySet<GuidKey>>();
  const table: ClubTable = {
    club: async (id) => stored.get(guidKey(id)),
    all: async () => [...stored.values()],
    isEmpty: async () => stored.size === 0,
    async put(records) {
      for (const record of records) stored.set(record.id, record);
      return [];
    },
    async remove(ids) {
      for (const id of ids) stored.delete(guidKey(id));
    },
  };
  const nothingAccepted: AcceptedRemovalTable = {
    read: async () => new Set(),
    write: async () => undefined,
    clear: async () => undefined,
  };
  const dependencies: SyncDependencies = {
    union,
    account: async () => ({ username: "", password: "", unionApiSet: "", token: "" }),
    clubs: table,
    courses: {
      async put(clubId, records) {
        const listed = new Set([...(versions.get(clubId) ?? []), ...records.map(({ id }) => id)]);
        const added = records.filter(({ id }) => versions.get(clubId)?.has(id) !== true);
        versions.set(clubId, listed);
        return added;
      },
      listings: async (clubId) =>
        [...(versions.get(clubId) ?? [])].map((id) => ({ id, item: { clubId: { S: clubId } } })),
      async remove(listings) {
        for (const { id, item } of listings) {
          const clubId = item.clubId?.S as GuidKey;
          versions.set(clubId, new Set([...(versions.get(clubId) ?? [])].filter((one) => one !== id)));
        }
        return listings.length;
      },
      putClubNumbers: async () => undefined,
    },
    state: {
      read: async () => state,
      async write(written) {
        state = { list: written.list, clubs: new Map(written.clubs) };
      },
    },
    accepted: nothingAccepted,
    sleep: async (milliseconds) => {
      clock.now += milliseconds;
    },
    parallelRequests: 4,
    overlapMilliseconds: 10 * minute,
    fullDueAt: (now) => now - ((now - begin) % day),
    now: () => new Date(clock.now),
  };
  /** Whether vendors read the club and its course. */
  const isShown = (id: GuidKey) => stored.has(id) && (versions.get(id)?.size ?? 0) > 0;
  return { dependencies, isShown };
}

/** A week with these faults of the list. @returns clubs that the union had and vendors did not read, and those shown at its end */
async function week(bits: number, wrong: readonly string[]) {
  const random = seededRandom(bits, "faults of the list");
  const clock = { now: begin };
  let isFirst = true;
  const has = (id: GuidKey) => clock.now < removedAt || !removedByUnion.has(id);
  const { dependencies, isShown } = mirrorInMemory(
    {
      async clubs() {
        const listed = clubs.filter(({ id }) => has(id));
        const fault =
          isFirst || wrong.length === 0 || random.chance(0.2) ? undefined : faults[random.oneOf(wrong)];
        return fault === undefined ? some(listed) : fault(listed, random);
      },
      async courses(_, clubId) {
        const place = clubs.findIndex(({ id }) => id === clubId);
        return has(guidKey(clubId)) ? some([recordOf(version(place + 1))]) : undefined;
      },
    },
    clock,
  );
  const lost = new Set<string>();
  for (let at = begin; at < begin + 7 * day; at += Number(SYNC_MINUTES) * minute) {
    clock.now = Math.max(clock.now, at);
    await syncMirror(dependencies, "changes", () => 600_000);
    isFirst = false;
    for (const { id } of clubs) if (has(id) && !isShown(id)) lost.add(`${id} with ${wrong.join(", ")}`);
  }
  return { lost: [...lost], shown: clubs.filter(({ id }) => isShown(id)).length };
}

test("whatever is wrong with the list of clubs for a week, vendors read every club that the union still has", async () => {
  const lost: string[] = [];
  for (const [bits, wrong] of playedSubsets) lost.push(...(await week(bits, wrong)).lost);
  expect(playedSubsets).toHaveLength(proofSeed === undefined ? 46 : 256);
  expect(lost).toEqual([]);
}, 900_000);

test("a week without faults ends without the club that the union removed, if it was one of so many", async () => {
  removedByUnion.delete(clubs[39]?.id as GuidKey);
  expect((await week(0, [])).shown).toBe(39);
});
