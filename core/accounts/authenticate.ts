import { type Account, type BasicCredentials, readBasicCredentials } from "./account.ts";
import { type CredentialsCheck, findAccount } from "./find-account.ts";
import { passwordMatches } from "./password.ts";
import { accountOfToken, type TokenCheck } from "./session-token.ts";

/** Far longer than any user name; DynamoDB refuses keys of more than 2048 bytes. */
const maxUsernameLength = 256;

/**
 * The account whose credentials an Authorization header carries: a user name and a password, see `accountOf`, or the token of
 * somebody who has signed in to the portal, see `accountOfToken`.
 */
export async function authenticate(
  authorization: string | undefined,
  check: TokenCheck,
): Promise<Account | undefined> {
  const token = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  if (token !== undefined) return (await accountOfToken(token, "access", check))?.account;
  const credentials = readBasicCredentials(authorization);
  return credentials && accountOf(credentials, check);
}

/**
 * The account of a user name and a password; undefined if there is none, it is disabled or the password is wrong. An unknown
 * user name takes as long as a wrong password.
 */
export async function accountOf(
  { username, password }: BasicCredentials,
  check: CredentialsCheck,
): Promise<Account | undefined> {
  if (username === "" || username.length > maxUsernameLength) return undefined;
  return findAccount(username, (hash) => passwordMatches(password, hash), check);
}
