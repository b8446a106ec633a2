import { describe, expect, test } from "vitest";
import { assess, fullCard, type Json, minimalCard, short } from "./sample-cards.ts";

/** The fields of a card that the union's document calls nullable. */
const nullable = [
  ["Course", "CourseID"],
  ["Course", "ExternalID"],
  ["Course", "ClubID"],
  ["Course", "TeeID"],
  ["Round", "TournamentName"],
  ["Round", "TournamentRoundNumber"],
  ["Result", "NetDoubleBogeyGross"],
  ["Marker", "LifeTimeID"],
  ["Marker", "UnionID"],
] as const;

const withNull = (card: Json, part: string, field: string): Json => ({
  ...card,
  [part]: { ...card[part], [field]: null },
});

function faultsOf(card: Json): readonly string[] {
  const assessment = assess(card);
  return assessment.good ? [] : short(assessment.faults);
}

describe("a field that the union's document calls nullable", () => {
  test.each(nullable)("%s.%s may be null in a full card", (part, field) => {
    expect(faultsOf(withNull(fullCard(), part, field))).toEqual([]);
  });

  test.each(nullable)("%s.%s may be null in a minimal card that has a TeeName", (part, field) => {
    const card = minimalCard();
    const named = { ...card, Course: { ...card.Course, TeeName: "Yellow" } };
    expect(faultsOf(withNull(named, part, field))).toEqual([]);
  });

  test("TeeID is needed only if nothing else names the tee", () => {
    expect(faultsOf(withNull(minimalCard(), "Course", "TeeID"))).toEqual(["required /Course/TeeID"]);
  });

  test("may be null together with all others in a full card", () => {
    const card = nullable.reduce((sent, [part, field]) => withNull(sent, part, field), fullCard());
    expect(faultsOf(card)).toEqual([]);
  });
});
