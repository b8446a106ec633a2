import { expect, test } from "vitest";
import { ask, provideUnion } from "../start-union.ts";

const union = await provideUnion();

const member = () => {
  const [first] = union.members;
  const unionId = first?.Memberships[0]?.UnionID;
  if (first === undefined || unionId === undefined) throw new Error("no member");
  return { record: first, lifeTimeId: first.LifeTimeID, unionId };
};

test("a member is found by lifetimeID or by unionID, with all memberships", async () => {
  const { record, lifeTimeId, unionId } = member();
  expect((await ask(union, `/acme/Clubs/Golfer?lifetimeID=${lifeTimeId}`)).body).toEqual(record);
  expect((await ask(union, `/acme/Clubs/Golfer?unionID=${unionId}`)).body).toEqual(record);
});

test("a member is found by any of its memberships", async () => {
  const two = union.members.find(({ Memberships }) => Memberships.length === 2);
  for (const { UnionID } of two?.Memberships ?? []) {
    expect((await ask(union, `/acme/Clubs/Golfer?unionID=${UnionID}`)).body.ID).toBe(two?.ID);
  }
  expect(two).toBeDefined();
});

test("the two parameters may be joined by a second question mark, as the document's example does", async () => {
  const { record, lifeTimeId, unionId } = member();
  for (const joint of ["?", "&"]) {
    const path = `/acme/Clubs/Golfer?lifetimeID=${lifeTimeId}${joint}unionID=${unionId}`;
    expect((await ask(union, path)).body.ID).toBe(record.ID);
  }
});

test("both parameters together have to name the same member", async () => {
  const { lifeTimeId } = member();
  const other = union.members[1]?.Memberships[0]?.UnionID;
  expect((await ask(union, `/acme/Clubs/Golfer?lifetimeID=${lifeTimeId}&unionID=${other}`)).status).toBe(404);
});

test("parameter names are taken in any case", async () => {
  const { record, unionId } = member();
  expect((await ask(union, `/acme/clubs/golfer?UNIONID=${unionId}`)).body.ID).toBe(record.ID);
});

test("a member that does not exist, and a request that names none, are 404", async () => {
  expect((await ask(union, "/acme/Clubs/Golfer?unionID=999-1")).status).toBe(404);
  expect((await ask(union, "/acme/Clubs/Golfer")).status).toBe(404);
});
