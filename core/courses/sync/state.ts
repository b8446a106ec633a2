import * as z from "zod/mini";
import type { GuidKey } from "../../formats/guid.ts";

/** How far the mirror has got with one club. Times are in milliseconds since 1970, UTC; 0 is never. */
export interface ClubSync {
  /** When it was first seen in the union's list. */
  readonly knownAt: number;
  /** When its last good pass began. */
  readonly goodAt: number;
  /** When its last full pass began in which it had courses and lacked none. */
  readonly fullAt: number;
  /** When it was last asked for, whatever came of it. */
  readonly triedAt: number;
  /** Passes that failed since the last good one. */
  readonly failures: number;
}

/** How far the mirror has got with all clubs. */
export interface MirrorState {
  /** When the latest full pass was asked for: a club whose `fullAt` is earlier still needs its own. */
  readonly fullWantedAt: number;
  /** By club ID. */
  readonly clubs: ReadonlyMap<GuidKey, ClubSync>;
}

/** How far it has got with a club that is in the union's list for the first time. */
export function newClub(knownAt: number): ClubSync {
  return { knownAt, goodAt: 0, fullAt: 0, triedAt: 0, failures: 0 };
}

/** Age of what is mirrored of a club, in milliseconds; for a club that never was, how long it has been known. */
export function ageOf({ goodAt, knownAt }: ClubSync, now: number): number {
  return now - (goodAt === 0 ? knownAt : goodAt);
}

const guidKeySchema = z.string().brand<"Guid">().brand<"GuidKey">();
const rowSchema = z.tuple([guidKeySchema, z.number(), z.number(), z.number(), z.number(), z.number()]);

/** Parses what `stateDocument` wrote. */
export const stateDocumentSchema = z.object({ fullWantedAt: z.number(), clubs: z.array(rowSchema) });

/** The state as a document: one row a club. */
export function stateDocument({ fullWantedAt, clubs }: MirrorState): z.infer<typeof stateDocumentSchema> {
  return {
    fullWantedAt,
    clubs: [...clubs].map(([id, { knownAt, goodAt, fullAt, triedAt, failures }]) => [
      id,
      knownAt,
      goodAt,
      fullAt,
      triedAt,
      failures,
    ]),
  };
}

/** The state that a document holds. */
export function stateOf({ fullWantedAt, clubs }: z.infer<typeof stateDocumentSchema>): MirrorState {
  return {
    fullWantedAt,
    clubs: new Map(
      clubs.map(([id, knownAt, goodAt, fullAt, triedAt, failures]) => [
        id,
        { knownAt, goodAt, fullAt, triedAt, failures },
      ]),
    ),
  };
}
