import { beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../../../core/account/account.ts";
import { type ApiSet, readApiSet } from "../../../core/account/api-set.ts";
import { authenticate } from "../../../core/account/authenticate.ts";
import { basicAuthorization, readBasicCredentials } from "../../../core/account/basic-credentials.ts";
import { hashPassword, nobodysHash } from "../../../core/account/password.ts";

const password = "caddie:with colon, ø and 🏌";
let account: Account;

beforeAll(async () => {
  const passwordHash = await hashPassword(password);
  account = {
    username: "green",
    apiSet: "green" as ApiSet,
    resources: ["clubs"],
    passwordHash,
    disabled: false,
  };
});

const find = (known: Account) => async (username: string) =>
  username === known.username ? known : undefined;

describe("signing in", () => {
  test("finds the account whose password is right", async () => {
    const header = basicAuthorization({ username: "green", password });
    expect(await authenticate(header, find(account))).toBe(account);
  });

  test.each([
    ["a wrong password", basicAuthorization({ username: "green", password: "birdie" })],
    ["an unknown user", basicAuthorization({ username: "red", password })],
    ["another scheme", "Bearer abc"],
    ["no header", undefined],
    ["what is not Base64", "Basic ???"],
    ["no colon", `Basic ${Buffer.from("green").toString("base64")}`],
  ])("refuses %s", async (_, header) => {
    expect(await authenticate(header, find(account))).toBeUndefined();
  });

  test("refuses a disabled account", async () => {
    const header = basicAuthorization({ username: "green", password });
    expect(await authenticate(header, find({ ...account, disabled: true }))).toBeUndefined();
  });
});

test("an unknown user's password is derived at the same cost as a known one's", async () => {
  const costOf = (hash: string) => hash.split("$").slice(0, 4);
  expect(costOf(nobodysHash)).toEqual(costOf(await hashPassword(password)));
});

test("two hashes of one password differ", async () => {
  expect(await hashPassword(password)).not.toBe(await hashPassword(password));
});

test("the scheme of the header is read in any case", () => {
  const header = basicAuthorization({ username: "green", password });
  expect(readBasicCredentials(header.replace("Basic", "bASIC"))).toEqual({ username: "green", password });
});

test.each(["", "a/b", "a#b", "*", "?", "a b", "x".repeat(65), 7, undefined])("%j is no API set", (text) => {
  expect(readApiSet(text)).toBeUndefined();
});
