import type { Finding } from "@scorecard-pipeline/scorecards-client";

/** Where on a card a finding is shown. */
export type FindingPlace =
  | { readonly kind: "hole"; readonly index: number }
  | { readonly kind: "field"; readonly field: CardField }
  | { readonly kind: "card" };

/** A field that is shown above the holes. */
export type CardField =
  | "player"
  | "marker"
  | "course"
  | "tee"
  | "round"
  | "handicapIndex"
  | "courseHandicap"
  | "playingHandicap"
  | "totalStrokes"
  | "totalPoints"
  | "netDoubleBogey";

/** Fields by the beginning of a pointer, the longest first. */
const fields: readonly (readonly [prefix: string, field: CardField])[] = [
  ["/Result/NetDoubleBogeyGross", "netDoubleBogey"],
  ["/Result/TotalStrokes", "totalStrokes"],
  ["/Result/TotalPoints", "totalPoints"],
  ["/Result/IsQualifying", "round"],
  ["/CourseHandicap", "courseHandicap"],
  ["/Course/Tee", "tee"],
  ["/Course/Holes", "tee"],
  ["/Course", "course"],
  ["/Player", "player"],
  ["/Marker", "marker"],
  ["/Round", "round"],
  ["/PHCP", "playingHandicap"],
  ["/HCP", "handicapIndex"],
];

/** The place on a card that a JSON pointer names. */
export function findPlace(pointer: string): FindingPlace {
  const index = /^\/(?:Course\/Holes|Result\/Strokes|Result\/Points)\/(\d+)(?:\/|$)/.exec(pointer)?.[1];
  if (index !== undefined) return { kind: "hole", index: Number(index) };
  const known = fields.find(([prefix]) => pointer.startsWith(prefix));
  return known === undefined ? { kind: "card" } : { kind: "field", field: known[1] };
}

/** Findings with their number on the card, from 1, and their place. */
export interface PlacedFinding {
  readonly number: number;
  readonly finding: Finding;
  readonly place: FindingPlace;
}

/** Numbers findings in their order. */
export function placeFindings(findings: readonly Finding[]): PlacedFinding[] {
  return findings.map((finding, index) => ({
    number: index + 1,
    finding,
    place: findPlace(finding.pointer),
  }));
}
