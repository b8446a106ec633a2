import type { FilledScorecard, HoleDerivation, StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { scorecardLines } from "../../command/follow/scorecard-lines.ts";

const hole = (number: number, strokes: number): HoleDerivation => ({
  number,
  par: 4,
  strokeIndex: number,
  strokes,
  receivedOffPlayingHandicap: 1,
  receivedOffCourseHandicap: 1,
  points: strokes > 0 ? 2 : 0,
  maximum: 7,
  counted: strokes < 0 ? null : strokes || 7,
});

const stored = (strokes: readonly number[]): StoredScorecard => ({
  externalId: "cup-1",
  version: 1,
  state: "delivered",
  acceptedAt: "2026-06-01T09:59:59.000Z",
  since: "2026-06-01T10:00:00.000Z",
  posts: [{ version: 1, at: "2026-06-01T10:00:00.000Z", posts: 1 }],
  earlier: [],
  card: { Course: { ClubName: "Fog", Name: "Old", TeeName: "Yellow", TeePar: 36 } } as FilledScorecard,
  warnings: [{ index: 0, pointer: "", code: "tee_unrated", detail: "The tee has no rating." }],
  derivation: {
    courseHandicap: 9,
    courseHandicapByRule: [9],
    playingHandicap: 9,
    nineHoles: null,
    holes: strokes.map((of, index) => hole(index + 1, of)),
    totalPoints: 14,
    totalStrokes: 0,
    netDoubleBogeyGross: null,
    scoreDifferential: null,
  },
});

test("a round of nine holes is drawn in one table, with what was picked up or not played, and with its warnings", () => {
  const lines = scorecardLines(stored([5, 5, 5, 5, 5, 5, 5, 0, -1]));
  const row = (name: string) =>
    lines
      .map((line) => line.split("│").map((cell) => cell.trim()))
      .filter((cells) => cells[1] === name)
      .map((cells) => cells.slice(2, -1).join(" "));
  expect(row("Hole")).toEqual(["1 2 3 4 5 6 7 8 9 Total"]);
  expect(row("Strokes")).toEqual(["5 5 5 5 5 5 5 x - x"]);
  expect(row("Received")).toEqual(["1 1 1 1 1 1 1 1 1 9"]);
  expect(row("Points")).toEqual(["2 2 2 2 2 2 2 0 0 14"]);
  expect(lines).toContain("Fog, Old, tee Yellow");
  expect(lines).toContain("Total: par 36, no total of strokes, 14 points");
  expect(lines.at(-1)).toBe("Warning: tee_unrated at the card: The tee has no rating.");
});

test("a round that a Score Differential can be worked out from shows it", () => {
  const card = stored([5, 5, 5, 5, 5, 5, 5, 5, 5]);
  const derivation = {
    ...card.derivation,
    totalStrokes: 45,
    netDoubleBogeyGross: 45,
    scoreDifferential: -3000,
  };
  expect(scorecardLines({ ...card, derivation })).toContain(
    "Total: par 36, 45 strokes, 14 points, net double bogey gross 45, Score Differential -0.3",
  );
});

test("what the player's record told is shown, with the union's Score Differential if it has one", () => {
  const card = stored([5, 5, 5, 5, 5, 5, 5, 5, 5]);
  const at = "2026-06-01T14:05:00.000Z";
  const lines = (record: NonNullable<StoredScorecard["record"]>) => scorecardLines({ ...card, record });
  expect(lines({ state: "recorded", at, differential: 246_000 })).toContain(
    `It is in the player's record since ${at}, Score Differential 24.6`,
  );
  expect(lines({ state: "recorded", at })).toContain(`It is in the player's record since ${at}`);
  expect(lines({ state: "not_recorded", at })).toContain(`It was not in the player's record at ${at}`);
  expect(scorecardLines(card).join()).not.toContain("record");
});
