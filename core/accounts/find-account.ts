import type { Account } from "./account.ts";

/** Finds an account by its user name. */
export type FindAccount = (username: string) => Promise<Account | undefined>;

/** How long hashes may be remembered: a new password is shown after that, so that it works at once. */
export const recentMilliseconds = 1_000;

/** A short-lived cache of password hashes by user name; a name without an account has a hash that no password has. */
export interface RecentHashes {
  get(username: string): readonly string[] | undefined;
  set(username: string, hashes: readonly string[]): void;
}
