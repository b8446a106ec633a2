import { expect, test } from "vitest";
import { checkDocumented } from "./documented-answers.ts";

const problem = { type: "about:blank", title: "Not found", status: 404, detail: "There is nothing." };

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const type = status < 400 ? "application/json" : "application/problem+json";
  const text = body === undefined ? "" : JSON.stringify(body);
  return { status, text, headers: new Headers({ "Content-Type": `${type}; charset=utf-8`, ...headers }) };
}

const check = (method: string, path: string, given: ReturnType<typeof answer>) => () =>
  checkDocumented(method, path, given);

test("an answer as documented passes, whatever the case of its path", () => {
  expect(check("GET", "a/scorecardexchange/x?y=/z", answer(404, problem))).not.toThrow();
  expect(check("GET", "a//ScorecardExchange", answer(200, { cards: [] }))).not.toThrow();
  expect(check("DELETE", "a/ScorecardExchange/x", answer(204, undefined))).not.toThrow();
  expect(check("GET", "nowhere", answer(404, problem))).not.toThrow();
});

test.each([
  ["a status", "GET", "a/Clubs", answer(418, problem), "not documented"],
  ["a method", "PUT", "a/Clubs", answer(200, []), "not in the document"],
  ["a body", "GET", "a/ScorecardExchange", answer(200, { cards: [{}] }), "/cards/0"],
  ["a field", "GET", "a/ScorecardExchange", answer(200, { cards: [], more: 1 }), "additional properties"],
  ["a shared answer's body", "GET", "a/Clubs", answer(403, {}), "required property 'detail'"],
  ["a body where none belongs", "DELETE", "a/ScorecardExchange/x", answer(204, {}), "with a body"],
  [
    "a content type",
    "GET",
    "a/Clubs",
    answer(404, problem, { "Content-Type": "text/plain" }),
    "not documented",
  ],
  ["a missing header", "POST", "a/ScorecardExchange", answer(201, []), "Scorecard-Warnings"],
])("%s that is not documented is found", (_what, method, path, given, told) => {
  expect(check(method, path, given)).toThrow(told);
});
