import type { Account } from "./account.ts";
import { type BasicCredentials, readBasicCredentials } from "./basic-credentials.ts";
import { nobodysHash, passwordMatches } from "./password.ts";

/** Looks an account up by its user name. */
type FindAccount = (username: string) => Promise<Account | undefined>;

/** Far longer than any user name; DynamoDB refuses keys of more than 2048 bytes. */
const longestUsername = 256;

/** Password hashes that were read a moment ago, by user name; nobody's hash for names without an account. */
export interface RecentHashes {
  get(username: string): string | undefined;
  set(username: string, passwordHash: string): void;
}

/** The account whose credentials a request carries in its Authorization header; see `accountOf`. */
export async function authenticate(
  authorization: string | undefined,
  find: FindAccount,
  recent?: RecentHashes,
): Promise<Account | undefined> {
  const credentials = readBasicCredentials(authorization);
  return credentials === undefined ? undefined : accountOf(credentials, find, recent);
}

/**
 * The account of a user name and a password; undefined where there is none, it is disabled or the password is
 * wrong. An unknown user name takes as long as a wrong password.
 *
 * @param recent hashes to refuse wrong passwords by, so that a flood of them costs no reads; nobody is let in by them
 */
export async function accountOf(
  credentials: BasicCredentials,
  find: FindAccount,
  recent?: RecentHashes,
): Promise<Account | undefined> {
  const { username, password } = credentials;
  if (username === "" || username.length > longestUsername) return undefined;
  const recentHash = recent?.get(username);
  if (recentHash !== undefined && !passwordMatches(password, recentHash)) return undefined;
  const account = await find(username);
  const hash = account?.passwordHash ?? nobodysHash;
  recent?.set(username, hash);
  const matches = passwordMatches(password, hash);
  return matches && account !== undefined && !account.disabled ? account : undefined;
}
