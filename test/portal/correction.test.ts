import type { FilledScorecard } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { correctCard } from "../../portal/views/card/correction.ts";

test("a correction has the new strokes, and leaves out what the pipeline works out from them", () => {
  const card = {
    ID: "0b5e8b1a-8a3f-5e1c-9b1e-0d0f0a0b0c0d",
    ExternalID: "card-0417",
    HCP: "158000",
    Comment: "windy",
    Result: {
      Strokes: [4, 5, 3],
      Points: [2, 2, 2],
      TotalPoints: 6,
      TotalStrokes: 12,
      NetDoubleBogeyGross: 12,
      IsQualifying: true,
    },
  } as unknown as FilledScorecard;
  expect(correctCard(card, [4, 0, -1])).toEqual({
    ExternalID: "card-0417",
    HCP: "158000",
    Comment: "windy",
    Result: { Strokes: [4, 0, -1], IsQualifying: true },
  });
  expect(card.Result.Strokes).toEqual([4, 5, 3]);
});
