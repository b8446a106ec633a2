import { expect, test } from "vitest";
import { operations } from "../../api/operations.ts";
import { findOperation, type Route, routes } from "../../api/routes.ts";
import { unreachableExternalIds } from "../../core/formats/external-ids.ts";
import { servedOperations } from "../../lib/vendor-routes.ts";

test("a request's operation is found by its method and path, in every spelling that is served", () => {
  for (const { operationId, route, paths } of servedOperations) {
    for (const path of paths) expect(findOperation(route.method, path)).toBe(operationId);
  }
});

test.each([
  ["GET", "/{apiset}/ScorecardExchange/{externalId}/Card", "getScorecard"],
  ["GET", "/{apiset}/scorecardexchange/{externalId}", "getScorecardState"],
  ["DELETE", "/{apiset}/ScorecardExchange/{externalId}", "withdrawScorecard"],
  ["GET", "/{apiset}/clubs/golfer_byaccesstoken", "getGolferByAccessToken"],
])("%s %s is %s", (method, path, operationId) => {
  expect(findOperation(method, path)).toBe(operationId);
});

test.each([
  ["PATCH", "/{apiset}/Clubs"],
  ["GET", "/{apiset}/Cards/{externalId}/Card"],
])("%s %s is no operation of the API", (method, path) => {
  expect(findOperation(method, path)).toBeUndefined();
});

/** What the operator promises with each resource. All other operations below the API set are for `scorecards`. */
const grants: Readonly<Record<string, readonly string[]>> = {
  clubs: ["listClubs", "getClub"],
  courses: ["listCourses", "getCourse"],
  golfer: ["getGolfer"],
  "golfer-by-token": ["getGolferByAccessToken"],
  records: ["getPlayerRecord"],
  operations: ["getOverview"],
};

test("each operation needs the grant that the operator gives for it, and only the open ones need none", () => {
  const wrong = Object.entries<Route>(routes).filter(([operationId, { path, resource }]) => {
    const [named] = Object.entries(grants).find(([, ids]) => ids.includes(operationId)) ?? [];
    return resource !== (named ?? (path.startsWith("/{apiset}/") ? "scorecards" : undefined));
  });
  expect(wrong).toEqual([]);
});

test("no card may have the name of an operation that stands beside the cards' URLs", () => {
  const beside = servedOperations
    .flatMap(({ paths }) => paths)
    .flatMap((path) => /^\/\{apiset\}\/scorecardexchange\/([^/{]+)/i.exec(path)?.[1] ?? []);
  expect([...unreachableExternalIds].sort()).toEqual([".", "..", ...new Set(beside)].sort());
});

test("the OpenAPI document describes each operation of the table once, and no other", () => {
  const described = operations.map(({ operationId }) => operationId);
  expect(described.sort()).toEqual(Object.keys(routes).sort());
});
