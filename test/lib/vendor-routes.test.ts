import { App, Stack } from "aws-cdk-lib";
import { MockIntegration, Resource, RestApi } from "aws-cdk-lib/aws-apigateway";
import { expect, test } from "vitest";
import { addRoute } from "../../lib/vendor-routes.ts";

function pathsOf(...routes: readonly [method: string, path: string][]): string[] {
  const api = new RestApi(new Stack(new App()), "Api", { cloudWatchRole: false });
  const vendor = api.root.addResource("{apiset}");
  for (const [method, path] of routes) addRoute(vendor, method, path, new MockIntegration());
  return api.methods.map(({ httpMethod, resource }) => `${httpMethod} ${resource.path}`).sort();
}

test("each segment of a path works as the union writes it and in lower case", () => {
  expect(pathsOf(["GET", "Clubs/{clubId}/Courses"])).toEqual([
    "GET /{apiset}/Clubs/{clubId}/Courses",
    "GET /{apiset}/Clubs/{clubId}/courses",
    "GET /{apiset}/clubs/{clubId}/Courses",
    "GET /{apiset}/clubs/{clubId}/courses",
  ]);
});

test("a lower-case segment is added once", () => {
  expect(pathsOf(["GET", "clubs/{clubId}"])).toEqual(["GET /{apiset}/clubs/{clubId}"]);
});

test("a path parameter keeps its case", () => {
  expect(pathsOf(["DELETE", "cards/{externalId}"])).toEqual(["DELETE /{apiset}/cards/{externalId}"]);
});

test("paths share their common segments, and a path may have several methods", () => {
  const stack = new Stack(new App());
  const api = new RestApi(stack, "Api", { cloudWatchRole: false });
  for (const [method, path] of [
    ["GET", "cards"],
    ["POST", "cards"],
    ["POST", "cards/validate"],
  ] as const) {
    addRoute(api.root, method, path, new MockIntegration());
  }
  const resources = stack.node.findAll().filter((construct) => construct instanceof Resource);
  expect(resources.map(({ path }) => path).sort()).toEqual(["/cards", "/cards/validate"]);
});
