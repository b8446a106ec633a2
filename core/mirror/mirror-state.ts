import * as z from "zod";

/** How far the mirror has got with one club. Milliseconds since 1970, UTC; 0 for never. */
export interface ClubPass {
  /** When its last good pass began. */
  readonly goodAt: number;
  /** When its last good full pass began. */
  readonly fullAt: number;
  /** Passes that failed since the last good one. */
  readonly failures: number;
}

/** How far the mirror has got with all of them. */
export interface MirrorState {
  /** When the latest full pass was asked for: a club whose `fullAt` is earlier still needs its own. */
  readonly fullWantedAt: number;
  /** By club ID in upper case. */
  readonly clubs: ReadonlyMap<string, ClubPass>;
}

/** A club that was never mirrored. */
export const neverMirrored: ClubPass = { goodAt: 0, fullAt: 0, failures: 0 };

const rowSchema = z.tuple([z.string(), z.number(), z.number(), z.number()]);

/** Parses what `stateDocument` wrote. */
export const stateDocumentSchema = z.object({ fullWantedAt: z.number(), clubs: z.array(rowSchema) });

/** The state as a document: one row a club. */
export function stateDocument({ fullWantedAt, clubs }: MirrorState): z.infer<typeof stateDocumentSchema> {
  return {
    fullWantedAt,
    clubs: [...clubs].map(([id, pass]) => [id, pass.goodAt, pass.fullAt, pass.failures]),
  };
}

/** The state that a document holds. */
export function stateOf(document: z.infer<typeof stateDocumentSchema>): MirrorState {
  const clubs = document.clubs.map(
    ([id, goodAt, fullAt, failures]) => [id, { goodAt, fullAt, failures }] as const,
  );
  return { fullWantedAt: document.fullWantedAt, clubs: new Map(clubs) };
}
