import type { Account } from "./account.ts";
import { type BasicCredentials, readBasicCredentials } from "./basic-credentials.ts";
import { nobodysHash, passwordMatches } from "./password.ts";

/** Looks an account up by its user name. */
type FindAccount = (username: string) => Promise<Account | undefined>;

/** Far longer than any user name; DynamoDB refuses keys of more than 2048 bytes. */
const longestUsername = 256;

/** The account whose credentials a request carries in its Authorization header; see `accountOf`. */
export async function authenticate(
  authorization: string | undefined,
  find: FindAccount,
): Promise<Account | undefined> {
  const credentials = readBasicCredentials(authorization);
  return credentials === undefined ? undefined : accountOf(credentials, find);
}

/**
 * The account of a user name and a password; undefined where there is none, it is disabled or the password is
 * wrong. An unknown user name takes as long as a wrong password.
 */
export async function accountOf(
  credentials: BasicCredentials,
  find: FindAccount,
): Promise<Account | undefined> {
  const { username } = credentials;
  if (username === "" || username.length > longestUsername) return undefined;
  const account = await find(username);
  const matches = await passwordMatches(credentials.password, account?.passwordHash ?? nobodysHash);
  return matches && account !== undefined && !account.disabled ? account : undefined;
}
