import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, launchChromium } from "../../../../local/browser.ts";
import type { StandInAccount } from "../../../../packages/stand-in/base/account.ts";
import type { StandIn } from "../../../../packages/stand-in/stand-in.ts";
import { ask, startUnion } from "../start-union.ts";
import { consentOf, playerAnswers, startApp } from "./app.ts";

const account = (username: string, change: Partial<StandInAccount> = {}): StandInAccount => ({
  username,
  password: "secret",
  apiSet: username,
  ...change,
});
const share = account("round-share", { clubs: [] });
const other = account("other-app", { clubs: [] });
const office = account("office", { clubs: [1] });
const guide = account("guide", { resources: ["clubs", "courses"] });

let union: StandIn;
beforeAll(async () => {
  union = await startUnion({ members: 80, accounts: [share, other, office, guide] });
});
afterAll(() => union.stop());

const unionId = (place: number) => union.members[place]?.Memberships[0]?.UnionID ?? "";
const byToken = (token: string, by = share) =>
  ask(union, `/${by.apiSet}/clubs/Golfer_ByAccessToken`, { account: by, headers: { Token: token } });

describe.skipIf(!hasChromium)("a player at a browser (skipped where there is no Chromium)", () => {
  test("logs in, consents, and the app sees who it is", async () => {
    const app = await startApp(union, share.username);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(app.url.href);
      await page.getByLabel("LifeTimeID or UnionID").fill(union.members[0]?.LifeTimeID ?? "");
      await page.getByLabel("Password").fill("wrong");
      await page.getByRole("button", { name: "Log in" }).click();
      expect(await page.getByRole("alert").textContent()).toContain("number and password");
      await page.getByLabel("LifeTimeID or UnionID").fill(union.members[0]?.LifeTimeID ?? "");
      await page.getByLabel("Password").fill("fairway");
      await page.getByRole("button", { name: "Log in" }).click();
      expect(await page.getByRole("heading").textContent()).toBe("Let round-share in?");
      expect(await page.getByRole("listitem").allTextContents()).toEqual([
        "see your name, birth date, memberships and handicap",
      ]);
      // Nobody answers at the app's address; the headless shell does not let a redirected request be answered here.
      const comeBack = page.waitForRequest("http://127.0.0.1:4711/**");
      await page.getByRole("button", { name: "Allow" }).click({ noWaitAfter: true });
      const { access_token } = await app.tokens(new URL((await comeBack).url()));
      expect((await byToken(access_token)).body).toEqual(union.members[0]);
    } finally {
      await browser.close();
    }
  });
});

describe("an access token", () => {
  test("gives the member who consented, and nobody else", async () => {
    const [one, two] = await Promise.all(
      [0, 1].map((place) => consentOf(union, share.username, unionId(place))),
    );
    expect((await byToken(one?.access_token ?? "")).body.ID).toBe(union.members[0]?.ID);
    expect((await byToken(two?.access_token ?? "")).body.ID).toBe(union.members[1]?.ID);
  });

  test("is no use to another account", async () => {
    const { access_token } = await consentOf(union, share.username, unionId(0));
    const answer = await byToken(access_token, other);
    expect([answer.status, answer.body.ID]).toEqual([401, undefined]);
  });

  test.each(["", "made-up", "eyJhbGciOiJub25lIn0.e30."])("that is none (%j) is refused", async (token) => {
    expect((await byToken(token)).status).toBe(401);
  });

  test("has a lifetime, which comes with it, and may be refreshed", async () => {
    const app = await startApp(union, share.username);
    const first = await app.tokens(await playerAnswers(app.url, { number: unionId(2) }));
    expect(first.expires_in).toBe(3_600);
    const next = await client.refreshTokenGrant(app.configuration, first.refresh_token ?? "");
    expect(next.access_token).not.toBe(first.access_token);
    expect((await byToken(next.access_token)).body.ID).toBe(union.members[2]?.ID);
  });

  test("ends with its lifetime", async () => {
    const brief = await startUnion({ members: 20, accounts: [share], tokenSeconds: 1 });
    const { access_token } = await consentOf(brief, share.username, brief.members[0]?.LifeTimeID ?? "");
    const status = async () =>
      (
        await ask(brief, "/round-share/clubs/Golfer_ByAccessToken", {
          account: share,
          headers: { Token: access_token },
        })
      ).status;
    await expect.poll(status).toBe(401);
    await brief.stop();
  });

  test("ends when it is revoked", async () => {
    const app = await startApp(union, share.username);
    const { access_token } = await app.tokens(await playerAnswers(app.url, { number: unionId(3) }));
    expect((await byToken(access_token)).status).toBe(200);
    await client.tokenRevocation(app.configuration, access_token);
    expect((await byToken(access_token)).status).toBe(401);
  });

  test("without the scope get_player.information shows nothing", async () => {
    const app = await startApp(union, share.username, "openid");
    const { access_token } = await app.tokens(await playerAnswers(app.url, { number: unionId(0) }));
    expect((await byToken(access_token)).status).toBe(403);
  });
});

