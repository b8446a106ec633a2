import fc from "fast-check";
import { accepted, cardAbroad, type Json, minimalCard, nineHoleCard } from "./sample-cards.ts";

const handicaps = fc.integer({ min: -10, max: 76 });
const timestamps = fc
  .date({ min: new Date("2024-04-02T00:00:00Z"), max: new Date("2025-06-30T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replaceAll(/[-:]/g, ""));

/** Strokes on so many holes: some picked up, some not played, at least one begun. */
function strokes(holes: number): fc.Arbitrary<number[]> {
  const taken = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -1) },
  );
  return fc
    .array(taken, { minLength: holes, maxLength: holes })
    .filter((list) => list.some((entry) => entry !== -1));
}

/** A good card that brings little more than it must: of eighteen or nine holes, on a course of the union or abroad. */
export const smallCards: fc.Arbitrary<Json> = fc
  .record({ place: fc.constantFrom("eighteen", "nine", "abroad"), eighteen: strokes(18), nine: strokes(9) })
  .chain(({ place, eighteen, nine }) => {
    const taken = place === "nine" ? nine : eighteen;
    const played = taken.filter((entry) => entry !== -1).length;
    return fc
      .record({
        HCP: fc
          .integer({ min: -100, max: 720 })
          .chain((tenths) => fc.constantFrom(tenths * 1000, String(tenths * 1000))),
        CourseHandicap: handicaps,
        PHCP: fc.option(handicaps, { nil: undefined }),
        // U+FFFD is a fault of its own (external_id_garbled).
        ExternalID: fc
          .string({ minLength: 1, maxLength: 40, unit: "grapheme" })
          .filter((text) => !text.includes("\ufffd")),
        StartTime: timestamps,
        HolesPlayed: fc.integer({ min: played, max: taken.length }),
        IsQualifying: fc.boolean(),
      })
      .map(({ StartTime, HolesPlayed, IsQualifying, PHCP, ...changes }) => ({
        ...card(place),
        ...changes,
        ...(PHCP !== undefined && { PHCP }),
        Round: { HolesPlayed, RoundType: 1, StartTime },
        Result: { Strokes: taken, IsQualifying },
      }));
  });

function card(place: string): Json {
  if (place === "eighteen") return minimalCard();
  if (place === "nine") return nineHoleCard();
  const { PHCP, ...abroad } = cardAbroad();
  return {
    ...abroad,
    Course: { ...abroad.Course, Holes: abroad.Course.Holes.map(({ SPH, ...hole }: Json) => hole) },
  };
}

/** A good card filled in, as a vendor sends it that works everything out itself. */
export const wholeCards: fc.Arbitrary<Json> = smallCards.map((small) =>
  JSON.parse(JSON.stringify(accepted(small).card)),
);
