import { randomBytes } from "node:crypto";

/** A vendor's new password: 144 bits, in characters that need no quoting anywhere. */
export function newPassword(): string {
  return randomBytes(18).toString("base64url");
}
