import * as z from "zod/mini";
import type { GuidKey } from "../../formats/guid.ts";

/** The state of one club's sync. Times are in milliseconds since 1970, UTC; 0 is never. */
export interface ClubSync {
  /** When the union first listed the club. */
  readonly knownAt: number;
  /** When its last successful sync began. */
  readonly syncedAt: number;
  /** When its last full sync began that found courses and missed none. */
  readonly fullySyncedAt: number;
  readonly attemptedAt: number;
  /** Failures since the last successful sync. */
  readonly failures: number;
}

/** The state of the whole mirror. */
export interface MirrorState {
  /** When a full sync was last requested: a club whose `fullySyncedAt` is earlier still needs one. */
  readonly fullWantedAt: number;
  /** By club ID. */
  readonly clubs: ReadonlyMap<GuidKey, ClubSync>;
}

/** The state of a club that the union lists for the first time. */
export function newClub(knownAt: number): ClubSync {
  return { knownAt, syncedAt: 0, fullySyncedAt: 0, attemptedAt: 0, failures: 0 };
}

/** Age of a club's mirror in milliseconds; of a club that was never synced, the time since it was first listed. */
export function ageOf({ syncedAt, knownAt }: ClubSync, now: number): number {
  return now - (syncedAt === 0 ? knownAt : syncedAt);
}

/** After more failures than this a club waits for its turn, so that it takes no time from those that answer. */
const failuresAtTheFront = 2;

/**
 * The order in which clubs are synced: the longest wait first, and of equal waits the fewest failures. A club waits since
 * its last successful sync or, if it keeps failing, since its last attempt.
 */
export function syncOrder<Id>(clubs: ReadonlyMap<Id, ClubSync>): Id[] {
  const waitingSince = ({ syncedAt, attemptedAt, failures }: ClubSync) =>
    failures > failuresAtTheFront ? attemptedAt : syncedAt;
  return [...clubs]
    .sort(([, one], [, other]) => waitingSince(one) - waitingSince(other) || one.failures - other.failures)
    .map(([id]) => id);
}

const guidKeySchema = z.string().brand<"Guid">().brand<"GuidKey">();
const rowSchema = z.tuple([guidKeySchema, z.number(), z.number(), z.number(), z.number(), z.number()]);

/** The schema of what `stateDocument` makes. */
export const stateDocumentSchema = z.object({ fullWantedAt: z.number(), clubs: z.array(rowSchema) });

/** The state as a document with one row a club. */
export function stateDocument({ fullWantedAt, clubs }: MirrorState): z.infer<typeof stateDocumentSchema> {
  const rows = [...clubs].map(([id, club]): z.infer<typeof rowSchema> => {
    const { knownAt, syncedAt, fullySyncedAt, attemptedAt, failures } = club;
    return [id, knownAt, syncedAt, fullySyncedAt, attemptedAt, failures];
  });
  return { fullWantedAt, clubs: rows };
}

/** The state that a document holds. */
export function stateOf({ fullWantedAt, clubs }: z.infer<typeof stateDocumentSchema>): MirrorState {
  const entries = clubs.map(([id, knownAt, syncedAt, fullySyncedAt, attemptedAt, failures]) => {
    return [id, { knownAt, syncedAt, fullySyncedAt, attemptedAt, failures }] as const;
  });
  return { fullWantedAt, clubs: new Map(entries) };
}
