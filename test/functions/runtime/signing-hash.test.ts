import { expect, test } from "vitest";
import { SigningHash } from "../../../functions/runtime/sdk-client.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const hex = async (hash: SigningHash) => Buffer.from(await hash.digest()).toString("hex");

test("without a secret it is SHA-256, of all that was added", async () => {
  const whole = new SigningHash();
  whole.update(bytes("abc"));
  const parts = new SigningHash();
  parts.update(bytes("a"));
  parts.update(bytes("bc"));
  // FIPS 180-2, appendix B.1
  const expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect([await hex(whole), await hex(parts)]).toEqual([expected, expected]);
  parts.reset();
  parts.update(bytes("abc"));
  expect(await hex(parts)).toBe(expected);
});

test.each(["Jefe", bytes("Jefe")])("with the secret %j it is HMAC, again and again", async (secret) => {
  for (let time = 0; time < 2; time++) {
    const hash = new SigningHash(secret);
    hash.update(bytes("what do ya want for nothing?"));
    // RFC 4231, 4.3
    expect(await hex(hash)).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  }
});
