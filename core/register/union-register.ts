import { elementTexts } from "../formats/exact-json.ts";
import { type GuidKey, guidKey, isGuid } from "../formats/identifiers.ts";
import type { UnionAccount } from "../union/account-secrets.ts";
import { askUnion, unionFailure } from "../union/request.ts";
import { retryAfterSeconds } from "../union/retry-after.ts";
import { UnionUnavailableError } from "../union/union-unavailable-error.ts";
import type { RegisterRecord } from "./record.ts";

/** One of the union's lists, of clubs or of course versions. */
export interface Listing {
  /** No two with the same ID. */
  readonly entries: readonly RegisterRecord[];
  /** Why each entry was left out that could not be read: one bad course must not hide the others. */
  readonly skipped: readonly string[];
}

/** The union's register of clubs and courses. */
export interface CourseRegisterClient {
  /** Every club of the union. @throws UnionUnavailableError */
  clubs(account: UnionAccount): Promise<Listing>;
  /**
   * A club's course versions, active and inactive ones.
   *
   * @param changedSince `yyyymmddThhmmss` in UTC: only those that changed after it
   * @param maxMebibytes the largest answer that is read, if not what is read at most of any
   * @returns undefined if the union knows no such club
   * @throws UnionUnavailableError; its cause is a ResponseTooLargeError if the answer is larger
   */
  courses(
    account: UnionAccount,
    clubId: string,
    changedSince?: string,
    maxMebibytes?: number,
  ): Promise<Listing | undefined>;
}

const notJson = () => new UnionUnavailableError("The union's answer is not JSON.");

function splitElements(list: string): string[] {
  try {
    return elementTexts(list);
  } catch {
    parseOr(list, notJson);
    throw new UnionUnavailableError("The union's answer is not a list.");
  }
}

function parseOr(text: string, error: () => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw error();
  }
}

function readList(list: string): Listing {
  // If an ID is listed twice, the last entry counts.
  const entries = new Map<GuidKey, RegisterRecord>();
  const skipped: string[] = [];
  for (const [place, text] of splitElements(list).entries()) {
    const { ID } = Object(parseOr(text, notJson)) as { readonly ID?: unknown };
    if (typeof ID === "string" && isGuid(ID)) entries.set(guidKey(ID), { id: guidKey(ID), text });
    else skipped.push(`Entry ${place + 1} has ${ID === undefined ? "no ID" : "an ID that is no GUID"}.`);
  }
  return { entries: [...entries.values()], skipped };
}

/** Reads the register over HTTP. */
export function courseRegister(baseAddress: string, timeoutMilliseconds: number): CourseRegisterClient {
  async function get(account: UnionAccount, path: string, maxMebibytes?: number): Promise<string> {
    const request = { method: "GET", path, timeoutMilliseconds, maxMebibytes } as const;
    const { status, headers, text } = await askUnion(baseAddress, account, request).catch(
      (cause: unknown) => {
        throw new UnionUnavailableError(unionFailure(cause), { cause });
      },
    );
    if (status === 404) return "null";
    if (status !== 200) {
      const wait = retryAfterSeconds(headers.get("Retry-After"), new Date());
      throw new UnionUnavailableError(`The union answered ${status}.`, {
        status,
        ...(wait !== undefined && { retryAfterSeconds: wait }),
      });
    }
    return text;
  }

  return {
    clubs: async (account) => readList(await get(account, "Clubs")),
    async courses(account, clubId, changedSince, maxMebibytes) {
      const since = changedSince === undefined ? "" : `?changedsince=${changedSince}`;
      const list = await get(account, `clubs/${encodeURIComponent(clubId)}/courses${since}`, maxMebibytes);
      return list.trim() === "null" ? undefined : readList(list);
    },
  };
}
