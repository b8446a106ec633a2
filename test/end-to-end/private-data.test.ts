import type { UnionMember } from "@scorecard-pipeline/stand-in";
import { expect, test } from "vitest";
import { privateData } from "./private-data.ts";

const member = {
  FirstName: "Ann",
  LastName: "Example",
  LifeTimeID: "010190-001",
  Email: "ann@club.example",
  Memberships: [{ UnionID: "1001-17" }],
} as unknown as UnionMember;

const known = () => privateData([member], [{ username: "vendor", password: "secret-word" }]);

test.each([
  ["a name", "posting for Ann Example failed"],
  ["a LifeTimeID", '{"message":"no such member","id":"010190-001"}'],
  ["a UnionID", "asked for unionID=1001-17"],
  ["an e-mail address", "mail to ann@club.example"],
  ["a password", "login with secret-word"],
  ["credentials", `Authorization: Basic ${btoa("vendor:secret-word")}`],
])("%s of the union or of an account is found in a line", (kind, line) => {
  expect(known().foundIn(["a line", line])).toEqual([`${kind} in: ${line}`]);
});

test("what a request said of persons is found", () => {
  const data = known();
  data.sent("a/Clubs/Golfer?lifetimeID=020290-002?unionid=1002-20", { token: "player-token" }, undefined);
  data.sent("a/ScorecardExchange", {}, [
    null,
    { Marker: { FullName: "Marker One" }, Player: { UnionID: "1003-3" } },
  ]);
  const lines = ["020290-002", "x player-token x", "for Marker One", "(1003-3)"];
  expect(data.foundIn(lines)).toHaveLength(4);
});

test("a number within a longer word is nobody's", () => {
  expect(known().foundIn(["request 7f1001-17ab-4010190-001c", "took 1001 ms, 17 cards"])).toEqual([]);
});