describe("no access token", () => {
  test("is given where the player denies", async () => {
    const app = await startApp(union, share.username);
    const url = await playerAnswers(app.url, { number: unionId(0), answer: "deny" });
    expect(url.searchParams.get("error")).toBe("access_denied");
    await expect(app.tokens(url)).rejects.toMatchObject({ error: "access_denied" });
  });

  test("is given without the proof of the code's challenge", async () => {
    const [app, thief] = [await startApp(union, share.username), await startApp(union, share.username)];
    const url = await playerAnswers(app.url, { number: unionId(0) });
    url.searchParams.set("state", thief.url.searchParams.get("state") ?? "");
    await expect(thief.tokens(url)).rejects.toMatchObject({ error: "invalid_grant" });
  });

  test("is given without a challenge", async () => {
    const { url } = await startApp(union, share.username);
    url.searchParams.delete("code_challenge");
    url.searchParams.delete("code_challenge_method");
    const answer = await fetch(url, { redirect: "manual" });
    expect(new URL(answer.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_request");
  });

  test("is given twice for a code", async () => {
    const app = await startApp(union, share.username);
    const url = await playerAnswers(app.url, { number: unionId(4) });
    const { access_token } = await app.tokens(url);
    await expect(app.tokens(url)).rejects.toMatchObject({ error: "invalid_grant" });
    // Who has stolen a code may have been the first.
    expect((await byToken(access_token)).status).toBe(401);
  });

  test("is given with a wrong password", async () => {
    const app = await startApp(union, share.username);
    await expect(playerAnswers(app.url, { number: unionId(0), password: "guess" })).rejects.toThrow(
      "refused",
    );
  });

  test("is given to an account that may not look players up by token", async () => {
    const { url } = await startApp(union, guide.username);
    const answer = await fetch(url, { redirect: "manual" });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("client is invalid")]);
  });

  test("is given to an address that the account does not have", async () => {
    const { url } = await startApp(union, share.username);
    url.searchParams.set("redirect_uri", "https://elsewhere.example/callback");
    expect((await fetch(url, { redirect: "manual" })).status).toBe(400);
  });
});

test("an outage of the union is one of its authorization server too", async () => {
  union.faults.outage = true;
  expect((await fetch(`${union.issuer}/.well-known/openid-configuration`)).status).toBe(503);
  union.faults.outage = false;
  expect((await fetch(`${union.issuer}/.well-known/openid-configuration`)).status).toBe(200);
});

describe("without a token", () => {
  const lookUp = (by: StandInAccount, number: string) =>
    ask(union, `/${by.apiSet}/Clubs/Golfer?unionID=${number}`, { account: by });
  const memberOf = (isOfClub: boolean) =>
    union.members.find(
      ({ Memberships }) => Memberships.some(({ Club }) => Club.UnionNumber === 1) === isOfClub,
    );

  test("a club representative may look up the members of its club, former ones aside, and nobody else", async () => {
    const own = memberOf(true);
    const answer = await lookUp(office, own?.Memberships[0]?.UnionID ?? "");
    expect(answer.body.ID).toBe(own?.ID);
    expect((await lookUp(office, memberOf(false)?.Memberships[0]?.UnionID ?? "")).status).toBe(403);
  });

  test("an independent vendor may look up nobody, and learns not even who is a member", async () => {
    const answers = [await lookUp(share, unionId(0)), await lookUp(share, "999-999")];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });
});
