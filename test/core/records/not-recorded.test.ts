import { expect, test } from "vitest";
import type { RecordResult } from "../../../core/cards/life/card.ts";
import { notRecorded } from "../../../core/cards/status.ts";
import type { WarningCode } from "../../../core/golf/findings.ts";

/** What a card's sender is told that had these warnings. */
function told(codes: readonly WarningCode[], absence?: RecordResult["absence"]): string {
  const warnings = codes.map((code) => ({ index: 0, pointer: "", code, detail: "a warning" }));
  return notRecorded("417", warnings, absence).detail;
}

test.each<[WarningCode, RegExp]>([
  ["player_unknown", /knows nobody with this UnionID/],
  ["tee_unrated", /has no rating of it/],
  ["nine_holes_unrated", /no rating of these nine holes/],
  ["course_not_qualifying", /no handicap comes of rounds on this version/],
  ["round_too_short", /too few holes/],
  ["club_number_unknown", /no club of the union/],
  ["start_long_ago", /before 2000/],
])("the likeliest cause is worked out from the warning %s", (code, cause) => {
  expect(told(["text_garbled", code])).toMatch(cause);
});

test("of several causes the likeliest is told", () => {
  expect(told(["nine_holes_unrated", "player_unknown"])).toMatch(/the player/);
});

test("a card without such a warning is said to give no cause", () => {
  expect(told(["points_differ"])).toMatch(/gives no cause: the union may not have processed it yet/);
});

test("a round at the same time with other totals is told, whatever warnings there are", () => {
  expect(told(["player_unknown"], "otherTotals")).toMatch(/a round at this StartTime with other totals/);
});

test("a player whom the union does not know at that club is told, if the player check has found nothing", () => {
  expect(told([], "nobody")).toMatch(/no player with this number at the club/);
});
