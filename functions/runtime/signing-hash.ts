import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

const keys = new Map<string | Uint8Array, KeyObject>();

/** The key of a secret. The SDK has few: its secret access key, and the signing key of the day. */
function keyOf(secret: string | Uint8Array): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(Buffer.from(secret as Uint8Array));
  keys.set(secret, key);
  return key;
}

/**
 * SHA-256, or HMAC with it, of one text or block of bytes, as the SDK's signer wants it: a class.
 *
 * A request takes two of each. The SDK's own class makes a key of the secret each time, which costs three times the HMAC.
 */
export class SigningHash {
  readonly #secret: string | Uint8Array | undefined;
  #data: Uint8Array = new Uint8Array();

  constructor(secret?: string | Uint8Array) {
    this.#secret = secret;
  }

  /** Adds data. The signer does so once, so nothing is copied. */
  update(data: Uint8Array): void {
    this.#data = this.#data.length === 0 ? data : Buffer.concat([this.#data, data]);
  }

  digest(): Promise<Uint8Array> {
    const digest =
      this.#secret === undefined
        ? hash("sha256", this.#data, "buffer")
        : createHmac("sha256", keyOf(this.#secret)).update(this.#data).digest();
    return Promise.resolve(digest);
  }

  reset(): void {
    this.#data = new Uint8Array();
  }
}
