import { playableTees } from "../../core/smoke-test/playable-tee.ts";
import { minimalCard, type SampleRound, type SampleScorecard } from "./card-shapes.ts";
import type { Course } from "./playable-course.ts";

/** The fault of a card, by the code of its refusal. */
export type WrongKind =
  | "tee_unknown"
  | "strokes_count"
  | "duplicate_external_id"
  | "total_mismatch"
  | "version_not_in_force";

/** The courses and the earlier card that some wrong cards refer to. */
interface WrongCardContext {
  readonly courses: readonly Course[];
  /** Courses that are not in force yet. */
  readonly yetToCome: readonly Course[];
  /** The card before it in the same submission, a good one. */
  readonly previous: SampleScorecard;
}

/** Writes a card with one fault; undefined if the register lacks what the fault needs. */
type WrongCard = (played: SampleRound, context: WrongCardContext) => SampleScorecard | undefined;

/**
 * Faults that the exchange does not report: it echoes the card as if it were valid, and no handicap is calculated.
 */
const wrongCards: Readonly<Record<WrongKind, WrongCard>> = {
  tee_unknown(played, { courses }) {
    const card = minimalCard(played);
    const own = new Set<unknown>();
    for (const { templateId, versions } of courses) {
      if (templateId !== played.version.TemplateID) continue;
      for (const { Tees } of versions) for (const { ID } of Tees) own.add(ID);
    }
    for (const { templateId, versions } of courses) {
      if (templateId === played.version.TemplateID) continue;
      const foreign = versions.flatMap(({ Tees }) => Tees).find(({ ID }) => !own.has(ID));
      if (foreign !== undefined) return { ...card, Course: { ...card.Course, TeeID: foreign.ID } };
    }
    return undefined;
  },

  strokes_count(played) {
    // HolesPlayed is changed as well, so that the number of strokes is the only fault.
    return minimalCard({ ...played, strokes: played.strokes.slice(0, -1) });
  },

  duplicate_external_id(played, { previous }) {
    return minimalCard({ ...played, externalId: previous.ExternalID });
  },

  total_mismatch(played) {
    const card = minimalCard(played);
    // A total may count a hole without strokes, but never twenty for it.
    const tooMany = played.strokes.reduce((sum, strokes) => sum + (strokes > 0 ? strokes : 20), 1);
    const result = { ...card.Result, TotalStrokes: tooMany };
    return { ...card, Result: result };
  },

  version_not_in_force(played, { yetToCome }) {
    for (const { club, versions } of yetToCome) {
      for (const version of versions) {
        const [tee] = playableTees(version);
        if (tee !== undefined) return minimalCard({ ...played, club, version, courseId: version.ID, tee });
      }
    }
    return undefined;
  },
};

const kinds = Object.keys(wrongCards) as WrongKind[];

/** Writes wrong cards, one kind after the other; a kind for which the register lacks data is skipped. */
export function wrongCardsInTurn(): (
  played: SampleRound,
  context: WrongCardContext,
) => { card: SampleScorecard; code: WrongKind } {
  let turn = 0;
  return (played, context) => {
    for (;;) {
      const code = kinds[turn % kinds.length] as WrongKind;
      turn += 1;
      const card = wrongCards[code](played, context);
      // This loop ends, because three of the kinds need no data of the register.
      if (card !== undefined) return { card, code };
    }
  };
}
