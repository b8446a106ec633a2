import type { Account } from "./account.ts";

/** Finds an account by its user name. */
export type FindAccount = (username: string) => Promise<Account | undefined>;

/** A short-lived cache of password hashes by user name; a name without an account has a hash that no password has. */
export interface RecentHashes {
  get(username: string): string | undefined;
  set(username: string, passwordHash: string): void;
}
