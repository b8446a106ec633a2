import { expect, test } from "vitest";
import { memberRegister } from "../../../core/union/member-register.ts";
import { answering, answeringUnion } from "./answering-union.ts";

const account = { username: "green", password: "secret", unionApiSet: "green-set", token: "the account's" };
const numbers = { lifeTimeId: "010190-001", unionId: "1016-100" };
const member = '{"ID":"7AABAF90-0000-4552-889B-553D5CE75FC6", "Handicap": 158000.0, "Shoe": {"Size": 44}}';

const lookUp = async (address: Promise<string>, timeoutMilliseconds = 60_000) =>
  memberRegister(await address, timeoutMilliseconds).byNumbers(account, numbers, undefined);

test("a member is asked for by all given numbers, with the four headers the union requires", async () => {
  const seen: unknown[] = [];
  const address = await answeringUnion(({ method, url, headers }, response) => {
    const { authorization, accept, "content-type": contentType, token } = headers;
    seen.push([method, url, authorization, accept, contentType, token]);
    response.end(member);
  });
  const members = memberRegister(address, 60_000);
  await members.byNumbers(account, numbers, undefined);
  await members.byNumbers(account, { unionId: "1016-100" }, "the player's");
  await members.byToken(account, "the player's");
  const basic = `Basic ${Buffer.from("green:secret").toString("base64")}`;
  const json = "application/json";
  expect(seen).toEqual([
    [
      "GET",
      "/green-set/Clubs/Golfer?lifetimeID=010190-001&unionID=1016-100",
      basic,
      json,
      json,
      "the account's",
    ],
    ["GET", "/green-set/Clubs/Golfer?unionID=1016-100", basic, json, json, "the player's"],
    ["GET", "/green-set/clubs/Golfer_ByAccessToken", basic, json, json, "the player's"],
  ]);
});

test("the member is what the union gave, to the letter", async () => {
  expect(await lookUp(answering(200, member))).toEqual({ outcome: "found", member });
});

test("a list of one member is that member", async () => {
  const found = await lookUp(answering(200, `[${member}]`));
  expect(found.outcome === "found" && JSON.parse(found.member)).toEqual(JSON.parse(member));
});

test.each([
  [404, "no such member"],
  [204, ""],
  [200, ""],
  [200, " \n"],
  [200, "null"],
  [200, "[]"],
])("an answer of %i with %j means that there is nobody", async (status, text) => {
  expect(await lookUp(answering(status, text))).toEqual({ outcome: "nobody" });
});

test.each([
  [500, '{"Message":"010190-001 is not there"}', "The union answered 500."],
  [400, "", "The union answered 400."],
  [302, "", "The union answered 302."],
  [200, "<html>", "The union's answer is not JSON."],
  [200, "{}", "The union's answer is not a member."],
  [200, '"010190-001"', "The union's answer is not a member."],
  [200, `[${member},${member}]`, "The union's answer is several members."],
  [200, "[null]", "The union's answer is not a member."],
])("an answer of %i with %j is a failure, told without what was asked", async (status, text, why) => {
  expect(await lookUp(answering(status, text))).toEqual({ outcome: "failed", why });
});

test.each([401, 403] as const)("a response of %i is a refusal", async (status) => {
  expect(await lookUp(answering(status, ""))).toEqual({ outcome: "refused", status });
});

test("a union that does not answer, or stops in the middle, is late", async () => {
  const silent = answeringUnion(() => undefined);
  expect(await lookUp(silent, 50)).toEqual({ outcome: "late" });
  const stopping = answeringUnion((_, response) => void response.write('{"ID":'));
  expect(await lookUp(stopping, 50)).toEqual({ outcome: "late" });
});

test("a union that is not there, or breaks off, has failed", async () => {
  const failed = { outcome: "failed", why: "The union could not be reached." };
  expect(await lookUp(Promise.resolve("http://127.0.0.1:1"))).toEqual(failed);
  expect(await lookUp(answeringUnion((request) => request.socket.destroy()))).toEqual(failed);
});
