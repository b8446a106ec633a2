import { repeatedIndex } from "../courses/stroke-index.ts";
import type { Findings } from "./findings.ts";

/** Collects the first stroke index that is on more than one hole of a card. */
export function reportRepeatedIndex(indexes: readonly (number | undefined)[], findings: Findings): void {
  const place = repeatedIndex(indexes);
  if (place === undefined) return;
  const detail = "A stroke index is on more than one hole. Give each hole its own.";
  findings.fault(`/Course/Holes/${place}/Index`, "stroke_index_repeated", detail, {
    received: indexes[place],
  });
}
