import { LRUCache } from "lru-cache";
import { type GuidKey, guidKey } from "../formats/guid.ts";
import type { CourseVersion } from "./course.ts";

/** Course versions by the ID of a course or club, kept in memory, and read once for all who ask at the same time. */
export interface VersionCache<Read> {
  /** @throws what reading throws; nothing is kept then */
  get(id: GuidKey): Promise<readonly Read[]>;
}

/** How much is kept, and for how long. */
export interface Keeping {
  /** Of all versions together. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Of an ID for which there are no versions. */
  readonly noneMilliseconds: number;
}

/** Memory that a version takes for each character of its JSON, once it has been calculated with; measured. */
const bytesOfCharacter = 2;

/** Keeps what `read` gives, bounded in bytes and age. */
export function versionCache<Read>(
  { bytes, milliseconds, noneMilliseconds }: Keeping,
  read: (id: GuidKey) => Promise<readonly Read[]>,
): VersionCache<Read> {
  const kept = new LRUCache<GuidKey, readonly Read[]>({
    maxSize: bytes,
    sizeCalculation: (versions) => 500 + bytesOfCharacter * JSON.stringify(versions).length,
    ttl: milliseconds,
    // What is still being read may be the first to make room for what was read since: it is not kept then, but whoever
    // waits for it is given it all the same.
    ignoreFetchAbort: true,
    fetchMethod: async (id, _stale, { options }) => {
      const versions = await read(id);
      if (versions.length === 0) options.ttl = noneMilliseconds;
      return versions;
    },
  });
  return { get: async (id) => (await kept.fetch(id)) ?? [] };
}

/** All versions of the course that an ID names, a version's or a TemplateID. */
export function versionsOfCourse(versions: readonly CourseVersion[], courseId: GuidKey): CourseVersion[] {
  const named = versions.find(
    ({ ID, TemplateID }) => guidKey(ID) === courseId || guidKey(TemplateID) === courseId,
  );
  return named === undefined
    ? []
    : versions.filter(({ TemplateID }) => guidKey(TemplateID) === guidKey(named.TemplateID));
}
