import type { Account } from "./account.ts";
import { type BasicCredentials, readBasicCredentials } from "./account.ts";
import { nobodysHash, passwordMatches } from "./password.ts";

/** Finds an account by its user name. */
type FindAccount = (username: string) => Promise<Account | undefined>;

/** Far longer than any user name; DynamoDB refuses keys of more than 2048 bytes. */
const longestUsername = 256;

/** A short-lived cache of password hashes by user name; a name without an account has a hash that no password has. */
export interface RecentHashes {
  get(username: string): string | undefined;
  set(username: string, passwordHash: string): void;
}

/** The account whose credentials an Authorization header carries; see `accountOf`. */
export async function authenticate(
  authorization: string | undefined,
  find: FindAccount,
  recent?: RecentHashes,
): Promise<Account | undefined> {
  const credentials = readBasicCredentials(authorization);
  return credentials && accountOf(credentials, find, recent);
}

/**
 * The account of a user name and a password; undefined if there is none, it is disabled or the password is wrong. An unknown
 * user name takes as long as a wrong password.
 *
 * @param recent refuses wrong passwords without a read, so a flood of them costs none; it never lets anybody in
 */
export async function accountOf(
  { username, password }: BasicCredentials,
  find: FindAccount,
  recent?: RecentHashes,
): Promise<Account | undefined> {
  if (username === "" || username.length > longestUsername) return undefined;
  const recentHash = recent?.get(username);
  if (recentHash !== undefined && !passwordMatches(password, recentHash)) return undefined;
  const account = await find(username);
  const hash = account?.passwordHash ?? nobodysHash;
  recent?.set(username, hash);
  return passwordMatches(password, hash) && !account?.disabled ? account : undefined;
}
