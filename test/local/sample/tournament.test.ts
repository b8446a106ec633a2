import { expect, test } from "vitest";
import { type SampleCard, sampleTournament, teeTime } from "../../../local/sample/tournament.ts";
import { tournamentOptions, union } from "./small-union.ts";

const { courses, members } = union;
const future = courses.filter(({ ActivationDate }) => ActivationDate > "20260604");
const codeOf = ({ expected }: SampleCard) => (expected.kind === "refused" ? expected.code : "");

test("a sample tournament is the same for the same seed, and another for another", () => {
  const submissions = sampleTournament(tournamentOptions());
  expect(sampleTournament(tournamentOptions())).toEqual(submissions);
  expect(sampleTournament(tournamentOptions({ seed: 8 }))).not.toEqual(submissions);
});

test("one card in twelve is wrong, also where the register has no course of the future", () => {
  const options = tournamentOptions({ courses: courses.filter((one) => !future.includes(one)) });
  const codes = sampleTournament(options).flatMap((submission) => submission.cards.map(codeOf));
  expect(codes.filter((code) => code !== "")).toHaveLength(24);
  expect(codes).not.toContain("version_not_in_force");
});

test("a register without enough members or without a course in force is said to be short of them", () => {
  expect(() => sampleTournament(tournamentOptions({ members: members.slice(0, 100) }))).toThrow(
    "144 members",
  );
  expect(() => sampleTournament(tournamentOptions({ courses: future }))).toThrow("course of 18 holes");
});

const copenhagen = "Europe/Copenhagen";

test("yesterday is the union's, not that of UTC", () => {
  const { timestamp, instant } = teeTime(new Date("2026-06-30T23:30:00Z"), copenhagen, 1, 500);
  expect(timestamp).toBe("20260630T082000");
  expect(new Date(instant).toISOString()).toBe("2026-06-30T06:20:00.000Z");
});

test("a round on the day the clocks go back, in the month before, starts when the clocks say so", () => {
  const { timestamp, instant } = teeTime(new Date("2026-11-01T12:00:00Z"), copenhagen, 7, 480);
  expect(timestamp).toBe("20261025T080000");
  expect(new Date(instant).toISOString()).toBe("2026-10-25T07:00:00.000Z");
});
