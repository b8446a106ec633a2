import { expect, test } from "vitest";
import { type PortalRoute, parseRoute, toAddress } from "../../../portal/base/route.ts";

const routes: readonly PortalRoute[] = [
  { view: "overview", range: "24h" },
  { view: "overview", range: "30d" },
  { view: "cards", filter: {} },
  { view: "cards", filter: { from: "2026-07-01", day: "2026-07-04", counted: "player_unknown" } },
  { view: "cards", filter: { state: "rejected" } },
  { view: "card", externalId: "card-417" },
  { view: "card", externalId: "a/b?c#d é%" },
  { view: "refusals", days: 30, code: "tee_unknown" },
  { view: "tournaments", period: { days: 31 } },
  { view: "tournaments", period: { days: 7, to: "2026-07-04" } },
  { view: "tournament", shown: { id: "~a_b-c", from: "2026-07-03", to: "2026-07-04" } },
  { view: "tournament", shown: { id: "~x", from: "2026-07-04", to: "2026-07-04" } },
  { view: "webhooks" },
  { view: "api" },
  { view: "operator" },
];

test.each(routes)("the address of $view names that view again", (route) => {
  expect(parseRoute(toAddress(route))).toEqual(route);
});

test.each(["", "#", "#/", "#/?range=century"])("an empty address is the overview: %j", (hash) => {
  expect(parseRoute(hash)).toEqual({ view: "overview", range: "24h" });
});

test.each([
  "#/nothing",
  "#/card/417",
  "#overviews",
  "#/tournaments/~x",
  "#/tournaments/~x?from=1&to=2",
  "#/tournaments/~x?from=2026-07-04",
])("an address that names no view is none: %j", (hash) => {
  expect(parseRoute(hash)).toEqual({ view: "nowhere" });
});

test("an address with a percent sign that encodes nothing still names a card", () => {
  expect(parseRoute("#/cards/100%")).toEqual({ view: "card", externalId: "100%" });
});
