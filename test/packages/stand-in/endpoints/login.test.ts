import { afterAll, beforeAll, expect, test } from "vitest";
import type { StandIn } from "../../../../packages/stand-in/stand-in.ts";
import { guide, startUnion, vendor } from "../start-union.ts";

let union: StandIn;
beforeAll(async () => {
  union = await startUnion({ clubs: 1, members: 0, accounts: [vendor, { ...guide, apiSet: "<guide>" }] });
});
afterAll(() => union.stop());

const login = (path: string, form: Record<string, string>) =>
  fetch(`${union.address}${path}`, { method: "POST", body: new URLSearchParams(form) });

test("the page asks for the account's username and password, in any case of its path", async () => {
  for (const path of ["/login.aspx", "/Login.ASPX"]) {
    const answer = await fetch(`${union.address}${path}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await answer.text()).toContain('type="password"');
  }
});

test("after the login it describes what the account may use", async () => {
  const all = await (await login("/login.aspx", vendor as never)).text();
  for (const path of [
    "GET Clubs",
    "courses/{course_id}",
    "Golfer?",
    "Golfer_ByAccessToken",
    "ExchangedScorecards",
  ]) {
    expect(all).toContain(path.replace("?", ""));
  }
  const some = await (await login("/login.aspx", { username: "guide", password: "terces" })).text();
  expect(some).toContain("GET Clubs");
  expect(some).not.toMatch(/Golfer|ExchangedScorecards/);
});

test("what comes from an account is text, not HTML", async () => {
  const page = await (await login("/login.aspx", { username: "guide", password: "terces" })).text();
  expect(page).toContain("&lt;guide&gt;");
  expect(page).not.toContain("<guide>");
});

test("a wrong password shows the form again, and nothing else", async () => {
  const answer = await login("/login.aspx", { username: "acme", password: "guess" });
  const page = await answer.text();
  expect(answer.status).toBe(401);
  expect(page).toContain('role="alert"');
  expect(page).not.toContain("ExchangedScorecards");
});
