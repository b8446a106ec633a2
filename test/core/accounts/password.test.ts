import { expect, test } from "vitest";
import { hashPassword, newPassword, nobodysHash, passwordMatches } from "../../../core/accounts/password.ts";

test("a password matches its own hash and no other password does", () => {
  const password = newPassword();
  const hashed = hashPassword(password);
  expect(passwordMatches(password, hashed)).toBe(true);
  expect(passwordMatches(newPassword(), hashed)).toBe(false);
  expect(passwordMatches("", hashed)).toBe(false);
});

test("two hashes of one password differ, so that equal passwords cannot be told from the table", () => {
  const password = newPassword();
  expect(hashPassword(password)).not.toBe(hashPassword(password));
});

test("every password that is made has 144 bits of its own", () => {
  const made = Array.from({ length: 1_000 }, newPassword);
  expect(new Set(made).size).toBe(1_000);
  for (const password of made) expect(Buffer.from(password, "base64url")).toHaveLength(18);
});

test("a thousand wrong passwords take less than half a second of a processor", () => {
  const hashed = hashPassword(newPassword());
  const before = process.cpuUsage();
  for (let check = 0; check < 1_000; check++) passwordMatches(`wrong ${check}`, hashed);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000_000).toBeLessThan(0.5);
});

test("an unknown user's password is hashed with as much salt as a known one's, which takes as long", () => {
  const lengths = (hashed: string) => hashed.split("$").map((part) => part.length);
  expect(lengths(nobodysHash)).toEqual(lengths(hashPassword(newPassword())));
});

test.each(["", "sha256", "sha256$$", "sha256$AAAA$AAAA", "scrypt$32768$8$3$AAAA$AAAA", "md5$AAAA$AAAA"])(
  "%j is nobody's hash, not an error",
  (hashed) => {
    expect(passwordMatches("", hashed)).toBe(false);
    expect(passwordMatches("word", hashed)).toBe(false);
  },
);

test("a hash of another scheme is not read, even if its digest is right", () => {
  expect(passwordMatches("word", hashPassword("word").replace("sha256", "sha512"))).toBe(false);
});
