import { globSync } from "node:fs";
import { resolve } from "node:path";
import { kindsOfHeading, rankOfHeading } from "@scorecard-pipeline/card-files/reading/headings";
import { expect, test } from "vitest";
import { denmark } from "../../unions/denmark.ts";

const { terms } = denmark;

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

test("no Danish text has a word of its own for a handicap", async () => {
  const files = globSync("portal/texts/**/{da,*-da}.{ts,json}");
  expect(files).toContain("portal/texts/faults/da.json");
  const texts = (await Promise.all(files.map((file) => import(resolve(file))))).flatMap(textsIn);
  const words = texts.flatMap((text) => text.toLowerCase().match(/\p{L}*(?:handi[ck]ap|hcp)\p{L}*/gu) ?? []);
  expect(words.length).toBeGreaterThan(20);
  const known = /^(hcp|handicap(pet|s)?|handicaptællende|plushandicap|handicapregler(ne)?)$/;
  const ofUnion = [terms.handicapIndex, terms.courseHandicap].map((term) => term.toLowerCase());
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
