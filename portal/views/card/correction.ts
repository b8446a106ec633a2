import type { FilledScorecard } from "@scorecard-pipeline/scorecards-client";

/** Figures that follow from the strokes, so that the pipeline calculates them again from the corrected ones. */
const derived = ["Points", "TotalPoints", "TotalStrokes", "NetDoubleBogeyGross"];

/**
 * A card with other strokes, as it is sent as a correction.
 *
 * @param strokes by hole in the card's order; 0 for a ball that was picked up, -1 for a hole that was not played
 */
export function correctCard(card: FilledScorecard, strokes: readonly number[]): object {
  const { ID: _, ...sent } = card;
  const result = Object.entries(card.Result).filter(([name]) => !derived.includes(name));
  return { ...sent, Result: { ...Object.fromEntries(result), Strokes: [...strokes] } };
}
