import type { Account } from "./account.ts";
import { readBasicCredentials } from "./basic-credentials.ts";
import { nobodysHash, passwordMatches } from "./password.ts";

/**
 * The account whose credentials a request carries; undefined where there is none, it is disabled or the password
 * is wrong. An unknown user name takes as long as a wrong password.
 */
export async function authenticate(
  authorization: string | undefined,
  find: (username: string) => Promise<Account | undefined>,
): Promise<Account | undefined> {
  const credentials = readBasicCredentials(authorization);
  if (credentials === undefined) return undefined;
  const account = await find(credentials.username);
  const matches = await passwordMatches(credentials.password, account?.passwordHash ?? nobodysHash);
  return matches && account !== undefined && !account.disabled ? account : undefined;
}
