import { createHmac, timingSafeEqual } from "node:crypto";
import type { Account } from "./account.ts";
import type { FindAccount, RecentHashes } from "./find-account.ts";

/**
 * What a token is for: `access` goes with each request of the page, `renewal` only gets the page another access token. Neither is
 * accepted as the other.
 */
export type SessionPurpose = "access" | "renewal";

/** Far longer than the token of the longest user name. */
const maxTokenLength = 1_024;

/**
 * Makes a token that stands for an account until it expires.
 *
 * It is signed with the account's password hash, so nothing has to be stored, and every token ends when the password is changed.
 *
 * @param expiresAt seconds since 1970
 */
export function sessionToken(
  { username, passwordHash }: Pick<Account, "username" | "passwordHash">,
  purpose: SessionPurpose,
  expiresAt: number,
): string {
  const claims = `${Buffer.from(username).toString("base64url")}.${expiresAt}`;
  return `${claims}.${signatureOf(claims, purpose, passwordHash).toString("base64url")}`;
}

/** An account that a token stands for, and until when; seconds since 1970. */
export interface TokenHolder {
  readonly account: Account;
  readonly expiresAt: number;
}

/**
 * The account of a token; undefined if the token is not one, is for something else or has expired, or if the account is gone,
 * is disabled or has another password.
 *
 * @param now milliseconds since 1970
 * @param recent refuses false tokens without a read; it never lets anybody in
 */
export async function accountOfToken(
  token: string,
  purpose: SessionPurpose,
  { find, now, recent }: { readonly find: FindAccount; readonly now: number; readonly recent?: RecentHashes },
): Promise<TokenHolder | undefined> {
  const parts = /^(([\w-]+)\.(\d{1,12}))\.([\w-]{43})$/.exec(token.slice(0, maxTokenLength));
  if (parts === null) return undefined;
  const [, claims = "", name = "", expiry = "", signature = ""] = parts;
  const username = Buffer.from(name, "base64url").toString("utf8");
  const expiresAt = Number(expiry);
  if (username === "" || expiresAt * 1_000 <= now) return undefined;
  const isSignedWith = (passwordHash: string) =>
    timingSafeEqual(signatureOf(claims, purpose, passwordHash), Buffer.from(signature, "base64url"));
  const recentHash = recent?.get(username);
  if (recentHash !== undefined && !isSignedWith(recentHash)) return undefined;
  const account = await find(username);
  if (account === undefined) return undefined;
  recent?.set(username, account.passwordHash);
  return isSignedWith(account.passwordHash) && !account.disabled ? { account, expiresAt } : undefined;
}

function signatureOf(claims: string, purpose: SessionPurpose, passwordHash: string): Buffer {
  return createHmac("sha256", passwordHash).update(`portal-session ${purpose} ${claims}`).digest();
}
