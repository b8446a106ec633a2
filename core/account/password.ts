import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** 32 MiB and three passes: OWASP's advice for scrypt; about 0.2 s on one core. */
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;

function derive(password: string, salt: Buffer, bytes: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password, salt, bytes, { ...options, maxmem: 256 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

/**
 * Hashes a password for the account table.
 *
 * @returns `scrypt$N$r$p$salt$key`, salt and key in base64url, so that the cost can be raised for new passwords
 */
export async function hashPassword(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  const key = await derive(password, salt, 32, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Whether a password is the one that was hashed; the comparison takes the same time either way. */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split("$");
  if (scheme !== "scrypt" || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, "base64url");
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  return timingSafeEqual(
    await derive(password, Buffer.from(salt, "base64url"), expected.length, options),
    expected,
  );
}

/** The hash of no one's password: what an unknown user name is checked against, so that it takes as long as a known one. */
export const nobodysHash = [
  "scrypt",
  cost.N,
  cost.r,
  cost.p,
  Buffer.alloc(16).toString("base64url"),
  Buffer.alloc(32).toString("base64url"),
].join("$");
