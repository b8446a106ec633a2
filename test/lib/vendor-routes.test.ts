import { expect, test } from "vitest";
import type { Route } from "../../api/routes.ts";
import { resourcesOf, servedOperations, spellings } from "../../lib/vendor-routes.ts";

test("each segment of a path works as the union writes it and in lower case", () => {
  expect(spellings("/{apiset}/Clubs/{clubId}/Courses").sort()).toEqual([
    "/{apiset}/Clubs/{clubId}/Courses",
    "/{apiset}/Clubs/{clubId}/courses",
    "/{apiset}/clubs/{clubId}/Courses",
    "/{apiset}/clubs/{clubId}/courses",
  ]);
});

test("a lower-case segment is added once", () => {
  expect(spellings("/{apiset}/clubs/{clubId}")).toEqual(["/{apiset}/clubs/{clubId}"]);
});

test("a path parameter keeps its case", () => {
  expect(spellings("/{apiset}/cards/{externalId}")).toEqual(["/{apiset}/cards/{externalId}"]);
});

test("paths share their common segments, and a path may have several methods", () => {
  expect(resourcesOf(["/cards", "/cards", "/cards/validate"])).toEqual(
    new Set(["/", "/cards", "/cards/validate"]),
  );
  expect(resourcesOf(["/cards/{externalId}/card"])).toEqual(
    new Set(["/", "/cards", "/cards/{externalId}", "/cards/{externalId}/card"]),
  );
});

test("an operation is served in one spelling, unless the table says that each segment also works in lower case", () => {
  for (const { route, paths } of servedOperations) {
    expect(paths).toEqual(route.everySpelling ? spellings(route.path) : [route.path]);
  }
  const inOneSpelling = servedOperations.filter(({ route }) => !route.everySpelling);
  expect(inOneSpelling.map(({ operationId }) => operationId)).toContain("showPortal");
});

test("the spelling in the OpenAPI document is one that is served", () => {
  for (const { route, paths } of servedOperations) {
    const { documentedAs = route.path }: Route = route;
    expect(paths).toContain(documentedAs);
  }
});
