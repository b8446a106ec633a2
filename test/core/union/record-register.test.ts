import { expect, test } from "vitest";
import { recordRegister } from "../../../core/union/record-register.ts";
import { answering, answeringUnion } from "./answering-union.ts";

const account = { username: "green", password: "secret", unionApiSet: "green-set", token: "the account's" };
const player = { clubId: "7AABAF90-0000-4552-889B-553D5CE75FC6", unionId: "1016-100" };

const ask = async (address: Promise<string>, timeoutMilliseconds = 60_000) =>
  recordRegister(await address, "statistik", timeoutMilliseconds).playerRecord(account, player);
const rounds = async (json: unknown) => {
  const answer = await ask(answering(200, JSON.stringify(json)));
  return answer.outcome === "found" ? answer.rounds : answer;
};

test("a record is asked for in the records' own API set, with the vendor's credentials", async () => {
  const seen: unknown[] = [];
  const address = await answeringUnion(({ method, url, headers }, response) => {
    seen.push([method, url, headers.authorization, headers.token]);
    response.end("[]");
  });
  await recordRegister(address, "statistik", 60_000).playerRecord(account, player);
  expect(seen).toEqual([
    [
      "GET",
      `/statistik/clubs/${player.clubId}/Memberships/Scorecards?unionid=1016-100`,
      `Basic ${Buffer.from("green:secret").toString("base64")}`,
      "the account's",
    ],
  ]);
});

test("numbers are read whether they come as numbers or as texts, and anything else counts as absent", async () => {
  const Round = { StartTime: "20260704T093000", HolesPlayed: 18 };
  const expected = { startTime: "20260704T093000", totalStrokes: 92, totalPoints: 33, differential: 246_000 };
  expect(
    await rounds([
      { Round, Result: { TotalStrokes: 92, TotalPoints: 33, SGD: 246_000, IsQualifying: true } },
      { Round, Result: { TotalStrokes: "92", TotalPoints: "33", SGD: "246000.0" } },
      { Round, Result: { TotalStrokes: null, TotalPoints: "", SGD: "none" } },
      { Round, Result: {} },
    ]),
  ).toEqual([expected, expected, { startTime: "20260704T093000" }, { startTime: "20260704T093000" }]);
});

test("the record is kept as the union sent it", async () => {
  const record = '[ {"Round": {"StartTime": "20260704T093000"}, "Result": {"SGD": 246000.0}, "Shoe": 44} ]';
  expect(await ask(answering(200, record))).toMatchObject({ outcome: "found", record });
});

test("an entry that is no round does not hide the others", async () => {
  const round = { Round: { StartTime: "20260704T093000" }, Result: {} };
  expect(await rounds([null, { Round: {} }, round])).toHaveLength(1);
});

test.each([
  [200, "null", { outcome: "nobody" }],
  [200, " ", { outcome: "failed", why: "The union's answer is not JSON." }],
  [200, "<html>", { outcome: "failed", why: "The union's answer is not JSON." }],
  [200, "{}", { outcome: "failed", why: "The union's answer is not a record." }],
  [200, '[{"Runde": {}}]', { outcome: "failed", why: "The union's answer is not a record." }],
])("an answer of %i with %j is %j, and never an empty record", async (status, text, expected) => {
  expect(await ask(answering(status, text))).toEqual(expected);
});

test("a record that is larger than may be read has failed", async () => {
  const address = await answering(200, JSON.stringify(["x".repeat(1024 * 1024)]));
  const answer = await recordRegister(address, "statistik", 60_000, 1).playerRecord(account, player);
  expect(answer).toEqual({ outcome: "failed", why: "The union's answer is more than 1 MB." });
});
