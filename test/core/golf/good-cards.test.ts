import { describe, expect, test } from "vitest";
import { withoutUnset } from "../../../core/golf/read-card.ts";
import { fieldOf, withField } from "./change-card.ts";
import { goodCards } from "./good-cards.ts";
import { accepted } from "./sample-cards.ts";

describe("a good card is never refused:", () => {
  test.each(Object.entries(goodCards))("one %s", (_name, good) => {
    const { card: build, context, warnings = [] } = good;
    const sent = build();
    const { card, warnings: found } = accepted(sent, context?.());
    expect(found.map(({ code }) => code)).toEqual(warnings);
    if (found.length > 0) expect(found).toMatchSnapshot();
    const left = good.replaced === undefined ? sent : withField(sent, good.replaced, undefined);
    expect(card).toMatchObject(withoutUnset(left));
    if (good.replaced !== undefined) expect(fieldOf(card, good.replaced)).toBeUndefined();
    const total = (list: readonly number[]) => list.reduce((sum, entry) => sum + entry, 0);
    expect(card.Course.Holes?.map(({ SPH }) => typeof SPH)).toEqual(sent.Result.Strokes.map(() => "number"));
    expect(card.Result.Points).toHaveLength(sent.Result.Strokes.length);
    expect(card.Result.TotalPoints).toBe(total(card.Result.Points ?? []));
    expect(card.PHCP).toBe(good.playingHandicap ?? sent.PHCP ?? sent.CourseHandicap);
    for (const field of ["Name", "Country", "TeeName", "TeePar", "TeeRating", "TeeSlope"]) {
      const value = field === good.unrated ? undefined : expect.anything();
      expect([field, fieldOf(card, `/Course/${field}`)]).toEqual([field, value]);
    }
  });

  test.each(Object.entries(goodCards))(
    "and filled in it is good once more, and stays as it is: one %s",
    (_name, { card, context }) => {
      const once = accepted(card(), context?.());
      const again = accepted(JSON.parse(JSON.stringify(once.card)), context?.());
      expect(again.card).toEqual(once.card);
      const told = new Set(once.warnings.map(({ code }) => code));
      expect(again.warnings.map(({ code }) => code).filter((code) => !told.has(code))).toEqual([]);
    },
  );
});
