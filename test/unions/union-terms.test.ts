import { kindsOfHeading, rankOfHeading } from "@scorecard-pipeline/card-files/reading/headings";
import { expect, test } from "vitest";
import { da as cardTexts } from "../../portal/texts/card/da.ts";
import { da as portalTexts } from "../../portal/texts/da.ts";
import { da as portalTableTexts } from "../../portal/texts/tables/da.ts";
import { da as tableTexts } from "../../portal/texts/tables/table-words-da.ts";
import { da as tournamentTexts } from "../../portal/texts/tournaments/da.ts";
import { denmark } from "../../unions/denmark.ts";

const { terms } = denmark;
if (terms === undefined) throw new Error("The Danish profile has no terms.");

/** Every text; texts with figures or lists in them as they are for a sample of each. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "function") return Object.values((value ?? {}) as object).flatMap(textsIn);
  return ["3", ["3"]].flatMap((sample) => {
    try {
      return textsIn(value(...Array.from({ length: value.length }, () => sample)));
    } catch {
      // A text of lists cannot be made of texts, nor the other way round.
      return [];
    }
  });
}

test("fields and figures have the names of the union's own book in Danish", () => {
  expect(portalTableTexts.fields).toMatchObject({
    HCP: terms.handicapIndex,
    CourseHandicap: terms.courseHandicap,
    PHCP: terms.playingHandicap,
  });
  expect(cardTexts).toMatchObject({
    handicapIndex: terms.handicapIndex,
    courseHandicap: terms.courseHandicap,
    playingHandicap: terms.playingHandicap,
  });
});

test("no Danish text has a word of its own for a handicap", () => {
  const known = /^(hcp|handicap(pet|s)?|handicaptællende|plushandicap|handicapregler(ne)?)$/;
  const ofUnion = [terms.handicapIndex, terms.courseHandicap].map((term) => term.toLowerCase());
  const texts = [portalTexts, cardTexts, portalTableTexts, tournamentTexts, tableTexts].flatMap(textsIn);
  const words = texts.flatMap((text) => text.toLowerCase().match(/\p{L}*handi[ck]ap\p{L}*/gu) ?? []);
  expect(words.length).toBeGreaterThan(10);
  const isKnown = (word: string) => known.test(word) || ofUnion.some((term) => word.startsWith(term));
  expect([...new Set(words)].filter((word) => !isKnown(word))).toEqual([]);
});

test("a table in the union's own words has the Course Handicap and the Playing Handicap in their fields", () => {
  const likeliest = (heading: string) =>
    kindsOfHeading(heading).toSorted(
      (one, other) => rankOfHeading(heading, one) - rankOfHeading(heading, other),
    )[0];
  expect(likeliest(terms.courseHandicap)).toBe("CourseHandicap");
  expect(likeliest(terms.playingHandicap)).toBe("PHCP");
});
