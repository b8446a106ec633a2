import type { UnionCourseVersion } from "@scorecard-pipeline/stand-in";
import type { ConformanceOptions, UnionReply, UnionRequests } from "./union-requests.ts";

/** The union that is asked. What several assumptions read is requested once. */
export interface UnionUnderTest extends UnionRequests {
  readonly options: ConformanceOptions;
  readonly clubs: () => Promise<UnionReply>;
  /** Courses of the first club that has an active course of 18 holes; of the first club otherwise. */
  readonly courses: () => Promise<{
    readonly clubId: string;
    readonly reply: UnionReply;
    readonly versions: readonly UnionCourseVersion[];
  }>;
  readonly member: () => Promise<UnionReply>;
}

/** What a run may be given: test players, that cards are posted, and records at the union. */
export type Need = "player" | "otherPlayer" | "cards" | "records";

/** One thing that the pipeline takes for granted. */
export interface Assumption {
  readonly name: string;
  readonly needs?: readonly Need[];
  /** @returns undefined if it holds, else what was seen, without anything of a person; `unseen`: what did not come in time */
  check(asked: UnionUnderTest): Promise<string | { readonly unseen: string } | undefined>;
}

/** An ID that nothing at the union has. */
export const unknownId = "00000000-0000-4000-8000-000000000000";

/** Whether a value is a list of objects. */
export const isList = (value: unknown): value is readonly Record<string, unknown>[] => Array.isArray(value);
/** @returns undefined if a reply has the status, else what it has */
export const hasStatus = ({ status }: UnionReply, expected: number) =>
  status === expected ? undefined : `status ${status} instead of ${expected}`;

/** The API set of the account that asks. */
export const set = ({ options }: UnionUnderTest) => options.apiSet;
