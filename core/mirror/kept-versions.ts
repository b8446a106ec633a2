import { LRUCache } from "lru-cache";
import type { CourseVersion } from "../course/course.ts";

/** Course versions kept in memory by a key, and read once for all who ask at the same time. */
export interface KeptVersions<Read> {
  /** @throws what reading throws; nothing is kept then */
  get(key: string): Promise<readonly Read[]>;
}

/** How long and how much of it is kept. */
export interface Keeping {
  /** All of them together. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Where there are none. */
  readonly noneMilliseconds: number;
}

/** What a character of a version's JSON takes in memory once it was calculated with, measured. */
const bytesOfCharacter = 2;

/** Keeps what `read` gives, bounded in bytes and age. */
export function keptVersions<Read>(
  { bytes, milliseconds, noneMilliseconds }: Keeping,
  read: (key: string) => Promise<readonly Read[]>,
): KeptVersions<Read> {
  const kept = new LRUCache<string, readonly Read[]>({
    maxSize: bytes,
    sizeCalculation: (versions) => 500 + bytesOfCharacter * JSON.stringify(versions).length,
    ttl: milliseconds,
    fetchMethod: async (key, _stale, { options }) => {
      const versions = await read(key);
      if (versions.length === 0) options.ttl = noneMilliseconds;
      return versions;
    },
  });
  return { get: async (key) => (await kept.fetch(key)) ?? [] };
}

/** The versions of the course that an ID names, of a version or a TemplateID, in upper case. */
export function versionsOfCourse(versions: readonly CourseVersion[], courseId: string): CourseVersion[] {
  const named = versions.find(
    ({ ID, TemplateID }) => ID.toUpperCase() === courseId || TemplateID.toUpperCase() === courseId,
  );
  return named === undefined
    ? []
    : versions.filter(({ TemplateID }) => TemplateID.toUpperCase() === named.TemplateID.toUpperCase());
}
