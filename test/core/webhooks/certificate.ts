import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";

/** One value of ASN.1 in DER: its tag, its length and its contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(contents);
  const { length } = value;
  if (length < 128) return Buffer.concat([Buffer.of(tag, length), value]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 255), value]);
}

const sequence = (...contents: readonly Uint8Array[]) => der(0x30, ...contents);
const oid = (hex: string) => der(6, Buffer.from(hex, "hex"));
const time = (date: string) => der(0x18, Buffer.from(`${date}000000Z`));
const ed25519 = sequence(oid("2b6570"));
const name = (text: string) => sequence(der(0x31, sequence(oid("550403"), der(12, Buffer.from(text)))));
const extension = (id: string, value: Uint8Array) => sequence(oid(id), der(4, value));

/** A certificate with its private key, both as PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * A self-signed certificate for a server.
 *
 * @param hosts the names and IPv4 addresses that it is for
 * @param until the day it expires, such as 20400101
 * @see RFC 5280, section 4.1
 */
export function selfSignedCertificate(hosts: readonly string[], until = "20990101"): TestCertificate {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    generateKeyPairSync("ed25519");
  const issuer = name("A test");
  const alternativeNames = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? der(0x87, Buffer.from(host.split(".").map(Number)))
      : der(0x82, Buffer.from(host)),
  );
  const signed = sequence(
    der(0xa0, der(2, Buffer.of(2))),
    der(2, Buffer.of(1)),
    ed25519,
    issuer,
    sequence(time("20000101"), time(until)),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        extension("551d13", sequence(der(1, Buffer.of(255)))),
        extension("551d11", sequence(...alternativeNames)),
      ),
    ),
  );
  const signature = der(3, Buffer.of(0), sign(null, signed, privateKey));
  return {
    cert: new X509Certificate(sequence(signed, ed25519, signature)).toString(),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
