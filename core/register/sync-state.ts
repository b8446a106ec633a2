import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { GuidKey } from "../formats/identifiers.ts";

/** Entries of one of the union's lists that could not be kept. */
export interface SkippedEntries {
  readonly count: number;
  /** Why, for the first of them. */
  readonly reason: string;
}

/** The state of one club's sync. Times are in milliseconds since 1970, UTC; 0 is never. */
export interface ClubSync {
  /** When the union first listed the club. */
  readonly knownAt: number;
  /** When its last successful sync began. */
  readonly syncedAt: number;
  /** When its last full sync began; 0 if that found no courses, missed some, or could not read every entry. */
  readonly fullySyncedAt: number;
  readonly attemptedAt: number;
  /** Failures since the last successful sync. */
  readonly failures: number;
  /** Entries of its last list that could not be kept. Changes are requested since `goodAt`, so that these come again. */
  readonly skipped?: SkippedEntries & { readonly goodAt: number };
  /** Names a list that was much shorter than the stored one. It is believed if the next one is the same. */
  readonly doubted?: string;
}

/** The state of the union's list of clubs. */
export type ListSync = { readonly skipped?: SkippedEntries } & Pick<ClubSync, "doubted">;

/** The state of the whole mirror. */
export interface MirrorState {
  readonly list: ListSync;
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

/** A list that lacks this share of what is stored, or more, is believed only if it comes twice. */
const doubtedShare = 1 / 3;

/**
 * Whether a list of the union may be believed: a first page looks like a whole list.
 *
 * @param listed what it lists
 * @param stored how many are stored, of which it lacks some
 * @param last the name of the list before, if that was doubted
 * @returns the name of this list if it is so short that it is doubted
 */
export function judgeList(
  listed: ReadonlySet<GuidKey>,
  { stored, lacking }: { readonly stored: number; readonly lacking: number },
  last: string | undefined,
): { readonly isBelieved: boolean; readonly doubted?: string } {
  if (lacking === 0 || lacking < doubtedShare * stored) return { isBelieved: true };
  const doubted = hash("sha256", [...listed].sort().join(), "base64url").slice(0, 22);
  return { isBelieved: doubted === last, doubted };
}

const guidKeySchema = z.string().brand<"Guid">().brand<"GuidKey">();
const skippedSchema = { count: z.number(), reason: z.string() };
const doubtedSchema = { doubted: z.exactOptional(z.string()) };
const troubleSchema = z.object({
  skipped: z.exactOptional(z.object({ ...skippedSchema, goodAt: z.number() })),
  ...doubtedSchema,
});
const times = [z.number(), z.number(), z.number(), z.number(), z.number()] as const;
const rowSchema = z.union([
  z.tuple([guidKeySchema, ...times]),
  z.tuple([guidKeySchema, ...times, troubleSchema]),
]);

/** The schema of the documents that `stateDocument` makes. An older function stored no `list`, and rows without trouble. */
export const stateDocumentSchema = z.object({
  list: z._default(z.object({ skipped: z.exactOptional(z.object(skippedSchema)), ...doubtedSchema }), {}),
  clubs: z.array(rowSchema),
});

/** The state as a document with one row a club. */
export function stateDocument({ list, clubs }: MirrorState): z.infer<typeof stateDocumentSchema> {
  const rows = [...clubs].map(([id, club]): z.infer<typeof rowSchema> => {
    const { knownAt, syncedAt, fullySyncedAt, attemptedAt, failures, ...trouble } = club;
    const row = [id, knownAt, syncedAt, fullySyncedAt, attemptedAt, failures] as const;
    return Object.keys(trouble).length === 0 ? [...row] : [...row, trouble];
  });
  return { list, clubs: rows };
}

/** The state that a document holds. */
export function stateOf({ list, clubs }: z.infer<typeof stateDocumentSchema>): MirrorState {
  const entries = clubs.map(([id, knownAt, syncedAt, fullySyncedAt, attemptedAt, failures, trouble]) => {
    return [id, { knownAt, syncedAt, fullySyncedAt, attemptedAt, failures, ...trouble }] as const;
  });
  return { list, clubs: new Map(entries) };
}
