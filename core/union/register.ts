import type * as z from "zod/mini";
import { type Club, type CourseVersion, clubSchema, courseVersionSchema } from "../courses/course.ts";
import { type GuidKey, guidKey } from "../formats/guid.ts";
import type { UnionAccount } from "./account.ts";
import { askUnion, unionFailure } from "./request.ts";

/** The union did not answer, or not as expected. */
export class UnionUnavailableError extends Error {
  override readonly name = "UnionUnavailableError";
}

/** A list of the union. */
export interface Listing<T> {
  /** No two with the same ID. */
  readonly entries: readonly T[];
  /** How many entries were left out because they could not be read: one bad course must not hide the others. */
  readonly unreadable: number;
}

/** The union's register of clubs and courses. */
export interface CourseRegisterClient {
  /** Every club of the union. @throws UnionUnavailableError */
  clubs(account: UnionAccount): Promise<Listing<Club>>;
  /**
   * A club's course versions, active and inactive ones.
   *
   * @param changedSince `yyyymmddThhmmss` in UTC: only those that changed after it
   * @returns undefined if the union knows no such club
   * @throws UnionUnavailableError
   */
  courses(
    account: UnionAccount,
    clubId: string,
    changedSince?: string,
  ): Promise<Listing<CourseVersion> | undefined>;
}

function readEach<T extends { readonly ID: string }>(list: unknown, schema: z.ZodMiniType<T>): Listing<T> {
  if (!Array.isArray(list)) throw new UnionUnavailableError("The union's answer is not a list.");
  // If an ID is listed twice, the last entry counts.
  const entries = new Map<GuidKey, T>();
  let unreadable = 0;
  for (const entry of list) {
    const read = schema.safeParse(entry);
    if (read.success) entries.set(guidKey(read.data.ID), read.data);
    else unreadable++;
  }
  return { entries: [...entries.values()], unreadable };
}

/** Reads the register over HTTP. */
export function courseRegister(baseAddress: string, timeoutMilliseconds: number): CourseRegisterClient {
  async function get(account: UnionAccount, path: string): Promise<unknown> {
    const request = { method: "GET", path, timeoutMilliseconds } as const;
    const { status, text } = await askUnion(baseAddress, account, request).catch((cause: unknown) => {
      throw new UnionUnavailableError(unionFailure(cause), { cause });
    });
    if (status === 404) return undefined;
    if (status !== 200) throw new UnionUnavailableError(`The union answered ${status}.`);
    try {
      return JSON.parse(text);
    } catch {
      throw new UnionUnavailableError("The union's answer is not JSON.");
    }
  }

  return {
    async clubs(account) {
      return readEach(await get(account, "Clubs"), clubSchema);
    },
    async courses(account, clubId, changedSince) {
      const since = changedSince === undefined ? "" : `?changedsince=${changedSince}`;
      const list = await get(account, `clubs/${encodeURIComponent(clubId)}/courses${since}`);
      return list === undefined || list === null ? undefined : readEach(list, courseVersionSchema);
    },
  };
}
