import { describe, expect, test } from "vitest";
import { ask, basic, guide, post, provideUnion, startUnion, vendor } from "../start-union.ts";

const union = await provideUnion();

describe("the union asks who it is", () => {
  test("credentials are the username and password with a colon between, in Base64", async () => {
    expect((await ask(union, "/acme/Clubs")).status).toBe(200);
  });

  test.each([
    ["no credentials", undefined],
    ["a wrong password", basic({ ...vendor, password: "guess" })],
    ["another scheme", "Bearer abc"],
    ["what is not Base64", "Basic acme:secret"],
  ])("%s are refused with 401", async (_name, authorization) => {
    const answer = await ask(union, "/acme/Clubs", { headers: { Authorization: authorization } });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Basic /),
    ]);
  });

  test("an account may not use another's API set", async () => {
    expect((await ask(union, "/guide/Clubs")).status).toBe(403);
  });

  test("the API set is the account's username, unless the account is told otherwise", async () => {
    const other = { username: "acme-app", password: "x", apiSet: "acme-tournaments" };
    const own = await startUnion({ accounts: [other], clubs: 1, members: 0 });
    expect((await ask(own, "/acme-tournaments/Clubs", { account: other })).status).toBe(200);
    expect((await ask(own, "/acme-app/Clubs", { account: other })).status).toBe(403);
    await own.stop();
  });

  test("an account may use its own resources only", async () => {
    expect((await ask(union, "/guide/Clubs", { account: guide })).status).toBe(200);
    expect((await ask(union, "/guide/Clubs/Golfer?unionID=1-1", { account: guide })).status).toBe(403);
    expect((await post(union, [], { account: guide })).status).toBe(403);
  });

  test("Token is needed for a lookup by token only, unless the union is told to demand it of every request", async () => {
    const headers = { Token: undefined };
    expect((await ask(union, "/acme/Clubs", { headers })).status).toBe(200);
    expect((await ask(union, "/acme/clubs/Golfer_ByAccessToken", { headers })).status).toBe(500);
    const strict = await startUnion({ clubs: 1, members: 0, requiresToken: true });
    expect((await ask(strict, "/acme/Clubs", { headers })).status).toBe(500);
    await strict.stop();
  });

  test.each(["Content-Type", "Accept"])("a request without the header %s fails", async (header) => {
    // fetch adds Accept: */* by itself, which does not name JSON.
    const answer = await ask(union, "/acme/Clubs", { headers: { [header]: undefined } });
    expect(answer.status).toBe(500);
    expect(answer.body.Message).toContain(header);
  });
});

test("two environments are two unions with the same paths", async () => {
  const testUnion = await startUnion({ seed: 2, clubs: 1, members: 0 });
  const answers = [await ask(union, "/acme/Clubs"), await ask(testUnion, "/acme/Clubs")];
  expect(answers.map(({ body }) => body.length)).toEqual([12, 1]);
  expect(answers[1]?.body[0].ID).not.toBe(answers[0]?.body[0].ID);
  await testUnion.stop();
});

describe("the union minds no case", () => {
  test.each(["/acme/Clubs", "/acme/clubs", "/ACME/CLUBS", "/acme//clubs"])("in the path %s", async (path) => {
    expect((await ask(union, path)).body).toHaveLength(12);
  });

  test.each(["toLowerCase", "toUpperCase"] as const)("in identifiers (%s)", async (change) => {
    const { ID, ClubID } = union.courses[0] ?? { ID: "", ClubID: "" };
    const club = await ask(union, `/acme/Clubs/${ClubID[change]()}`);
    expect(club.body.ID).toBe(ClubID);
    const course = await ask(union, `/acme/clubs/${ClubID[change]()}/courses/${ID[change]()}`);
    expect(course.body.ID).toBe(ID);
  });
});

describe("a failed request", () => {
  test("gets an HTTP error status with a message, as JSON", async () => {
    const answer = await ask(union, "/acme/Clubs/00000000-0000-0000-0000-000000000000");
    expect([answer.status, typeof answer.body.Message]).toEqual([404, "string"]);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  });

  test("to a path that is none is 404", async () => {
    expect((await ask(union, "/acme/Nowhere")).status).toBe(404);
  });
});
