import { describe, expect, test } from "vitest";
import { contentHash, contentOf } from "../../../core/golf/content.ts";
import { type Scorecard, fields as table } from "../../../core/golf/scorecard.ts";
import { withField } from "./change-card.ts";
import { accepted, fullCard, type Json, minimalCard } from "./sample-cards.ts";

const hashOf = (card: Json) => accepted(card).contentHash;
const text = (card: Json) => contentOf(card as Scorecard)?.text;

/** The way to every field of a card, its lists taken whole. */
const fields = (value: Json, pointer = ""): string[] =>
  Object.entries(value).flatMap(([name, entry]) =>
    typeof entry === "object" && entry !== null && !(Array.isArray(entry) && typeof entry[0] === "number")
      ? fields(entry, `${pointer}/${name}`)
      : [`${pointer}/${name}`],
  );

describe("content text of a card", () => {
  test("the content differs for every field that is left out or changed", () => {
    const card = fullCard();
    const texts = new Set([text(card)]);
    const pointers = fields(card);
    for (const pointer of pointers) {
      for (const value of [undefined, "another"]) texts.add(text(withField(card, pointer, value)));
    }
    expect(texts.size).toBe(1 + 2 * pointers.length);
  });

  test("the content is the same in any order of fields, unknown and nested ones included", () => {
    const one = minimalCard({ Extra: { a: 1, b: { c: 2, d: [3, { e: 4, f: 5 }] } }, Also: "x" });
    const { CreateDateTime, ...rest } = minimalCard();
    const other = {
      Also: "x",
      Extra: { b: { d: [3, { f: 5, e: 4 }], c: 2 }, a: 1 },
      ...rest,
      CreateDateTime,
    };
    expect(hashOf(other)).toBe(hashOf(one));
  });

  test.each([
    ["the card", ""],
    ["the course", "/Course"],
    ["a hole", "/Course/Holes/3"],
    ["the round", "/Round"],
    ["the result", "/Result"],
    ["the player", "/Player"],
    ["the marker", "/Marker"],
  ])("the content differs for an unknown field of %s, and for its value", (_name, pointer) => {
    const hashes = [
      fullCard(),
      withField(fullCard(), `${pointer}/Extra`, 1),
      withField(fullCard(), `${pointer}/Extra`, "1"),
      withField(fullCard(), `${pointer}/Extra`, null),
      withField(fullCard(), `${pointer}/Other`, 1),
    ].map(hashOf);
    expect(new Set(hashes).size).toBe(5);
  });

  test("the content differs for the same unknown field in another part or hole", () => {
    const places = [
      "",
      "/Course",
      "/Course/Holes/3",
      "/Course/Holes/4",
      "/Round",
      "/Result",
      "/Player",
      "/Marker",
    ];
    const hashes = places.map((place) => hashOf(withField(fullCard(), `${place}/Extra`, 1)));
    expect(new Set(hashes).size).toBe(places.length);
  });

  test("the content differs for a hole with an unknown field in place of a known one", () => {
    const hole = ({ SPH, ...rest }: Json) => ({ ...rest, Extra: SPH });
    const swapped = fullCard();
    swapped.Course.Holes[2] = hole(swapped.Course.Holes[2]);
    const without = fullCard();
    delete without.Course.Holes[2].SPH;
    expect(hashOf(swapped)).not.toBe(hashOf(without));
  });

  test("there is no content text if an unknown field is nested too deep", () => {
    const nested = (levels: number): Json => (levels === 0 ? 1 : { deeper: nested(levels - 1) });
    expect(text(fullCard({ Extra: nested(31) }))).toBeTypeOf("string");
    expect(text(fullCard({ Extra: nested(32) }))).toBeUndefined();
  });

  test("the content differs between a number and a text, and between two orders of the strokes", () => {
    const { HCP, ...card } = fullCard();
    expect(hashOf({ ...card, HCP: 90000 })).not.toBe(hashOf({ ...card, HCP: "90000" }));
    const { Points, TotalPoints, TotalStrokes, NetDoubleBogeyGross, ...Result } = card.Result;
    const played = (Strokes: number[]) => hashOf(fullCard({ Result: { ...Result, Strokes } }));
    expect(played(Result.Strokes.with(0, 6).with(1, 5))).not.toBe(
      played(Result.Strokes.with(0, 5).with(1, 6)),
    );
  });

  test("the content hash is SHA-256 in Base64 for URLs", () => {
    expect(contentHash("abc")).toBe("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    expect(hashOf(minimalCard())).toMatch(/^[\w-]{43}$/);
  });

  test("the content hash of a card never changes, or stored cards would look corrected", () => {
    expect(hashOf(fullCard())).toBe("mOmr3uDNf9SZbG3j9tlD3UJ7drDfUK9ClUDeaZ0LsA8");
    expect(hashOf(minimalCard())).toBe("u3Zrqj_34PAaG_R5_C4j2XaUCVUNedJ1dhLZ7Ue8ubA");
    expect(hashOf({ ...fullCard(), weather: "rain" })).toBe("Xy0BKtweeXm_wl5i847KZNGzz-S7vR1LkkYQiTclx10");
  });

  test("a full card has every field of the table", () => {
    const card = fullCard();
    const parts = { card, course: card.Course, hole: card.Course.Holes[0], round: card.Round };
    const more = { result: card.Result, player: card.Player, marker: card.Marker };
    for (const [part, value] of Object.entries({ ...parts, ...more }))
      expect([part, Object.keys(value).sort()]).toEqual([
        part,
        Object.keys(table[part as keyof typeof table]).sort(),
      ]);
  });
});
