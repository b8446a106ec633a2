import { LRUCache } from "lru-cache";
import type { GuidKey } from "../formats/identifiers.ts";

/** Course versions by the ID of a course or club, cached in memory. Concurrent requests share one read. */
export interface VersionCache<Read> {
  /** @param maxAge in milliseconds: what was read before that is read again @throws what reading throws; nothing is cached then */
  get(id: GuidKey, maxAge?: number): Promise<readonly Read[]>;
  /** Reads again, and caches that. @throws what reading throws */
  refresh(id: GuidKey): Promise<readonly Read[]>;
}

/** How much is cached, and for how long. */
export interface VersionCacheLimits {
  /** Of all versions together. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Of an ID for which there are no versions; by default the same. */
  readonly noneMilliseconds?: number;
}

/** Memory that a version takes for each character of its JSON, once it has been calculated with; measured. */
const bytesOfCharacter = 2;

/** Caches what `read` returns, limited in bytes and age. */
export function versionCache<Read>(
  { bytes, milliseconds, noneMilliseconds = milliseconds }: VersionCacheLimits,
  read: (id: GuidKey) => Promise<readonly Read[]>,
): VersionCache<Read> {
  const kept = new LRUCache<GuidKey, readonly Read[]>({
    maxSize: bytes,
    sizeCalculation: (versions) => 500 + bytesOfCharacter * JSON.stringify(versions).length,
    ttl: milliseconds,
    // A pending read may be evicted by newer ones. It is not cached then, but those who wait for it still get it.
    ignoreFetchAbort: true,
    fetchMethod: async (id, _stale, { options }) => {
      const versions = await read(id);
      if (versions.length === 0) options.ttl = noneMilliseconds;
      return versions;
    },
  });
  return {
    get: async (id, maxAge = milliseconds) => {
      const isOld = kept.getRemainingTTL(id) < milliseconds - maxAge;
      return (await kept.fetch(id, { forceRefresh: isOld })) ?? [];
    },
    refresh: async (id) => (await kept.fetch(id, { forceRefresh: true })) ?? [],
  };
}
