import { expect, test } from "vitest";
import { verdictOn } from "../../../core/delivery/verdict.ts";

const verdictOf = (status: number) => verdictOn({ stage: "after", status, words: "no", echoed: new Set() });

test.each([400, 404, 409, 413, 422])("%i is about the cards", (status) => {
  expect(verdictOf(status).kind).toBe("refused");
});

test("a bare 500 may be about the cards or an outage", () => {
  expect(verdictOf(500).kind).toBe("broke");
});

test.each([302, 408, 410, 429, 501, 502, 503])(
  "%i stops the vendor's posts, not for its credentials",
  (status) => {
    expect(verdictOf(status)).toMatchObject({ kind: "stop", credentialsRefused: false });
  },
);

test.each([401, 403])("%i stops the vendor's posts for its credentials", (status) => {
  expect(verdictOf(status)).toMatchObject({ kind: "stop", credentialsRefused: true });
});
