import { readStreamedResponse } from "@scorecard-pipeline/local-aws/api-gateway";
import {
  collectResponse,
  installResponseStreaming,
  streamingHandler,
} from "@scorecard-pipeline/local-aws/lambda";
import { beforeAll, expect, test } from "vitest";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { ProblemError, problem } from "../../../functions/http/problem.ts";
import type { HttpResponse } from "../../../functions/http/response.ts";
import { streamedResponse } from "../../../functions/http/streamed-response.ts";
import { vendorApi } from "../../../functions/http/vendor-api.ts";

beforeAll(installResponseStreaming);

const event = {
  httpMethod: "GET",
  resource: "/{apiset}/Clubs",
  pathParameters: { apiset: "green" },
  requestContext: { requestId: "r", authorizer: { apiSet: "green", resources: "clubs" } },
};
const context = { awsRequestId: "r" };

/** What API Gateway gets of a streamed response. */
async function streamed(respond: () => Promise<HttpResponse<string | Uint8Array>>) {
  const handler = streamingHandler(streamedResponse(vendorApi(respond)));
  if (handler === undefined) throw new Error("The handler does not stream.");
  const { status, headers, body } = readStreamedResponse(await collectResponse(handler, event, context));
  return { status, headers, text: body.toString() };
}

test.each([
  ["a text", "[1]"],
  ["bytes", Buffer.from("[1]")],
])("a response with %s is streamed with its status and headers", async (_, body) => {
  const headers = { "Content-Type": "application/json", ETag: '"1"' };
  expect(await streamed(async () => ({ statusCode: 200, headers, body }))).toEqual({
    status: 200,
    headers: { "content-type": "application/json", etag: '"1"' },
    text: "[1]",
  });
});

test("a long text is streamed whole, with characters outside of Unicode's basic plane anywhere in it", async () => {
  // Three units first, so that slices of an even length end within a character.
  const body = `["n${"🏌".repeat(20_000)}"]`;
  const seen = await streamed(async () => ({ statusCode: 200, headers: {}, body }));
  expect(seen.text === body).toBe(true);
});

test("a response without a body is streamed with its status and headers", async () => {
  const seen = await streamed(async () => ({ statusCode: 304, headers: { ETag: '"1"' }, body: "" }));
  expect(seen).toMatchObject({ status: 304, headers: { etag: '"1"' }, text: "" });
});

test.each([
  ["a problem", new ProblemError(problem(404, "No such club", "None."), { headers: { "X-Seen": "yes" } })],
  [
    "a refusal",
    new RefusalError({ kind: "unavailable", detail: "Nothing is mirrored.", retryAfterSeconds: 60 }),
  ],
  ["an error that nobody foresaw", new TypeError("no such thing")],
])("%s is streamed as the same problem document that is returned without streaming", async (_, error) => {
  const respond = () => Promise.reject(error);
  const { statusCode, headers, body } = await vendorApi(respond)(event, context as never);
  expect(statusCode).toBeGreaterThanOrEqual(400);
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  expect(await streamed(respond)).toEqual({
    status: statusCode,
    headers: Object.fromEntries(lowerCased),
    text: body,
  });
});
