import type * as z from "zod/mini";
import { type Club, type CourseVersion, clubSchema, courseVersionSchema } from "../courses/course.ts";
import { type GuidKey, guidKey } from "../formats/guid.ts";
import type { UnionAccount } from "./account.ts";
import { AnswerTooLarge, askUnion } from "./request.ts";

/** The union did not give what it was asked for. */
export class UnionUnavailable extends Error {
  override readonly name = "UnionUnavailable";
}

/** What the union listed. */
export interface Listing<T> {
  /** No two with the same ID. */
  readonly entries: readonly T[];
  /** How many other entries could not be read. */
  readonly unreadable: number;
}

/** The union's register of clubs and courses. */
export interface CourseRegisterClient {
  /** Every club of the union. @throws UnionUnavailable */
  clubs(account: UnionAccount): Promise<Listing<Club>>;
  /**
   * A club's course versions, active and inactive ones.
   *
   * @param changedSince `yyyymmddThhmmss` in UTC: only those that changed after it
   * @returns undefined where the union knows no such club
   * @throws UnionUnavailable
   */
  courses(
    account: UnionAccount,
    clubId: string,
    changedSince?: string,
  ): Promise<Listing<CourseVersion> | undefined>;
}

function readEach<T extends { readonly ID: string }>(answer: unknown, schema: z.ZodMiniType<T>): Listing<T> {
  if (!Array.isArray(answer)) throw new UnionUnavailable("The union's answer is not a list.");
  // Where an ID is listed twice the last entry counts: one record cannot be two things.
  const entries = new Map<GuidKey, T>();
  let unreadable = 0;
  for (const entry of answer) {
    const read = schema.safeParse(entry);
    if (read.success) entries.set(guidKey(read.data.ID), read.data);
    else unreadable++;
  }
  return { entries: [...entries.values()], unreadable };
}

/**
 * Reads the register over HTTP.
 *
 * An entry that cannot be read is left out and counted: one bad course must not hide the others.
 */
export function courseRegister(baseAddress: string, timeoutMilliseconds: number): CourseRegisterClient {
  async function get(account: UnionAccount, path: string): Promise<unknown> {
    let status: number;
    let text: string;
    try {
      ({ status, text } = await askUnion(baseAddress, account, { method: "GET", path, timeoutMilliseconds }));
    } catch (cause) {
      const why = cause instanceof AnswerTooLarge ? cause.message : "The union could not be reached.";
      throw new UnionUnavailable(why, { cause });
    }
    if (status === 404) return undefined;
    if (status !== 200) throw new UnionUnavailable(`The union answered ${status}.`);
    try {
      return JSON.parse(text);
    } catch {
      throw new UnionUnavailable("The union's answer is not JSON.");
    }
  }

  return {
    async clubs(account) {
      return readEach(await get(account, "Clubs"), clubSchema);
    },
    async courses(account, clubId, changedSince) {
      const since = changedSince === undefined ? "" : `?changedsince=${changedSince}`;
      const answer = await get(account, `clubs/${encodeURIComponent(clubId)}/courses${since}`);
      return answer === undefined || answer === null ? undefined : readEach(answer, courseVersionSchema);
    },
  };
}
