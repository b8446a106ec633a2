import { ResponseType } from "aws-cdk-lib/aws-apigateway";
import { expect, test } from "vitest";
import { gatewayResponses } from "../../lib/gateway-responses.ts";

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: Readonly<Record<string, unknown>>;
}

const refusals = new Map(
  Object.entries(gatewayResponses([])).map(([type, response]): [string, Refusal] => {
    const headers = Object.entries(response.responseParameters).map(([name, value]) => [
      name.replace("gatewayresponse.header.", ""),
      value.replace(/^'(.*)'$/, "$1"),
    ]);
    const problem = JSON.parse(response.responseTemplates["application/json"] ?? "");
    return [type, { status: Number(response.statusCode), headers: Object.fromEntries(headers), problem }];
  }),
);

function refusal(type: string): Refusal {
  const found = refusals.get(type);
  if (found === undefined) throw new Error(`There is no response for ${type}.`);
  return found;
}

test("every refusal of API Gateway itself is a problem document that says what to do", () => {
  for (const { status, headers, problem } of refusals.values()) {
    expect(headers["Content-Type"]).toBe("application/problem+json");
    expect(Object.keys(problem)).toEqual(["type", "title", "status", "detail"]);
    expect(problem.status).toBe(status);
    expect(problem.detail).toMatch(/^[A-Z].{20,}\.$/);
  }
});

test.each([
  ["wrong credentials", "UNAUTHORIZED", 401],
  ["another vendor's API set", "ACCESS_DENIED", 403],
  ["a path that does not exist", "MISSING_AUTHENTICATION_TOKEN", 404],
  ["a lookup by token without one", "BAD_REQUEST_PARAMETERS", 400],
  ["a body of more than 10 MB", "REQUEST_TOO_LARGE", 413],
  ["a body that is not JSON", "UNSUPPORTED_MEDIA_TYPE", 415],
  ["too many requests a second", "THROTTLED", 429],
  ["more requests than the account has", "QUOTA_EXCEEDED", 429],
  ["a response that takes too long", "INTEGRATION_TIMEOUT", 504],
  ["a function that fails", "INTEGRATION_FAILURE", 503],
  ["anything else that the client got wrong", "DEFAULT_4XX", 400],
  ["anything else that went wrong here", "DEFAULT_5XX", 503],
])("the response to %s, %s, has the status %i", (_what, type, status) => {
  expect(refusal(type).status).toBe(status);
});

test("every type of refusal that API Gateway has is covered", () => {
  const kinds = Object.values(ResponseType).filter((value) => value instanceof ResponseType);
  expect(kinds.length).toBeGreaterThan(20);
  for (const { responseType } of kinds) expect(refusals.has(responseType), responseType).toBe(true);
});

test("a 403 refers to login.aspx, and a 404 to openapi.json", () => {
  expect(refusal("ACCESS_DENIED").problem.detail).toContain("login.aspx");
  for (const type of ["MISSING_AUTHENTICATION_TOKEN", "INVALID_SIGNATURE", "RESOURCE_NOT_FOUND"]) {
    expect(refusal(type).status).toBe(404);
    expect(refusal(type).problem.detail).toContain("openapi.json");
  }
});

test("the refusal of a body that cannot be unpacked says that it must be whole and in UTF-8", () => {
  expect(refusal("UNSUPPORTED_MEDIA_TYPE").problem.detail).toMatch(/^Send JSON in UTF-8,.* whole\.$/);
});

test("a client without credentials is told the scheme, the realm and the character set", () => {
  expect(refusal("UNAUTHORIZED").headers["WWW-Authenticate"]).toBe(
    'Basic realm="scorecards", charset="UTF-8"',
  );
});

test("every refusal that allows a retry has the header Retry-After", () => {
  for (const { status, headers } of refusals.values()) {
    const mayTryAgain = status === 429 || status >= 500;
    expect(/^\d+$/.test(headers["Retry-After"] ?? "")).toBe(mayTryAgain);
  }
});

test.each([
  [[], undefined],
  [["https://a.example"], "'https://a.example'"],
  [["https://a.example", "https://b.example"], "'*'"],
])("with %j as allowed origins every refusal may be read by %s", (origins, readers) => {
  for (const { responseParameters } of Object.values(gatewayResponses(origins)))
    expect(responseParameters["gatewayresponse.header.Access-Control-Allow-Origin"]).toBe(readers);
});
