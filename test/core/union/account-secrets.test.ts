import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { expect, test } from "vitest";
import { CredentialsUnavailableError, secretOf, unionAccounts } from "../../../core/union/account-secrets.ts";

const start = Date.UTC(2026, 5, 1);
const green = { username: "green", password: "secret", unionApiSet: "green-there", token: "t" };

/** Accounts out of secrets that a test sets by their names, with a clock that it sets. */
function accountsOf(secrets: Map<string, string>) {
  const clock = { now: start };
  let read = 0;
  const client = {
    async send({ input: { SecretId = "" } }: { input: { SecretId?: string } }) {
      read++;
      if (!secrets.has(SecretId)) throw new Error(`There is no ${SecretId}.`);
      return { SecretString: secrets.get(SecretId) };
    },
  } as unknown as SecretsManagerClient;
  return { accounts: unionAccounts(client, () => new Date(clock.now)), clock, read: () => read };
}

test("an account is read as it was put into its secret", async () => {
  const { accounts } = accountsOf(new Map([["vendor/green", secretOf(green)]]));
  expect(await accounts.get("vendor/green")).toEqual(green);
});

test("where a secret names no API set, requests begin with the user name", async () => {
  const { accounts } = accountsOf(new Map([["v", '{"username":"green","password":"p"}']]));
  expect(await accounts.get("v")).toEqual({
    username: "green",
    password: "p",
    unionApiSet: "green",
    token: "",
  });
});

test("an account is read once in five minutes, and again once it is forgotten", async () => {
  const { accounts, clock, read } = accountsOf(new Map([["v", secretOf(green)]]));
  await accounts.get("v");
  clock.now += 299_999;
  await accounts.get("v");
  expect(read()).toBe(1);
  clock.now += 1;
  await accounts.get("v");
  expect(read()).toBe(2);
  accounts.forget("v");
  await accounts.get("v");
  expect(read()).toBe(3);
});

test.each(["", "no JSON", '{"username":"","password":"p"}'])(
  "credentials that cannot be used are unavailable, and are not remembered: %s",
  async (text) => {
    const secrets = new Map([["v", text]]);
    const { accounts } = accountsOf(secrets);
    await expect(accounts.get("v")).rejects.toThrow(CredentialsUnavailableError);
    secrets.set("v", secretOf(green));
    expect(await accounts.get("v")).toEqual(green);
  },
);
