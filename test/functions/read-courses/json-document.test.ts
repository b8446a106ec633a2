import { expect, test } from "vitest";
import { maxResponseBytes } from "../../../functions/http/response.ts";
import { jsonDocument } from "../../../functions/read-courses/json-document.ts";

test("the same content has the same tag, other content another", () => {
  expect(jsonDocument("[1]")).toEqual(jsonDocument("[1]"));
  expect(jsonDocument("[1]").tag).not.toBe(jsonDocument("[2]").tag);
});

test("what Lambda does not hand over is refused in words, and what it does is not", () => {
  // A list of one text: two brackets, and two quotes that take two bytes each in an answer, whose own two count as well.
  const most = maxResponseBytes - 8;
  expect(jsonDocument(JSON.stringify(["x".repeat(most)])).text).toHaveLength(most + 4);
  expect(() => jsonDocument(JSON.stringify(["x".repeat(most + 1)]))).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ status: 413 }) }),
  );
});
