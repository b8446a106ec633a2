import { randomUUID } from "node:crypto";
import type { Club, CourseVersion } from "../../../core/golf/course.ts";
import { clubTable } from "../../../core/register/club-table.ts";
import { courseTable } from "../../../core/register/course-table.ts";
import { fullSyncDueAt } from "../../../core/register/full-sync.ts";
import { mirrorStateTable } from "../../../core/register/mirror-state-table.ts";
import type { SyncDependencies } from "../../../core/register/sync.ts";
import { provideEngine, tables } from "../aws/engine.ts";
import { unionInMemory } from "./union-in-memory.ts";

/** Noon of a day of play. */
export const begin = Date.UTC(2026, 5, 1, 12);

/** Before the tests begin; the next night is due if they go on that long. */
const fullSyncAt = { hour: 3, minute: 30 };

/** More time than a sync needs. */
export const plenty = () => 600_000;

/** A database for the tests of a file; each mirror gets its own tables. */
export async function provideMirrors() {
  const engine = await provideEngine();

  async function makeTables() {
    const names = { clubs: `clubs-${randomUUID()}`, courses: `courses-${randomUUID()}` };
    await engine.createTable({ ...tables.clubs, TableName: names.clubs });
    await engine.createTable({ ...tables.courses, TableName: names.courses });
    return {
      names,
      clubs: clubTable(names.clubs, engine.client),
      courses: courseTable(names.courses, engine.client),
      state: mirrorStateTable(names.courses, engine.client),
    };
  }

  return {
    makeTables,
    /** A mirror of a union in memory. Its clock stands still unless a test moves it. */
    async mirror(clubs: Club[], versions: (CourseVersion & { changedAt?: string })[]) {
      const union = unionInMemory(clubs, versions);
      const stores = await makeTables();
      const clock = { now: begin };
      const written: string[] = [];
      const dependencies: SyncDependencies = {
        union: union.register,
        account: async () => ({ username: "", password: "", unionApiSet: "", token: "" }),
        clubs: stores.clubs,
        courses: {
          ...stores.courses,
          put: async (clubId, records, at) => {
            const changed = await stores.courses.put(clubId, records, at);
            written.push(...changed.map(({ id }) => id));
            return changed;
          },
        },
        state: stores.state,
        sleep: async (milliseconds) => {
          clock.now += milliseconds;
        },
        parallelRequests: 2,
        overlapMilliseconds: 600_000,
        fullDueAt: (now) => fullSyncDueAt(now, fullSyncAt, "UTC"),
        now: () => new Date(clock.now),
      };
      const { course, club } = stores.courses;
      const courses = {
        ...stores.courses,
        /** A version with the clubs that list it. */
        version: async (id: string) => (await course(id)).find(({ version }) => version.ID === id),
        /** What vendors read of a club, as the union sent it, in no order. */
        texts: async (clubId: string) => (await club(clubId)).map(({ text }) => text).sort(),
      };
      return { ...union, dependencies, courses, clock, written, client: engine.client, names: stores.names };
    },
  };
}
