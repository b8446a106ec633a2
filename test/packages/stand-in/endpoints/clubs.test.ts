import { expect, test } from "vitest";
import { ask, provideUnion, startUnion } from "../start-union.ts";

const union = await provideUnion();

test("all clubs are listed, some with null in nullable fields", async () => {
  const { body } = await ask(union, "/acme/Clubs");
  expect(body).toHaveLength(12);
  expect(body.some(({ AddressLine2 }: { AddressLine2: unknown }) => AddressLine2 === null)).toBe(true);
});

test("one club is the same as in the list", async () => {
  const all = await ask(union, "/acme/Clubs");
  const one = await ask(union, `/acme/Clubs/${all.body[3].ID}`);
  expect(one.body).toEqual(all.body[3]);
});

test("short names have three letters as a rule; a few have four, or none", async () => {
  const many = await startUnion({ clubs: 200, members: 0 });
  const lengths = new Set(many.clubs.map(({ ShortName }) => ShortName.length));
  expect(lengths).toEqual(new Set([0, 3, 4]));
  const threes = many.clubs.filter(({ ShortName }) => ShortName.length === 3);
  expect(threes.length).toBeGreaterThan(150);
  await many.stop();
});
