import { expect, test } from "vitest";
import { unreachableExternalIds } from "../../../core/golf/external-ids.ts";
import { operations } from "../../../functions/http/openapi/operations.ts";
import { operationOf, routes } from "../../../functions/http/routes.ts";
import { servedOperations } from "../../../lib/vendor-routes.ts";

test("a request's operation is found by its method and path, in every spelling that is served", () => {
  for (const { operationId, route, paths } of servedOperations) {
    for (const path of paths) expect(operationOf(route.method, path)).toBe(operationId);
  }
});

test.each([
  ["GET", "/{apiset}/ScorecardExchange/{externalId}/Card", "getScorecard"],
  ["GET", "/{apiset}/scorecardexchange/{externalId}", "getScorecardState"],
  ["DELETE", "/{apiset}/ScorecardExchange/{externalId}", "withdrawScorecard"],
  ["GET", "/{apiset}/clubs/golfer_byaccesstoken", "getGolferByAccessToken"],
])("%s %s is %s", (method, path, operationId) => {
  expect(operationOf(method, path)).toBe(operationId);
});

test.each([
  ["PATCH", "/{apiset}/Clubs"],
  ["GET", "/{apiset}/Cards/{externalId}/Card"],
])("%s %s, which the API does not have, is answered 404 and rings no alarm", (method, path) => {
  const refused = (): unknown => {
    try {
      return operationOf(method, path);
    } catch (error) {
      return error;
    }
  };
  expect(refused()).toMatchObject({ name: "ProblemError", problem: { status: 404 } });
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
