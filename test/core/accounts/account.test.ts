import { expect, test } from "vitest";
import { resourceOfRoute } from "../../../core/accounts/account.ts";

test.each([
  ["/{apiset}/Clubs", "clubs"],
  ["/{apiset}/clubs/{clubId}", "clubs"],
  ["/{apiset}/Clubs/{clubId}/Courses", "courses"],
  ["/{apiset}/clubs/{clubId}/courses/{courseId}", "courses"],
  ["/{apiset}/clubs/golfer", "golfer"],
  ["/{apiset}/Clubs/Golfer_ByAccessToken", "golfer-by-token"],
  ["/{apiset}/clubs/{clubId}/Memberships/Scorecards", "records"],
  ["/{apiset}/Clubs/Members/ExchangedScorecards", "scorecards"],
  ["/{apiset}/scorecardexchange/{externalId}", "scorecards"],
])("%s is part of %s", (route, resource) => {
  expect(resourceOfRoute(route)).toBe(resource);
});

test("a route of no resource is nobody's to use", () => {
  expect(() => resourceOfRoute("/login.aspx")).toThrow("/login.aspx");
});
