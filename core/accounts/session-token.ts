import { createHmac, timingSafeEqual } from "node:crypto";
import type { Account } from "./account.ts";
import { type CredentialsCheck, findAccount } from "./find-account.ts";

/**
 * What a token is for: `access` goes with each request of the page, `renewal` only gets the page another access token. Neither is
 * accepted as the other.
 */
export type SessionPurpose = "access" | "renewal";

/** Far longer than the token of the longest user name. */
const maxTokenLength = 1_024;

/** When a session began, in milliseconds since 1970, and when its token expires, in seconds since 1970. */
interface SessionTimes {
  readonly startedAt: number;
  readonly expiresAt: number;
}

/**
 * Makes a token that stands for an account until it expires.
 *
 * It is signed by the stage's secret, so who can read the account table cannot make one. The password's hash is part of what is
 * signed, so every token ends when the password is changed.
 */
export function sessionToken(
  { username, passwordHash }: Pick<Account, "username" | "passwordHash">,
  purpose: SessionPurpose,
  { startedAt, expiresAt }: SessionTimes,
  secret: string,
): string {
  const claims = `${Buffer.from(username).toString("base64url")}.${startedAt}.${expiresAt}`;
  return `${claims}.${sign(claims, purpose, passwordHash, secret).toString("base64url")}`;
}

/** The account that a token stands for, and the times of its session. */
export interface TokenHolder extends SessionTimes {
  readonly account: Account;
}

/** What tokens are checked with. */
export interface TokenCheck extends CredentialsCheck {
  /** Reads the stage's secret. */
  readonly secret: () => Promise<string>;
}

/**
 * The account of a token; undefined if the token is not one, is for something else or has expired, if its session was ended, or if
 * the account is gone, is disabled or has another password.
 */
export async function accountOfToken(
  token: string,
  purpose: SessionPurpose,
  check: TokenCheck,
): Promise<TokenHolder | undefined> {
  const parts = /^(([\w-]+)\.(\d{1,15})\.(\d{1,12}))\.([\w-]{43})$/.exec(token.slice(0, maxTokenLength));
  if (parts === null) return undefined;
  const [, claims = "", name = "", start = "", expiry = "", signature = ""] = parts;
  const username = Buffer.from(name, "base64url").toString("utf8");
  const [startedAt, expiresAt] = [Number(start), Number(expiry)];
  if (username === "" || expiresAt * 1_000 <= check.now) return undefined;
  const key = await check.secret();
  const isSignedWith = (passwordHash: string) =>
    timingSafeEqual(sign(claims, purpose, passwordHash, key), Buffer.from(signature, "base64url"));
  const account = await findAccount(username, isSignedWith, check);
  if (account === undefined || startedAt < (account.sessionsFrom ?? 0)) return undefined;
  return account.endedSessions?.includes(startedAt) ? undefined : { account, startedAt, expiresAt };
}

function sign(claims: string, purpose: SessionPurpose, passwordHash: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`portal-session ${purpose} ${claims} ${passwordHash}`).digest();
}
