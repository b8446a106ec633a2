import type * as whs from "@scorecard-pipeline/whs";
import type { FaultCode, WarningCode } from "../core/golf/findings.ts";

/** What the pipeline does with a rule; `union` leaves it to the union. */
const acts = { apply: "applies", warn: "warns", refuse: "refuses", union: "leaves" } as const;

type Rule = readonly [
  rule: string,
  title: string,
  act: keyof typeof acts,
  functions: readonly (keyof typeof whs)[],
  codes: readonly (FaultCode | WarningCode)[],
];

/** What is done with each rule. A row stands for its letters, too; rules that it lacks are not looked at. */
export const rulesHere: readonly Rule[] = [
  ["2.1", "Scores", "warn", [], ["marker_is_player", "round_not_over"]],
  ["2.2", "Holes of a round", "warn", [], ["round_too_short", "nine_holes_unrated", "tee_unrated"]],
  [
    "3.1",
    "Net double bogey",
    "apply",
    ["netDoubleBogey", "adjustedGrossScore"],
    ["net_double_bogey_differs"],
  ],
  ["3.2", "Holes not played", "union", [], ["not_played_between"]],
  ["3.3", "Holes picked up", "apply", ["countedStrokes"], ["picked_up_many"]],
  ["4.3", "Submission", "union", [], []],
  ["4.4", "Certification", "warn", [], ["marker_is_player"]],
  ["4.5", "First index", "warn", [], ["handicap_status"]],
  ["5.1a", "Score Differential", "apply", ["scoreDifferential"], []],
  ["5.1b", "of fewer holes", "union", ["expectedScoreDifferential", "shortRoundScoreDifferential"], []],
  ["5.1c", "Rounding", "apply", ["roundHalfUp"], []],
  ["5.2", "Handicap Index", "union", ["handicapIndex"], ["handicap_differs"]],
  ["5.3", "at most 54.0", "warn", [], ["handicap_unlikely", "handicap_not_a_tenth"]],
  ["5.4", "Updates", "union", [], []],
  ["5.6", "PCC", "union", [], []],
  ["5.7", "Low Handicap Index", "union", ["lowHandicapIndex"], []],
  ["5.8", "Caps", "union", ["capRise"], []],
  ["5.9", "Exceptional score", "warn", ["exceptionalScoreReduction"], ["score_exceptional"]],
  ["6.1a", "Course Handicap", "warn", ["courseHandicap"], ["course_handicap_differs"]],
  ["6.1b", "of nine holes", "warn", ["nineHoleCourseHandicap"], ["course_handicap_differs"]],
  ["6.2", "Playing Handicap", "warn", ["playingHandicap"], ["playing_handicap_unlikely"]],
  ["appendix C", "Allowances", "warn", [], ["playing_handicap_unlikely"]],
  ["appendix E", "Strokes received", "apply", ["strokesReceived"], ["strokes_received_differ"]],
  ["Slope Rating", "55 to 155", "warn", [], ["tee_unrated", "out_of_range"]],
  ["Rules of Golf 21.1", "Stableford", "apply", ["stablefordPoints"], ["points_differ"]],
  ["Rules of Golf 21.3", "Par/bogey", "refuse", [], ["out_of_range"]],
];

/** Writes rules-of-handicapping.md. @param countVectors of a function */
export function renderRules(countVectors: (name: string) => number): string {
  const rows = rulesHere.map(([rule, title, act, functions, codes]) => {
    const named = functions.map((name) => `\`${name}\` ${countVectors(name)}`).join(", ");
    const linked = codes.map((code) => `[\`${code}\`](faults.md#${code})`).join(", ");
    return `| ${rule}, ${title} | ${acts[act]} | ${named} | ${linked} |\n`;
  });
  return `# The Rules of Handicapping here

For vendors: what the pipeline does with each rule of the World Handicap System. It *applies* a rule to fill in or explain a card, *warns* or *refuses* if the
card contradicts it, or *leaves* it to the union. Other rules it does not look at. Functions, with the number of their vectors, are those of
[packages/whs](../packages/whs/README.md).

| rule | here | functions | codes |
| --- | --- | --- | --- |
${rows.join("")}`;
}
