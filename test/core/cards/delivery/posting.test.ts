import { expect, test } from "vitest";
import { classifyResponse } from "../../../../core/cards/delivery/posting.ts";
import type { PostResult } from "../../../../core/union/exchange.ts";
import { echo, status, timedOut, unconnected } from "../delivery-world.ts";

test.each([
  [200, "failed"],
  [201, "failed"],
  [302, "failed"],
  [400, "failed"],
  [401, "failed"],
  [403, "failed"],
  [404, "failed"],
  [406, "failed"],
  [408, "failed"],
  [409, "failed"],
  [413, "failed"],
  [422, "failed"],
  [429, "failed"],
  [500, "failed"],
  [502, "failed"],
  [503, "failed"],
  [599, "failed"],
])("status %i without an echo means %s", (code, kind) => {
  expect(classifyResponse(status(code)).kind).toBe(kind);
});

test.each([200, 400, 403, 404, 406, 413, 422, 500, 502])(
  "status %i without an echo says nothing of whose fault it is: all that delivery learns is the status",
  (code) => {
    const failure = { phase: "after", status: code, message: expect.any(String) };
    expect(classifyResponse(status(code))).toEqual({ kind: "failed", failure });
  },
);

test("an echo says which cards were taken", () => {
  const response = classifyResponse(echo(["1", "2"]));
  const failureOf = response.kind === "echoed" ? response.failureOf : undefined;
  expect(["1", "2", "3"].map((id) => failureOf?.(id)?.phase)).toEqual([undefined, undefined, "after"]);
});

test("a failure has the exchange's own message", () => {
  const answer: PostResult = { phase: "after", status: 400, bodyExcerpt: "no such tee", echoed: new Set() };
  const failure = { phase: "after", status: 400, message: "no such tee" };
  expect(classifyResponse(answer)).toEqual({ kind: "failed", failure });
});

test("a success without an echo does not repeat its body, which may be about persons", () => {
  const answer: PostResult = {
    phase: "after",
    status: 200,
    bodyExcerpt: '[{"Player":{"FullName":"Player One"}}]',
    echoed: new Set(),
  };
  expect(classifyResponse(answer)).toEqual({
    kind: "failed",
    failure: { phase: "after", status: 200, message: "The exchange's echo did not hold the card." },
  });
});

test("no connection is an outage, and a post without an answer says nothing of whose fault it is", () => {
  expect(classifyResponse(unconnected)).toEqual({ kind: "outage", failure: unconnected });
  expect(classifyResponse(timedOut)).toEqual({ kind: "failed", failure: timedOut });
});

test("status 401 says that the vendor's credentials are at fault, whatever its body", () => {
  const answer: PostResult = {
    phase: "after",
    status: 401,
    bodyExcerpt: "<html>password secret",
    echoed: new Set(),
  };
  const message = "The exchange refused the vendor's credentials.";
  expect(classifyResponse(answer)).toEqual({
    kind: "failed",
    failure: { phase: "after", status: 401, message },
  });
});

test("Retry-After is kept with any failure: one card may be answered so alone", () => {
  expect(classifyResponse(status(503, 120))).toMatchObject({ kind: "failed", retryAfterSeconds: 120 });
  expect(classifyResponse(status(429, 120))).toMatchObject({ kind: "failed", retryAfterSeconds: 120 });
  expect(classifyResponse(status(500, 120))).toMatchObject({ kind: "failed", retryAfterSeconds: 120 });
});

test("of the cards that a 207 does not echo, those with a status of their own failed by it, the others without one", () => {
  const refused = new Map([["2", 422]]);
  const some = classifyResponse({
    phase: "after",
    status: 207,
    bodyExcerpt: "",
    echoed: new Set(["1"]),
    refused,
  });
  const failureOf = (id: string) => (some.kind === "echoed" ? some.failureOf(id) : undefined);
  expect([failureOf("2"), failureOf("3")]).toMatchObject([{ status: 422 }, { status: 207 }]);
  const all = classifyResponse({ phase: "after", status: 207, bodyExcerpt: "", echoed: new Set(), refused });
  expect(all).toMatchObject({ kind: "failed", failure: { status: 422 } });
});
