import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  batchGet,
  type ConditionalWrite,
  conditionalWrites,
  type Item,
  TableBatchError,
} from "../aws/batch.ts";
import type { GuidKey } from "../formats/identifiers.ts";

/** A tee and the TemplateID of a course that has it. */
export interface CourseTee {
  readonly teeId: GuidKey;
  readonly courseId: GuidKey;
}

/** A tee names no more courses than this: a union that gives many courses the same tee has no IDs of tees. */
const maxCourses = 20;
/** How often an item is read and written again if it was written in between. */
const maxTries = 4;

/** The key of the item that names a tee's courses. Without templateId and clubId it is in no index. */
export const teeKey = (teeId: GuidKey): Item => ({ id: { S: `tee#${teeId}` } });

/**
 * The courses that a tee's item names, the last written one at the end. `courses` is there if there are several; an older version of the
 * mirror reads and writes `course` alone.
 */
export function coursesIn({ course, courses }: Item): GuidKey[] {
  const all = [...(courses?.L ?? []), ...(course === undefined ? [] : [course])].map(
    ({ S = "" }) => S as GuidKey,
  );
  return [...new Set(all)];
}

/**
 * Makes the items of tees name courses, besides those that they name already. What they name is read first, because a new version mostly
 * has the tees of the one before: then nothing is written.
 *
 * @throws TableBatchError: some may not be written; the same call may be made again
 */
export async function addTees(
  client: DynamoDBClient,
  table: string,
  tees: readonly CourseTee[],
): Promise<void> {
  let remaining = Map.groupBy(tees, ({ teeId }) => teeId);
  for (let round = 0; remaining.size > 0; round++) {
    if (round === maxTries) throw new TableBatchError(table);
    const items = await batchGet(client, table, [...remaining.keys()].map(teeKey));
    const stored = new Map(items.map((item) => [item.id?.S, item]));
    const planned = [...remaining].flatMap(([teeId, ofTee]) => {
      const wanted = ofTee.map(({ courseId }) => courseId);
      const write = planTee(teeId, wanted, stored.get(teeKey(teeId).id?.S));
      return write === undefined ? [] : [{ teeId, ofTee, write }];
    });
    const writes = planned.map(({ write }) => write);
    const results = await conditionalWrites(client, table, writes);
    const lost = planned.filter((_, index) => results[index] === "lost");
    remaining = new Map(lost.map(({ teeId, ofTee }) => [teeId, ofTee]));
  }
}

function planTee(
  teeId: GuidKey,
  wanted: readonly GuidKey[],
  stored: Item | undefined,
): ConditionalWrite | undefined {
  const known = stored === undefined ? [] : coursesIn(stored);
  const missing = wanted.filter((courseId) => !known.includes(courseId));
  const courses = [...new Set([...known, ...missing])].slice(-maxCourses);
  const last = courses.at(-1);
  if (missing.length === 0 || last === undefined) return undefined;
  const set = {
    course: { S: last },
    ...(courses.length > 1 && { courses: { L: courses.map((courseId) => ({ S: courseId })) } }),
  };
  const key = teeKey(teeId);
  return stored?.course === undefined ? { key, set } : { key, expects: { course: [stored.course] }, set };
}
