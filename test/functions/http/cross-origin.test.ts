import { expect, test } from "vitest";
import { routes } from "../../../api/routes.ts";
import { crossOrigin } from "../../../functions/http/response.ts";

const from = (Origin: string) => ({ headers: { Origin } });
const { responseHeaders, preflightHeaders } = crossOrigin("https://a.example http://localhost:5173");

test("the response allows the request's origin if it is an allowed one", () => {
  expect(responseHeaders(from("https://a.example"))).toMatchObject({
    Vary: "Origin",
    "Access-Control-Allow-Origin": "https://a.example",
  });
  for (const origin of ["https://b.example", "https://a.example:444", "http://a.example", "null", "*", ""]) {
    expect(responseHeaders(from(origin))).toEqual({ Vary: "Origin" });
    expect(preflightHeaders(from(origin))).toEqual({ Vary: "Origin" });
  }
});

test("the header Origin is found in any case, and a request without it has no origin", () => {
  expect(responseHeaders({ headers: { origin: "http://localhost:5173" } })).toHaveProperty([
    "Access-Control-Allow-Origin",
  ]);
  for (const event of [{}, { headers: null }, undefined, { headers: 1 }]) {
    expect(responseHeaders(event)).toEqual({ Vary: "Origin" });
  }
});

test("a preflight allows each method of the API", () => {
  const allowed = preflightHeaders(from("https://a.example"))["Access-Control-Allow-Methods"]?.split(", ");
  expect(new Set(allowed)).toEqual(new Set(Object.values(routes).map(({ method }) => method)));
});

test("a browser is never told to add credentials", () => {
  for (const headers of [
    responseHeaders(from("https://a.example")),
    preflightHeaders(from("https://a.example")),
  ]) {
    expect(Object.keys(headers)).not.toContain("Access-Control-Allow-Credentials");
  }
});

test.each([undefined, "", " "])("with %j as the allowed origins there are no headers", (allowed) => {
  const none = crossOrigin(allowed);
  expect([none.responseHeaders(from("https://a.example")), none.preflightHeaders(from(""))]).toEqual([
    {},
    {},
  ]);
});
