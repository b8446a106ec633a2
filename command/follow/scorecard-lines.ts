import type { HoleDerivation, StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import { tableLines } from "../base/table-lines.ts";
import { counted } from "../base/terminal.ts";

/** Lines of a stored card as a golfer knows it: nine holes a table, then totals and warnings. It names no person. */
export function scorecardLines({
  externalId,
  state,
  since,
  card,
  derivation,
  warnings,
  record,
}: StoredScorecard): string[] {
  const { ClubName, Name, TeeName } = card.Course;
  const { holes, courseHandicap, playingHandicap, totalPoints, totalStrokes, netDoubleBogeyGross } =
    derivation;
  const { scoreDifferential } = derivation;
  const course = [ClubName, Name, TeeName && `tee ${TeeName}`].filter(Boolean).join(", ");
  const totals = [
    `par ${card.Course.TeePar}`,
    totalStrokes === 0 ? "no total of strokes" : counted(totalStrokes, "stroke"),
    counted(totalPoints, "point"),
    ...(netDoubleBogeyGross === null ? [] : [`net double bogey gross ${netDoubleBogeyGross}`]),
    ...(scoreDifferential === null ? [] : [`Score Differential ${inTenths(scoreDifferential)}`]),
  ];
  return [
    `${externalId} is ${state} since ${since}`,
    ...recordLines(record),
    ...(course === "" ? [] : [course]),
    `Course Handicap ${courseHandicap}, Playing Handicap ${playingHandicap}`,
    ...(holes.length > 9
      ? [...nineLines("Out", holes.slice(0, 9)), ...nineLines("In", holes.slice(9))]
      : nineLines("Total", holes)),
    `Total: ${totals.join(", ")}`,
    ...warnings.map(({ code, pointer, detail }) => `Warning: ${code} at ${pointer || "the card"}: ${detail}`),
  ];
}

/** Lines about the card in the player's record at the union. */
function recordLines(record: StoredScorecard["record"]): string[] {
  if (record === undefined) return [];
  const { state, at, differential } = record;
  if (state === "not_recorded") return [`It was not in the player's record at ${at}`];
  const figure = differential === undefined ? "" : `, Score Differential ${inTenths(differential)}`;
  return [`It is in the player's record since ${at}${figure}`];
}

const inTenths = (differential: number) => (differential / 10_000).toFixed(1);

function nineLines(sumName: string, holes: readonly HoleDerivation[]): string[] {
  const row = (name: string, figure: (hole: HoleDerivation) => number) => {
    const figures = holes.map(figure);
    return [name, ...figures, sum(figures)];
  };
  const strokes = holes.map((hole) => hole.strokes);
  return tableLines(
    ["Hole", ...holes.map(({ number }) => String(number)), sumName],
    [
      row("Par", ({ par }) => par),
      ["Index", ...holes.map(({ strokeIndex }) => strokeIndex), ""],
      ["Strokes", ...strokes.map(strokesText), strokes.includes(0) ? "x" : sum(strokes.filter(isPlayed))],
      row("Received", (hole) => hole.receivedOffPlayingHandicap),
      row("Points", ({ points }) => points),
    ],
  );
}

const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);
const isPlayed = (strokes: number) => strokes > 0;
/** As in a table for `submit`: `x` was picked up, `-` was not played. */
const strokesText = (strokes: number) => (strokes === 0 ? "x" : strokes < 0 ? "-" : strokes);
