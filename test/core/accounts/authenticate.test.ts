import { expect, test } from "vitest";
import {
  type Account,
  type ApiSet,
  basicAuthorization,
  readApiSet,
  readBasicCredentials,
} from "../../../core/accounts/account.ts";
import { authenticate } from "../../../core/accounts/authenticate.ts";
import type { FindAccount, RecentHashes } from "../../../core/accounts/find-account.ts";
import { hashPassword } from "../../../core/accounts/password.ts";

const password = "caddie:with colon, ø and 🏌";
const account: Account = {
  username: "green",
  apiSet: "green" as ApiSet,
  resources: ["clubs"],
  passwordHash: hashPassword(password),
  disabled: false,
};

const find = (known: Account) => async (username: string) =>
  username === known.username ? known : undefined;
const check = (finding: FindAccount, recent?: RecentHashes) => ({
  ...{ find: finding, now: 0, secret: async () => "secret" },
  ...(recent !== undefined && { recent }),
});

test.each([
  ["a wrong password", basicAuthorization({ username: "green", password: "birdie" })],
  ["an unknown user", basicAuthorization({ username: "red", password })],
  ["another scheme", "Bearer abc"],
  ["no header", undefined],
  ["what is not Base64", "Basic ???"],
  ["no colon", `Basic ${Buffer.from("green").toString("base64")}`],
])("signing in is refused with %s", async (_, header) => {
  expect(await authenticate(header, check(find(account)))).toBeUndefined();
});

test("a flood of wrong passwords of one account costs one look-up", async () => {
  let lookUps = 0;
  const counted = async (username: string) => {
    lookUps++;
    return find(account)(username);
  };
  const recent = new Map<string, readonly string[]>();
  for (let attempt = 0; attempt < 100; attempt++) {
    const header = basicAuthorization({ username: "green", password: `guess ${attempt}` });
    expect(await authenticate(header, check(counted, recent))).toBeUndefined();
  }
  expect(lookUps).toBe(1);
});

test("an account that was disabled a moment ago is not let in by what is remembered of it", async () => {
  const recent = new Map<string, readonly string[]>();
  const header = basicAuthorization({ username: "green", password });
  expect(await authenticate(header, check(find(account), recent))).toEqual(account);
  expect(await authenticate(header, check(find({ ...account, disabled: true }), recent))).toBeUndefined();
});

test("the scheme of the header is read in any case", () => {
  const header = basicAuthorization({ username: "green", password });
  expect(readBasicCredentials(header.replace("Basic", "bASIC"))).toEqual({ username: "green", password });
});

test.each(["login.aspx", "openapi.json", "operations", "Portal", "reference"])(
  "%s is a path of the API's own, so no account has this API set",
  (path) => {
    expect(readApiSet(path)).toBeUndefined();
    expect(readApiSet(`${path}2`)).toBe(`${path}2`);
  },
);

test.each(["", "a/b", "a#b", "*", "?", "a b", "x".repeat(65), 7, undefined])("%j is no API set", (text) => {
  expect(readApiSet(text)).toBeUndefined();
});
