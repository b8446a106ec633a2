import type { Context } from "aws-lambda";
import { expect, test } from "vitest";
import { vendorApi } from "../../../functions/http/vendor-api.ts";

/** A request that the authorizer accepted with `apiSet: green` and these resources. */
const event = ({ resource = "/{apiset}/Clubs", apiset = "green", resources = "clubs", clubId = "1" }) => ({
  httpMethod: "GET",
  resource,
  pathParameters: { apiset, clubId },
  requestContext: { requestId: "r", authorizer: { apiSet: "green", resources } },
});

const ranFor: string[] = [];
const handler = vendorApi(async ({ operation }) => {
  ranFor.push(operation);
  return { statusCode: 200, headers: {}, body: "" };
});

test.each([
  { apiset: "red" },
  { apiset: "greens" },
  { resource: "/{apiset}/ScorecardExchange" },
  { resource: "/{apiset}/Clubs/{clubId}/courses" },
  { resources: "" },
])("a request that the authorizer should have refused is refused: %j", async (given) => {
  ranFor.length = 0;
  expect((await handler(event(given), {} as Context)).statusCode).toBe(403);
  expect(ranFor).toEqual([]);
});

test.each([{}, { apiset: "GREEN" }])(
  "a request for the account's own API set and a granted resource is answered: %j",
  async (given) => {
    ranFor.length = 0;
    expect((await handler(event(given), {} as Context)).statusCode).toBe(200);
    expect(ranFor).toEqual(["listClubs"]);
  },
);

test("a path that this version does not have is answered 404, whatever is granted", async () => {
  const { statusCode } = await handler(
    event({ resource: "/{apiset}/Cards/{externalId}/Card" }),
    {} as Context,
  );
  expect(statusCode).toBe(404);
});

test.each(["S%D8-1", "S%EF%BF%BD-1", "S\ufffd-1", "100%"])(
  "a path with %s, which is not UTF-8, is refused with a 400 that says so",
  async (clubId) => {
    const { statusCode, body } = await handler(event({ clubId }), {} as Context);
    expect([statusCode, JSON.parse(body).detail]).toEqual([400, "The path is not percent-encoded UTF-8."]);
  },
);
