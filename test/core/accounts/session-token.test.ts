import { expect, test } from "vitest";
import { type Account, type ApiSet, basicAuthorization } from "../../../core/accounts/account.ts";
import { authenticate } from "../../../core/accounts/authenticate.ts";
import { hashPassword } from "../../../core/accounts/password.ts";
import { accountOfToken, sessionToken } from "../../../core/accounts/session-token.ts";

const account: Account = {
  username: "grøn club",
  apiSet: "green" as ApiSet,
  resources: ["scorecards"],
  passwordHash: hashPassword("a password"),
  disabled: false,
};
const now = Date.parse("2026-07-04T12:00:00Z");
const expiresAt = now / 1_000 + 900;
const finding = (known: Account | undefined) => async (username: string) =>
  username === known?.username ? known : undefined;
const times = { startedAt: now, expiresAt };
const key = "a secret of the stage";
const secret = async () => key;
const access = sessionToken(account, "access", times, key);

test("a token stands for its account until it expires", async () => {
  const find = finding(account);
  expect(await accountOfToken(access, "access", { find, now, secret })).toEqual({ account, ...times });
  expect(await accountOfToken(access, "access", { find, now: expiresAt * 1_000, secret })).toBeUndefined();
  expect(await authenticate(`Bearer ${access}`, { find, now, secret })).toEqual(account);
});

test.each([
  ["of another purpose", sessionToken(account, "renewal", times, key)],
  ["that the account table alone could sign", sessionToken(account, "access", times, "")],
  ["with an earlier or later beginning", access.replace(String(now), String(now + 1))],
  ["with a later end", access.replace(`.${expiresAt}.`, `.${expiresAt + 1}.`)],
  ["of another account", access.replace(/^[^.]+/, Buffer.from("red").toString("base64url"))],
  ["with another signature", access.replace(/.$/, (last) => (last === "A" ? "E" : "A"))],
  ["without a signature", access.split(".").slice(0, 3).join(".")],
  ["with something behind it", `${access}x`],
  ["that is empty", ""],
  ["that is far too long", "a".repeat(100_000)],
])("a token %s stands for nobody", async (_, token) => {
  expect(await accountOfToken(token, "access", { find: finding(account), now, secret })).toBeUndefined();
});

test.each([
  ["is disabled", { ...account, disabled: true }],
  ["ends the sessions that began before", { ...account, sessionsFrom: now + 1 }],
  ["has another password", { ...account, passwordHash: hashPassword("another password") }],
  ["is removed", undefined],
])("a token ends when its account %s", async (_, known) => {
  expect(await accountOfToken(access, "access", { find: finding(known), now, secret })).toBeUndefined();
});

test("a session that begins after the others were ended goes on", async () => {
  const find = finding({ ...account, sessionsFrom: now });
  expect(await accountOfToken(access, "access", { find, now, secret })).toBeDefined();
});

test("a token is no password, and no password is a token", async () => {
  const find = finding(account);
  const asPassword = basicAuthorization({ username: account.username, password: access });
  expect(await authenticate(asPassword, { find, now, secret })).toBeUndefined();
  expect(await authenticate("Bearer a password", { find, now, secret })).toBeUndefined();
});

test("a flood of false tokens reads an account once, and the true one is still read", async () => {
  let reads = 0;
  const find = async (username: string) => {
    reads += 1;
    return finding(account)(username);
  };
  const recent = new Map<string, readonly string[]>();
  const stranger = { ...account, passwordHash: hashPassword("a guess") };
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const token = sessionToken(stranger, "access", { ...times, expiresAt: expiresAt + attempt }, key);
    expect(await accountOfToken(token, "access", { find, now, secret, recent })).toBeUndefined();
  }
  expect(reads).toBe(1);
  expect(await accountOfToken(access, "access", { find, now, secret, recent })).toBeDefined();
  expect(reads).toBe(2);
});
