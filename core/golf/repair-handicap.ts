import { countedHandicapIndex, formatStrokes } from "@scorecard-pipeline/whs";
import { tenth } from "../formats/ten-thousandths.ts";
import type { AssessedCard, AssessmentContext } from "./assessed-card.ts";
import type { Tee } from "./course.ts";
import { versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import { handicapsByRule, isByRule, isHandicapIndex, isOfEighteen } from "./handicaps.ts";
import { scoreRound } from "./score-round.ts";
import { type CardReading, formInWords, type ReadableCard } from "./scorecard.ts";
import { teeNumbers } from "./tee-numbers.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/** Senders forget the factor of 10,000 or a part of it, or multiply once too often. */
const factors = [10, 100, 1_000, 10_000];

/** A Handicap Index in the player's words: 12.4, or +2.1 for a plus player. @param value times 10,000 */
function indexInWords(value: number): string {
  return `${value < 0 ? "+" : ""}${formatStrokes(Math.abs(value))}`;
}

/**
 * The Handicap Indexes that a wrong one may be meant for, because the card's Course Handicap follows from them: with a part of the
 * factor of 10,000 forgotten or repeated, with the other sign, or to a tenth.
 *
 * @param sent the figure that was sent, times 10,000 or not
 * @param highest Handicap Index that the union gives
 */
function repairIndex(
  card: ReadableCard,
  tee: RegisteredTee | undefined,
  sent: number,
  highest: number,
): number[] {
  const nearest = Math.round(sent / tenth) * tenth;
  const scaled = factors.flatMap((factor) => [sent * factor, sent / factor]);
  // A product of floats is not exact: 16.1 x 10,000 has a remainder.
  const meant = new Set([sent, nearest, -sent, ...scaled].map((value) => Math.round(value * 100) / 100));
  // Only 0 is meant for 0: what is so small that it rounds to it is no figure of a scratch player.
  const isMeant = (HCP: number) => isHandicapIndex(HCP, highest) && (HCP === 0) === (sent === 0);
  return [...meant].filter((HCP) => isMeant(HCP) && isByRule({ ...card, HCP }, tee));
}

/** A card's figures of its tee, without which the register's count. */
const figuresOfTee = { TeePar: undefined, TeeRating: undefined, TeeSlope: undefined };

/** The other tees of the version from which the card's Handicap Index gives its Course Handicap; none if it does from the tee named. */
export function repairTee(card: ReadableCard, named: RegisteredTee): Tee[] {
  const { version } = named;
  const bare = { ...card, Course: { ...card.Course, ...figuresOfTee } };
  if (isByRule(bare, named)) return [];
  return versionFacts(version).tees.filter((tee) => {
    const numbers = teeNumbers(tee);
    const isAsLong = numbers.holes.length === named.numbers.holes.length;
    return tee !== named.tee && isAsLong && isByRule(bare, { version, tee, numbers, mismatches: [] });
  });
}

/** What a tee is called in a text: by its ID, too, which is what to send. */
const teeInWords = ({ ID, Name }: Tee): string => (ID === undefined ? Name : `${Name} (TeeID ${ID})`);

/** The one change that makes a card whole, in words. */
interface Repair {
  readonly pointer: string;
  readonly remedy: string;
  readonly expected: unknown;
  readonly received: unknown;
}

/** A Course Handicap that is mistyped is near the right one: then it is by chance that another Handicap Index fits. */
const maxMistyped = 5;

function indexRepair(
  { HCP: received, CourseHandicap = 0 }: ReadableCard,
  ruled: number | undefined,
  expected: number,
): Repair {
  const index = indexInWords(expected);
  const isSure = ruled === undefined || Math.abs(ruled - CourseHandicap) > maxMistyped;
  const send = isSure ? "Send" : `If that is the player's Handicap Index, send`;
  const remedy = `HCP ${index} gives CourseHandicap ${CourseHandicap}. ${send} ${expected} for ${index}.`;
  return { pointer: "/HCP", remedy, expected, received };
}

function teeRepair({ Course }: ReadableCard, tee: Tee): Repair {
  const isById = Course.TeeID !== undefined;
  const named = (["TeeName", "TeePar", "TeeRating", "TeeSlope"] as const).filter(
    (name) => Course[name] !== undefined && (isById || name !== "TeeName"),
  );
  const leave = named.length === 0 ? "" : `, and leave out ${named.join(", ")}`;
  const remedy = `From the tee ${tee.Name} it does: if the round was played from there, send ${teeInWords(tee)}${leave}.`;
  return isById
    ? { pointer: "/Course/TeeID", remedy, expected: tee.ID, received: Course.TeeID }
    : { pointer: "/Course/TeeName", remedy, expected: tee.Name, received: Course.TeeName };
}

/** The Course Handicap that a card should have, if that is its slip: other fields come from the one that the rule gives. */
function repairCourseHandicap({ sent, filled, round, score, handicaps }: AssessedCard): number[] {
  const { CourseHandicap, PHCP } = filled;
  const [ruled] = handicaps.ruled;
  if (ruled === undefined || handicaps.ruled.includes(CourseHandicap)) return [];
  const isOtherFactor = CourseHandicap === 10 * ruled || CourseHandicap === -ruled;
  const isOfOthers = PHCP === ruled || CourseHandicap === handicaps.ofEighteen?.eighteen;
  if (isOtherFactor || isOfOthers) return [ruled];
  const { NetDoubleBogeyGross: gross } = sent.Result;
  const other = scoreRound({ ...round, courseHandicap: ruled }).netDoubleBogeyGross;
  return gross !== undefined && gross !== score.netDoubleBogeyGross && gross === other ? [ruled] : [];
}

/** The one repair that makes a card whole; undefined if none does, or if several do. */
function findRepair(card: AssessedCard, highest: number): Repair | undefined {
  const { sent, filled, tee } = card;
  const HCP = Number(filled.HCP);
  const isIndex = isHandicapIndex(HCP, highest);
  const ruled = isIndex ? card.handicaps.ruled[0] : undefined;
  const indexes = repairIndex(filled, tee, HCP, highest).map((index) => indexRepair(sent, ruled, index));
  const tees = isIndex && tee !== undefined ? repairTee(filled, tee) : [];
  const handicaps = isIndex ? repairCourseHandicap(card) : [];
  const [repair, another] = [
    ...indexes,
    ...tees.map((one) => teeRepair(sent, one)),
    ...handicaps.map((expected) => ({
      ...noRepair(sent.CourseHandicap),
      remedy: `Send ${expected}.`,
      expected,
    })),
  ];
  return another === undefined ? repair : undefined;
}

/** What HCP and the tee of a card come to, and that its Course Handicap is another. */
function differenceInWords({ sent, filled, tee, handicaps }: AssessedCard): string {
  const { ruled, ofEighteen } = handicaps;
  const { CourseHandicap, HCP } = filled;
  const isOfRegister = sent.Course.TeeRating === undefined && sent.Course.TeeSlope === undefined;
  const of = isOfRegister && tee !== undefined ? `the tee ${tee.tee.Name}` : "TeeRating, TeeSlope and TeePar";
  const of54 = countedHandicapIndex(Number(HCP)) < Number(HCP) ? " HCP above 54.0 counts as 54.0." : "";
  const isNine = filled.Result.Strokes.length === 9 || ofEighteen !== undefined;
  const [half, rule] = isNine ? ["half of ", "6.1b"] : ["", "6.1a"];
  const is =
    CourseHandicap === ofEighteen?.eighteen ? `${CourseHandicap}, that of eighteen holes` : CourseHandicap;
  return `CourseHandicap is ${is}, but ${half}HCP ${indexInWords(Number(HCP))} and ${of} come to ${ruled.join(" or ")} (Rules of Handicapping ${rule}).${of54} `;
}

/** The codes of what follows from a wrong Course Handicap. */
const consequences: readonly string[] = [
  "net_double_bogey_differs",
  "points_differ",
  "strokes_received_differ",
  "playing_handicap_unlikely",
];

/**
 * Warns of a Handicap Index that no player has, or of a Course Handicap that does not follow from it: once for both, since one slip
 * makes both. If one repair makes the card whole, the text says that; else it names the figures, and proposes none.
 *
 * @see Rules of Handicapping, 5.2, 6.1
 */
export function warnOfHandicap(card: AssessedCard, findings: Findings, context: AssessmentContext): void {
  const { filled, handicaps } = card;
  const { HCP, CourseHandicap } = filled;
  const { highestHandicapIndex: highest } = context;
  if (handicaps.ruled.length === 0) warnOfEighteen(card, findings);
  const isDifferent = handicaps.ruled.length > 0 && !handicaps.ruled.includes(CourseHandicap);
  const difference = isDifferent ? differenceInWords(card) : "";
  const repair = findRepair(card, highest);
  if (!isHandicapIndex(Number(HCP), highest)) {
    const isTenth = Number(HCP) % tenth === 0;
    const reason = isTenth
      ? `no player has one of ${indexInWords(Number(HCP))}`
      : "12.4 is 124000, and this has more than one decimal";
    const { pointer, remedy, ...values } = repair ?? noIndex(HCP);
    const detail = `HCP is the Handicap Index times 10,000: ${reason}. ${difference}${remedy}`;
    findings.warn(pointer, isTenth ? "handicap_unlikely" : "handicap_not_a_tenth", detail, values);
  } else if (isDifferent) {
    const { pointer, remedy, ...values } = repair ?? noRepair(CourseHandicap);
    if (pointer === "/CourseHandicap" && repair !== undefined) dropConsequences(findings);
    findings.warn(
      pointer,
      "course_handicap_differs",
      `${difference}It is passed on as sent. ${remedy}`,
      values,
    );
  }
}

const noIndex = (received: unknown) => ({
  pointer: "/HCP",
  remedy: "Send the player's Handicap Index to a tenth, times 10,000.",
  received,
});
const noRepair = (received: unknown) => ({
  pointer: "/CourseHandicap",
  remedy: "Compare HCP, CourseHandicap and the tee with the player's, and correct the one that is wrong.",
  received,
});

/** What follows from a wrong Course Handicap has no remedy of its own. */
function dropConsequences({ warnings }: Findings): void {
  const others = warnings.filter(({ code }) => !consequences.includes(code));
  warnings.splice(0, warnings.length, ...others);
}

/** Warns of the Course Handicap of eighteen holes for nine that have no rating, so that none is known to be right. */
function warnOfEighteen({ filled, handicaps }: AssessedCard, findings: Findings): void {
  const { CourseHandicap: received } = filled;
  if (!isOfEighteen(received, handicaps)) return;
  const expected = `about ${handicaps.ofEighteen?.estimate}`;
  const detail = `CourseHandicap is that of eighteen holes, but nine were played: it comes from half of HCP and the rating of those nine (Rules of Handicapping 6.1b). It is passed on as sent. Send ${expected}.`;
  findings.warn("/CourseHandicap", "course_handicap_differs", detail, { expected, received });
}

/**
 * Says of a Handicap Index that is not of its form, and of a Course Handicap that is missing, which one the card's other fields come
 * to, if it is one only.
 */
export function explainHandicap(
  { card, unreadable }: CardReading,
  tee: RegisteredTee | undefined,
  { faults }: Findings,
  { highestHandicapIndex }: AssessmentContext,
): void {
  for (const [place, fault] of faults.entries()) {
    const { pointer, code, detail, received } = fault;
    if (pointer === "/HCP" && unreadable.has(pointer)) {
      const indexes = repairIndex(card, tee, readFigure(received), highestHandicapIndex);
      const [index, another] = indexes;
      if (index === undefined) continue;
      const named = indexes.map(indexInWords).join(" and ");
      const { remedy, expected } =
        another === undefined
          ? indexRepair(card, undefined, index)
          : {
              remedy: `${named} give CourseHandicap ${card.CourseHandicap} alike. Send the player's.`,
              expected: undefined,
            };
      const values = expected === undefined ? {} : { expected };
      faults[place] = { ...fault, ...values, detail: `HCP must be ${formInWords("HCP")}. ${remedy}` };
    } else if (pointer === "/CourseHandicap" && code === "required") {
      const [expected] = handicapsByRule(card, tee).ruled;
      if (expected === undefined) continue;
      faults[place] = {
        ...fault,
        expected,
        detail: `${detail} By HCP and the tee it is ${expected}: send that.`,
      };
    }
  }
}

/** A figure as senders write it: with a comma, or with a + for a player who is better than scratch. NaN if it is none. */
function readFigure(sent: unknown): number {
  const text = String(sent).trim().replace(",", ".").replace("\u2212", "-");
  return text.startsWith("+") ? -Number(text.slice(1) || Number.NaN) : Number(text || Number.NaN);
}
