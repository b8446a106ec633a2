import type { Account } from "./account.ts";
import { nobodysHash } from "./password.ts";

/** Finds an account by its user name. */
export type FindAccount = (username: string) => Promise<Account | undefined>;

/** How long hashes may be remembered: a new password is shown after that, so that it works at once. */
export const recentMilliseconds = 1_000;

/** A short-lived cache of password hashes by user name; a name without an account has a hash that no password has. */
export interface RecentHashes {
  get(username: string): readonly string[] | undefined;
  set(username: string, hashes: readonly string[]): void;
}

/** What credentials are checked with. */
export interface CredentialsCheck {
  readonly find: FindAccount;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Refuses wrong credentials without a read, so a flood of them costs none; it never lets anybody in. */
  readonly recent?: RecentHashes | undefined;
}

/**
 * The account of a user name; undefined if there is none, it is disabled or none of its hashes is right. During a change of the
 * password there are two. The account has the one that is right: a session that began with the former password ends with it.
 */
export async function findAccount(
  username: string,
  isRight: (passwordHash: string) => boolean,
  { find, now, recent }: CredentialsCheck,
): Promise<Account | undefined> {
  if (recent?.get(username)?.some(isRight) === false) return undefined;
  const account = await find(username);
  const former = account?.formerPassword;
  const hashes = [
    account?.passwordHash ?? nobodysHash,
    ...(former !== undefined && now < former.until ? [former.hash] : []),
  ];
  recent?.set(username, hashes);
  const passwordHash = hashes.find(isRight);
  if (account === undefined || account.disabled || passwordHash === undefined) return undefined;
  return { ...account, passwordHash };
}
