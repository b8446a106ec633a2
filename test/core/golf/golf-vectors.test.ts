import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { assessSubmission } from "../../../core/golf/assess.ts";
import { context, type Json } from "./sample-cards.ts";
import { register } from "./sample-courses.ts";

const file = new URL("../../../../shared/vectors/golf-4.json", import.meta.url);
const vectors: Json = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { cases: [], clubs: [] };
const now = new Date("2026-06-14T12:00:00Z");

/** The register of the vectors, whose versions lack the names of their clubs. */
const courses = () =>
  register(
    ...vectors.clubs.flatMap(({ club, versions }: Json) =>
      versions.map((one: Json) => ({ ...one, ClubNames: { [guidKey(one.ClubID)]: club.Name } })),
    ),
  );

/** A body with the days that it names from today on. */
const withDays = (body: Json): Json =>
  JSON.parse(
    JSON.stringify(body).replaceAll(/@today([+-]\d+)@/g, (_, days) =>
      new Date(now.getTime() + 86_400_000 * Number(days)).toISOString().slice(0, 10).replaceAll("-", ""),
    ),
  );

describe.skipIf(vectors.cases.length === 0)(
  "the cards in ../shared/vectors/golf-4.json (skipped where that is not there)",
  () => {
    test.each<Json>(vectors.cases)("$id: $why", (one) => {
      const assessed = assessSubmission([withDays(one.body)].flat(), context({ now, courses: courses() }));
      const faults = assessed.flatMap((each) => (each.good ? [] : each.faults));
      const warnings = assessed.flatMap((each) => [...each.warnings]);
      const codes = new Set<string>(warnings.map(({ code }) => code));
      if (one.accept !== null) expect([one.id, faults.length === 0]).toEqual([one.id, one.accept]);
      if (one.warnings !== undefined) {
        // Cards of older sources are drawn without a thought of rule 5.9: many are exceptional by it.
        if (one.group !== "like") codes.delete("score_exceptional");
        expect([...codes]).toEqual([...new Set(one.warnings)]);
      }
      if (one.warningsSome !== undefined && faults.length === 0)
        expect(one.warningsSome.some((code: string) => codes.has(code))).toBe(true);
      const pointers = faults.map(({ pointer, code }) => [pointer, code].join());
      if (one.anyOf !== undefined)
        expect(one.anyOf.some((fault: string[]) => pointers.includes(fault.join()))).toBe(true);
      const details = [...faults, ...warnings].map(({ detail }) => detail).join("\n");
      if (one.advice !== undefined) expect(details).toMatch(new RegExp(one.advice));
      if (one.noAdvice !== undefined) expect(details).not.toMatch(new RegExp(one.noAdvice));
      const [first] = assessed;
      if (!first?.good || one.derived === undefined) return;
      const { Course, Result } = first.card;
      const { SPH, Points, TotalPoints, TotalStrokes, NDB } = one.derived;
      const derived = { Points, TotalPoints, TotalStrokes, ...(NDB && { NetDoubleBogeyGross: NDB }) };
      expect(Result).toMatchObject(JSON.parse(JSON.stringify(derived)));
      if (SPH !== undefined) expect(Course.Holes?.map((hole) => hole.SPH)).toEqual(SPH);
    });
  },
);
