import type { CourseHandicapFigures } from "@scorecard-pipeline/whs";
import type { AccountClub, ApiSet } from "../accounts/account.ts";
import type { HashedContent } from "./content.ts";
import type { FindCourse } from "./course.ts";
import type { Findings } from "./findings.ts";
import type { Allocation, RoundScore, RoundToScore } from "./score-round.ts";
import type { Scorecard } from "./scorecard.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/** All that a card is judged by besides itself. Assessing reads no clock and no table, so its result can be repeated. */
export interface AssessmentContext {
  /** The vendor's tenant name: a card without an ID gets one that is derived from it. */
  readonly apiSet: ApiSet;
  readonly now: Date;
  /** The union's time zone, an IANA name. */
  readonly timeZone: string;
  readonly courses: FindCourse;
  /** The country of the union's courses, ISO 3166, filled in if a card leaves Country out. */
  readonly country: string;
  /** The highest Handicap Index that the union gives a player. */
  readonly highestHandicapIndex: number;
  /** The club to which the sender's account is bound. */
  readonly club?: AccountClub | undefined;
  /** Whether a player's token came with the cards, which cannot be passed on with them. */
  readonly hasToken?: boolean;
  /** Whether the stage has a sandbox, in which ExternalIDs force outcomes. */
  readonly hasSandbox?: boolean | undefined;
  /** Left out, clubs are not checked. */
  readonly clubs?: KnownClubs | undefined;
}

/** The union's clubs, as far as the mirror has them. */
export interface KnownClubs {
  /** Official club numbers; empty while the mirror has none. */
  readonly numbers: ReadonlySet<number>;
  /** Those clubs, in upper case, that cards without CourseID name and the union has. */
  readonly ids: ReadonlySet<string>;
}

/** A card without a fault, with all that follows from it. Each is calculated once, from the top down. */
export interface AssessedCard {
  /** As it came, but for fields that are unset. */
  readonly sent: Scorecard;
  readonly content: HashedContent;
  /** Wall clock of its start, in milliseconds since 1970 as if it were UTC. */
  readonly start: number;
  /** The tee of the union's register; undefined on an unlisted course. */
  readonly tee: RegisteredTee | undefined;
  /** The time zone of the course, or the one whose days begin first if that is not known. */
  readonly timeZone: string;
  readonly round: RoundToScore;
  readonly score: RoundScore;
  readonly allocation: Allocation;
  /** The card with all derived fields filled in. */
  readonly filled: Scorecard;
  readonly handicaps: HandicapsByRule;
}

/** A card without a fault, as far as the others of its submission are compared with it. All of a thousand would take much memory. */
export interface FieldCard extends Pick<AssessedCard, "start" | "tee" | "round"> {
  readonly index: number;
  readonly findings: Findings;
  /** With all derived fields filled in. */
  readonly card: Scorecard;
}

/** The Course Handicaps that the rule gives a card. */
export interface HandicapsByRule {
  /** Each that is right: none if a figure is missing or not plausible, or if the nine holes that were played have no rating. */
  readonly ruled: readonly number[];
  /** What they come from: HCP, and the figures of the tee or of the nine holes. */
  readonly figures?: Omit<CourseHandicapFigures, "par"> | undefined;
  /** Of a round of nine holes of eighteen: what half of the eighteen's rating gives, and what the eighteen holes give. */
  readonly ofEighteen?: { readonly estimate: number; readonly eighteen: number } | undefined;
}
