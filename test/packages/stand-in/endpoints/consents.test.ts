import { expect, test } from "vitest";
import type { StandInAccount } from "../../../../packages/stand-in/base/account.ts";
import { ask, provideUnion } from "../start-union.ts";

const account = (username: string, clubs: number[]): StandInAccount => ({
  username,
  password: "secret",
  apiSet: username,
  clubs,
});
const share = account("round-share", []);
const other = account("other-app", []);
const office = account("office", [1]);

const union = await provideUnion({ members: 80, accounts: [share, other, office] });

const unionId = (place: number) => union.members[place]?.Memberships[0]?.UnionID ?? "";
const byToken = (token: string, by = share) =>
  ask(union, `/${by.apiSet}/clubs/Golfer_ByAccessToken`, { account: by, headers: { Token: token } });
const lookUp = (by: StandInAccount, number: string) =>
  ask(union, `/${by.apiSet}/Clubs/Golfer?unionID=${number}`, { account: by });

test("an access token gives the member who consented, and nobody else", async () => {
  const tokens = [union.consent(unionId(0), "round-share"), union.consent(unionId(1), "round-share")];
  const answers = await Promise.all(tokens.map((token) => byToken(token)));
  expect(answers.map(({ body }) => body.ID)).toEqual([union.members[0]?.ID, union.members[1]?.ID]);
});

test("a token that the control address gives shows its member, found by LifeTimeID, too", async () => {
  const body = { number: union.members[2]?.LifeTimeID, username: "round-share" };
  const consent = (of: object) =>
    fetch(`${union.control}/consents`, { method: "POST", body: JSON.stringify(of) });
  const { token } = (await (await consent(body)).json()) as { token: string };
  expect((await byToken(token)).body).toEqual(union.members[2]);
  expect((await consent({ ...body, number: "999-999" })).status).toBe(404);
});

test("an access token is no use to another account", async () => {
  const { status, body } = await byToken(union.consent(unionId(0), "round-share"), other);
  expect([status, body.ID]).toEqual([401, undefined]);
});

test.each(["", "made-up", "eyJhbGciOiJub25lIn0.e30."])(
  "an invented access token %j is refused",
  async (token) => {
    expect((await byToken(token)).status).toBe(401);
  },
);

test("a club representative may look up the members of its club, former ones aside, and nobody else", async () => {
  const findMember = (isOfClub: boolean) =>
    union.members.find(
      ({ Memberships }) => Memberships.some(({ Club }) => Club.UnionNumber === 1) === isOfClub,
    );
  const own = findMember(true);
  expect((await lookUp(office, own?.Memberships[0]?.UnionID ?? "")).body.ID).toBe(own?.ID);
  expect((await lookUp(office, findMember(false)?.Memberships[0]?.UnionID ?? "")).status).toBe(403);
});

test("an independent vendor may look up nobody, and learns not even who is a member", async () => {
  const answers = [await lookUp(share, unionId(0)), await lookUp(share, "999-999")];
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
});
