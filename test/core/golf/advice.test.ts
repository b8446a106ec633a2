import { describe, expect, test } from "vitest";
import type { AssessmentContext } from "../../../core/golf/assessed-card.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { withField } from "./change-card.ts";
import { corruptions } from "./corruptions.ts";
import { goodCards } from "./good-cards.ts";
import { assess, fullCard, type Json } from "./sample-cards.ts";

type Context = Partial<AssessmentContext> | undefined;

/** A card after an advice, by the code of the finding and its text; undefined if the text proposes no value. */
function follow(card: Json, finding: Finding): Json | undefined {
  const { code, detail, expected, pointer } = finding;
  const strokes: readonly number[] = card.Result?.Strokes ?? [];
  const [, nineHandicap] = /send HolesPlayed 9, .* and CourseHandicap (-?\d+)\./.exec(detail) ?? [];
  if (nineHandicap !== undefined) {
    const isFront = detail.includes("holes 10 to 18");
    const Strokes = strokes.map((taken, hole) => (hole < 9 === isFront ? taken : -1));
    const { PHCP, ...rest } = card;
    const nine = { ...rest, CourseHandicap: Number(nineHandicap), Result: { Strokes, IsQualifying: true } };
    return withField(nine, "/Round/HolesPlayed", 9);
  }
  const [, time] = /send (\d{8}T\d{6})/.exec(detail) ?? [];
  if (time !== undefined) return withField(card, pointer, time);
  if (code === "not_played_between" && detail.includes("send 0")) {
    const places = finding.received as readonly number[];
    return withStrokes(
      card,
      strokes.map((taken, hole) => (places.includes(hole + 1) ? 0 : taken)),
    );
  }
  const [, first, last] = /holes (\d+) to (\d+) were not played, send -1/.exec(detail) ?? [];
  if (first !== undefined)
    return withStrokes(
      card,
      strokes.map((taken, hole) => (hole + 1 >= Number(first) && hole < Number(last) ? -1 : taken)),
    );
  if (code === "points_differ" && detail.includes("Send those that are expected")) {
    const [, total] = /with TotalPoints (\d+)/.exec(detail) ?? [];
    const sent = withField(card, pointer, expected);
    return total === undefined ? sent : withField(sent, "/Result/TotalPoints", Number(total));
  }
  if (code === "strokes_received_differ")
    return (expected as number[]).reduce(
      (sent, received, hole) => withField(sent, `/Course/Holes/${hole}/SPH`, received),
      card,
    );
  if (code === "points_differ" && /A Playing Handicap of (-?\d+) gives/.test(detail))
    return { ...card, PHCP: Number(/A Playing Handicap of (-?\d+)/.exec(detail)?.[1]) };
  const [, hinted] = /(?:lower case|times 10,000): ([\w-]+)\.$/.exec(detail) ?? [];
  const isNamed = /send that\.$|, or the ID that is expected;|, here [\w-]+\.$/.test(detail);
  const named = isNamed ? expected : hinted;
  if (named !== undefined) return withField(card, pointer, named);
  if (code === "holes_count" || code === "points_count")
    return detail.includes("out to have it filled in") ? withField(card, pointer, undefined) : undefined;
  if (detail.endsWith("Send -1 for a hole that was not played.")) return withStrokes(card, [...strokes, -1]);
  if (detail.includes("Send IsQualifying false")) return withField(card, "/Result/IsQualifying", false);
  const [, value, handicap] =
    /[Ss]end (-?\d+)(?: for \+?\d+(?:\.\d)?)?(?:, with CourseHandicap (-?\d+))?/.exec(detail) ?? [];
  if (value === undefined || /send (0|-1|9 entries)\b/i.test(detail)) return undefined;
  const isText = typeof finding.received === "string";
  const sent = withField(card, pointer, isText ? value : Number(value));
  return handicap === undefined ? sent : { ...sent, CourseHandicap: Number(handicap) };
}

function withStrokes(card: Json, Strokes: readonly number[]): Json {
  const { Points, TotalPoints, TotalStrokes, NetDoubleBogeyGross, ...Result } = card.Result;
  return { ...card, Result: { ...Result, Strokes } };
}

const cases: readonly (readonly [name: string, card: Json, context: Context])[] = [
  ...Object.entries(goodCards).map(([name, { card, context }]) => [name, card(), context?.()] as const),
  ...Object.entries(corruptions).map(
    ([name, { spoil, card = fullCard, context }]) => [name, spoil(card()), context] as const,
  ),
];
const proposals = cases.flatMap(([name, card, context]) => {
  const found = assess(card, context);
  const before = [...found.warnings, ...(found.good ? [] : found.faults)];
  return before.flatMap((finding) => {
    const followed = follow(card, finding);
    return followed === undefined ? [] : [{ name, finding, before, followed, context }];
  });
});

describe("a card that follows an advice is taken without that or another finding:", () => {
  test.each(proposals)("$finding.code, $name", ({ finding, before, followed, context }) => {
    const after = assess(followed, context);
    const left = [...after.warnings, ...(after.good ? [] : after.faults)];
    const isNew = ({ code, pointer }: Finding) =>
      !before.some((one) => one.code === code && one.pointer === pointer);
    expect(left.filter(isNew).map(({ detail }) => detail)).toEqual([]);
    expect(left.filter(({ code, pointer }) => code === finding.code && pointer === finding.pointer)).toEqual(
      [],
    );
    expect(after.good).toBe(true);
  });

  test("the cases have many codes", () => {
    expect(new Set(proposals.map(({ finding }) => finding.code)).size).toBeGreaterThan(25);
  });
});
