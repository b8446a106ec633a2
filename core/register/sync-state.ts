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
  /** Why the last of them failed. Clubs that fail for the same reason have the same text. */
  readonly failure?: string;
  /** Entries of its last list that could not be kept. Changes are requested since `goodAt`, so that these come again. */
  readonly skipped?: SkippedEntries & { readonly goodAt: number };
  /** Names a list that was much shorter than the stored one. It is believed if the next one is the same. */
  readonly doubted?: string;
  /** Set if the union's list of clubs lacks the club, which is kept until that is proven. */
  readonly unlisted?: Unlisted;
}

/** How long the union has not listed a club that is mirrored. Times are in milliseconds since 1970, UTC. */
export interface Unlisted {
  /** Since no list that can be read has had it. */
  readonly since: number;
  /** Since when the union, asked for the club itself, has said each time that it knows no such club. */
  readonly unknownSince?: number;
}

/** The state of the union's list of clubs. */
export interface ListSync {
  /** Why the union's last answer was no list of its clubs. */
  readonly failure?: string;
  readonly skipped?: SkippedEntries;
  /** Until when the union asked to be left alone, in milliseconds since 1970, UTC. */
  readonly pausedUntil?: number;
}

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
 * Whether a club's list of versions may be believed: a first page looks like a whole list.
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

/** Reads the ID of a club that was stored. */
export const guidKeySchema = z.string().brand<"Guid">().brand<"GuidKey">();
const skippedSchema = { count: z.number(), reason: z.string() };
const troubleSchema = z.object({
  failure: z.exactOptional(z.string()),
  skipped: z.exactOptional(z.object({ ...skippedSchema, goodAt: z.number() })),
  doubted: z.exactOptional(z.string()),
  unlisted: z.exactOptional(z.object({ since: z.number(), unknownSince: z.exactOptional(z.number()) })),
});
const times = [z.number(), z.number(), z.number(), z.number(), z.number()] as const;
const stateSchema = z.union([z.tuple([...times]), z.tuple([...times, troubleSchema])]);
const listSchema = z.object({
  failure: z.exactOptional(z.string()),
  skipped: z.exactOptional(z.object(skippedSchema)),
  pausedUntil: z.exactOptional(z.number()),
});

/** The schema of the documents that `progressDocument` makes. */
export const progressSchema = z.object({
  list: listSchema,
  states: z.array(stateSchema),
  clubs: z.array(z.number()),
});
type ProgressDocument = z.infer<typeof progressSchema>;
type StoredState = z.infer<typeof stateSchema>;

function toState([knownAt, syncedAt, fullySyncedAt, attemptedAt, failures, trouble]: StoredState): ClubSync {
  return { knownAt, syncedAt, fullySyncedAt, attemptedAt, failures, ...trouble };
}

/**
 * The state without the IDs of its clubs, which seldom change and take the most room. Clubs that were synced by the same
 * runs have the same state, which is stored once: `clubs` has the place of each club's among `states`.
 */
export function progressDocument({ list, clubs }: MirrorState): ProgressDocument {
  const places = new Map<string, number>();
  const states: StoredState[] = [];
  const placeOf = ({ knownAt, syncedAt, fullySyncedAt, attemptedAt, failures, ...trouble }: ClubSync) => {
    const all = [knownAt, syncedAt, fullySyncedAt, attemptedAt, failures] as const;
    const state: StoredState = Object.keys(trouble).length === 0 ? [...all] : [...all, trouble];
    const text = JSON.stringify(state);
    const place = places.get(text) ?? states.push(state) - 1;
    places.set(text, place);
    return place;
  };
  const ofClubs = [...clubs.values()].map(placeOf);
  return { list, states, clubs: ofClubs };
}

/** The state that a document holds. @param ids of its clubs, in its order */
export function stateOfProgress(
  { list, states, clubs }: ProgressDocument,
  ids: readonly GuidKey[],
): MirrorState {
  const known = states.map(toState);
  const entries = ids.flatMap((id, index) => {
    const club = known[clubs[index] ?? -1];
    return club === undefined ? [] : [[id, club] as const];
  });
  return { list, clubs: new Map(entries) };
}
