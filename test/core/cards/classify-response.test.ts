import { expect, test } from "vitest";
import { classifyResponse } from "../../../core/cards/classify-response.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { echo, status, timedOut, unconnected } from "./delivery-world.ts";

test.each([
  [200, "echoed"],
  [201, "echoed"],
  [299, "echoed"],
  [302, "outage"],
  [400, "refused"],
  [401, "outage"],
  [403, "outage"],
  [404, "refused"],
  [405, "outage"],
  [408, "outage"],
  [409, "refused"],
  [413, "refused"],
  [422, "refused"],
  [429, "outage"],
  [500, "serverError"],
  [501, "outage"],
  [503, "outage"],
  [599, "outage"],
])("status %i means %s", (code, kind) => {
  expect(classifyResponse(status(code)).kind).toBe(kind);
});

test("an echo says which cards were taken", () => {
  expect(classifyResponse(echo(["1", "2"]))).toEqual({ kind: "echoed", ids: new Set(["1", "2"]) });
});

test("a refusal has the exchange's own message", () => {
  const answer: PostResult = { phase: "after", status: 400, bodyExcerpt: "no such tee", echoed: new Set() };
  const failure = { phase: "after", status: 400, message: "no such tee" };
  expect(classifyResponse(answer)).toEqual({ kind: "refused", failure });
});

test.each([timedOut, unconnected])("a post without an answer is an outage: %o", (result) => {
  expect(classifyResponse(result)).toEqual({ kind: "outage", failure: result });
});

test.each([401, 403])(
  "status %i says that the vendor's credentials are at fault, whatever its body",
  (code) => {
    const answer: PostResult = {
      phase: "after",
      status: code,
      bodyExcerpt: "<html>password secret",
      echoed: new Set(),
    };
    expect(classifyResponse(answer)).toEqual({
      kind: "outage",
      failure: {
        phase: "after",
        status: code,
        message: "The exchange refused the vendor's credentials.",
      },
      credentialsRefused: true,
    });
  },
);

test("Retry-After is kept with the outage", () => {
  expect(classifyResponse(status(503, 120))).toMatchObject({ kind: "outage", retryAfterSeconds: 120 });
});
