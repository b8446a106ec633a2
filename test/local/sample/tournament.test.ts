import { describe, expect, test } from "vitest";
import { type SampleCard, sampleTournament } from "../../../local/sample/tournament.ts";
import { tournamentOptions, union } from "./small-union.ts";

const { courses, members } = union;
const future = courses.filter(({ ActivationDate }) => ActivationDate > "20260604");
const submissions = sampleTournament(tournamentOptions());
const cards = submissions.flatMap((submission) => submission.cards);
const good = cards.filter(({ expected }) => expected.kind === "delivered").map(({ card }) => card);
const codeOf = ({ expected }: SampleCard) => (expected.kind === "refused" ? expected.code : "");
const wrong = (code: string) => cards.filter((card) => codeOf(card) === code).map(({ card }) => card);

describe("a sample tournament", () => {
  test("is the same for the same seed and another for another", () => {
    expect(sampleTournament(tournamentOptions())).toEqual(submissions);
    expect(sampleTournament(tournamentOptions({ seed: 8 }))).not.toEqual(submissions);
  });

  test("gives every card an ExternalID of its own and of its run, but for the repeats", () => {
    const ids = cards.map(({ card }) => card.ExternalID);
    expect(new Set(ids).size).toBe(ids.length - wrong("duplicate_external_id").length);
    expect(ids.every((id) => id.startsWith("one-"))).toBe(true);
    const others = sampleTournament(tournamentOptions({ run: "two" })).flatMap(
      (submission) => submission.cards,
    );
    expect(others.filter(({ card }) => ids.includes(card.ExternalID))).toEqual([]);
  });

  test("is played on 18 holes that were in force when the round started", () => {
    for (const { Course, Round } of good) {
      const named = courses.filter(({ ID, TemplateID }) => [ID, TemplateID].includes(Course.CourseID));
      const versions = courses.filter(({ TemplateID }) => TemplateID === named[0]?.TemplateID);
      const begun = versions.filter((one) => one.IsActive && one.ActivationDate < Round.StartTime);
      const inForce = begun.toSorted((one, other) => one.Version - other.Version).at(-1);
      expect(named.map(({ ID }) => ID)).toContain(inForce?.ID);
      expect(inForce?.NumberOfHoles).toBe(18);
    }
  });
});

describe("one card in twelve is wrong", () => {
  test("in five ways, in turn", () => {
    const codes = cards.map(codeOf).filter((code) => code !== "");
    const kinds = [
      "tee_unknown",
      "strokes_count",
      "duplicate_external_id",
      "total_mismatch",
      "version_not_in_force",
    ];
    expect(codes).toEqual(Array.from({ length: 24 }, (_, number) => kinds[number % 5]));
  });

  test("by the ExternalID of a good card before it in the submission, with another content", () => {
    for (const submission of submissions) {
      for (const [place, repeat] of submission.cards.entries()) {
        if (codeOf(repeat) !== "duplicate_external_id") continue;
        const first = submission.cards.findIndex(({ card }) => card.ExternalID === repeat.card.ExternalID);
        expect(first).toBeLessThan(place);
        expect(submission.cards[first]?.expected).toEqual({ kind: "delivered" });
        expect(submission.cards[first]?.card.Player.UnionID).not.toBe(repeat.card.Player.UnionID);
      }
    }
  });

  test("in the other ways only, where the register has no course of the future", () => {
    const options = tournamentOptions({ courses: courses.filter((one) => !future.includes(one)) });
    const codes = sampleTournament(options).flatMap((submission) => submission.cards.map(codeOf));
    expect(codes.filter((code) => code !== "")).toHaveLength(24);
    expect(codes).not.toContain("version_not_in_force");
  });
});

test("a register without enough members or without a course in force is said to be short of them", () => {
  expect(() => sampleTournament(tournamentOptions({ members: members.slice(0, 100) }))).toThrow(
    "144 members",
  );
  expect(() => sampleTournament(tournamentOptions({ courses: future }))).toThrow("course of 18 holes");
});
