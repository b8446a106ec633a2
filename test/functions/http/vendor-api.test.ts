import type { Context } from "aws-lambda";
import { expect, test } from "vitest";
import { vendorApi } from "../../../functions/http/vendor-api.ts";

/** A request that the authorizer let through with `apiSet: green` and these resources. */
const event = ({ resource = "/{apiset}/Clubs", apiset = "green", resources = "clubs", clubId = "1" }) => ({
  httpMethod: "GET",
  resource,
  pathParameters: { apiset, clubId },
  requestContext: { requestId: "r", authorizer: { apiSet: "green", resources } },
});

const ranFor: string[] = [];
const handler = vendorApi(async ({ resource }) => {
  ranFor.push(resource);
  return { statusCode: 200, headers: {}, body: "" };
});

test.each([
  { apiset: "red" },
  { apiset: "Green" },
  { resource: "/{apiset}/ScorecardExchange" },
  { resource: "/{apiset}/Clubs/{clubId}/courses" },
  { resources: "" },
])("what the authorizer should not have let through is refused all the same: %j", async (given) => {
  ranFor.length = 0;
  expect((await handler(event(given), {} as Context)).statusCode).toBe(403);
  expect(ranFor).toEqual([]);
});

test("a request of the account's own, for a resource that it may use, is answered", async () => {
  expect((await handler(event({}), {} as Context)).statusCode).toBe(200);
  expect(ranFor).toEqual(["/{apiset}/Clubs"]);
});

test.each(["S%D8-1", "S%EF%BF%BD-1", "S\ufffd-1", "100%"])(
  "a path with %s, which is not UTF-8, is refused with words of its own",
  async (clubId) => {
    const { statusCode, body } = await handler(event({ clubId }), {} as Context);
    expect([statusCode, JSON.parse(body).detail]).toEqual([400, "The path is not percent-encoded UTF-8."]);
  },
);
