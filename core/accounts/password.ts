import { hash, randomBytes, timingSafeEqual } from "node:crypto";

const scheme = "sha256";

/** A vendor's new password: 144 random bits, in characters that need no quoting anywhere. */
export const newPassword = (): string => randomBytes(18).toString("base64url");

/**
 * Hashes a password for the account table.
 *
 * One SHA-256 is enough because all passwords are made by `newPassword`: 144 random bits cannot be guessed, however fast an
 * attempt is. A slow hash would only let wrong passwords keep the API busy.
 *
 * @returns `sha256$salt$digest`, salt and digest in base64url
 */
export function hashPassword(password: string, salt: Buffer = randomBytes(16)): string {
  return [scheme, salt.toString("base64url"), computeDigest(password, salt).toString("base64url")].join("$");
}

/** Whether a password is the one that was hashed, in constant time. */
export function passwordMatches(password: string, hashed: string): boolean {
  const [usedScheme, salt = "", digest = ""] = hashed.split("$");
  const expected = Buffer.from(digest, "base64url");
  const actual = computeDigest(password, Buffer.from(salt, "base64url"));
  return usedScheme === scheme && expected.length === actual.length && timingSafeEqual(actual, expected);
}

/** A hash that no password has: checking it for an unknown user name takes as long as for a known one. */
export const nobodysHash = [
  scheme,
  Buffer.alloc(16).toString("base64url"),
  Buffer.alloc(32).toString("base64url"),
].join("$");

function computeDigest(password: string, salt: Buffer): Buffer {
  return hash("sha256", Buffer.concat([salt, Buffer.from(password)]), "buffer");
}
