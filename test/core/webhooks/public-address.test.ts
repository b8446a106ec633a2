import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "../../../core/webhooks/post-event.ts";

describe("an address that is not of a host on the Internet is not public", () => {
  test.each([
    ["unspecified", "0.0.0.0"],
    ["this network", "0.255.255.255"],
    ["private, 10", "10.0.0.1"],
    ["private, 10, the last", "10.255.255.255"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT, the last", "100.127.255.255"],
    ["metadata of another cloud, in carrier-grade NAT", "100.100.100.200"],
    ["loopback, Lambda's runtime API", "127.0.0.1"],
    ["loopback, a name server", "127.0.0.53"],
    ["loopback, the last", "127.255.255.255"],
    ["link-local", "169.254.0.1"],
    ["metadata of EC2", "169.254.169.254"],
    ["credentials of ECS", "169.254.170.2"],
    ["credentials of EKS", "169.254.170.23"],
    ["name server of AWS", "169.254.169.253"],
    ["private, 172.16", "172.16.0.1"],
    ["private, 172.16, the last", "172.31.255.255"],
    ["IETF protocol assignments", "192.0.0.1"],
    ["metadata of another cloud, in IETF protocol assignments", "192.0.0.192"],
    ["documentation 1", "192.0.2.1"],
    ["AS112", "192.31.196.1"],
    ["AMT", "192.52.193.1"],
    ["6to4 relays", "192.88.99.1"],
    ["private, 192.168", "192.168.0.1"],
    ["AS112, direct delegation", "192.175.48.1"],
    ["benchmarking", "198.18.0.1"],
    ["benchmarking, the last", "198.19.255.255"],
    ["documentation 2", "198.51.100.1"],
    ["documentation 3", "203.0.113.1"],
    ["multicast", "224.0.0.1"],
    ["multicast, the last", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["IPv6 unspecified", "::"],
    ["IPv6 loopback", "::1"],
    ["IPv6 loopback, written out", "0:0:0:0:0:0:0:1"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped loopback in hex", "::ffff:7f00:1"],
    ["IPv4-mapped public address", "::ffff:1.1.1.1"],
    ["IPv4-compatible loopback", "::127.0.0.1"],
    ["IPv4-compatible loopback in hex", "::7f00:1"],
    ["IPv4-compatible public address in hex", "::101:101"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64 of the metadata address", "64:ff9b::169.254.169.254"],
    ["NAT64 in hex", "64:ff9b::a9fe:a9fe"],
    ["NAT64 of a local network", "64:ff9b:1::a9fe:a9fe"],
    ["discard-only", "100::1"],
    ["Teredo", "2001::1"],
    ["Teredo with an address in it", "2001:0:7f00:1::"],
    ["benchmarking, IPv6", "2001:2::1"],
    ["AMT, IPv6", "2001:3::1"],
    ["AS112, IPv6", "2001:4:112::1"],
    ["ORCHID", "2001:10::1"],
    ["ORCHID version 2", "2001:20::1"],
    ["drone identifiers", "2001:30::1"],
    ["documentation, IPv6", "2001:db8::1"],
    ["6to4 of a loopback address", "2002:7f00:1::"],
    ["6to4 of a private address", "2002:a00:1::1"],
    ["AS112, direct delegation, IPv6", "2620:4f:8000::1"],
    ["documentation, the newer range", "3fff::1"],
    ["unassigned", "4000::1"],
    ["segment routing", "5f00::1"],
    ["unique local", "fc00::1"],
    ["unique local, metadata of EC2", "fd00:ec2::254"],
    ["unique local, credentials of EKS", "fd00:ec2::23"],
    ["link-local, IPv6", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast, IPv6", "ff02::1"],
    ["a public address with a zone", "2606:4700:4700::1111%eth0"],
    ["no address", ""],
    ["a name", "localhost"],
    ["a decimal number", "2130706433"],
    ["a public address as a decimal number", "16843009"],
    ["octal", "0177.0.0.1"],
    ["octal, which some read as a public decimal", "012.0.0.1"],
    ["hex", "0x7f.0.0.1"],
    ["short", "127.1"],
    ["with a trailing dot", "1.1.1.1."],
    ["with a port", "1.1.1.1:443"],
    ["in brackets", "[2606:4700:4700::1111]"],
    ["a network", "1.1.1.0/24"],
    ["with a space", " 1.1.1.1"],
    ["with a line break", "1.1.1.1\n"],
    ["a number over 255", "256.1.1.1"],
    ["two double colons", "2606::4700::1"],
  ])("%s: %j", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "198.17.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:400f:80d::200e",
  "2001:4860:4860:0:0:0:0:8888",
  "2620:FE::FE",
])("an address of a host on the Internet is public: %s", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test("no IPv6 address outside of what is assigned to the Internet is public", () => {
  const word = fc.integer({ min: 0, max: 0xffff });
  const first = fc.oneof(fc.integer({ min: 0, max: 0x1fff }), fc.integer({ min: 0x4000, max: 0xffff }));
  fc.assert(
    fc.property(first, fc.array(word, { minLength: 7, maxLength: 7 }), (start, rest) => {
      expect(isPublicAddress([start, ...rest].map((each) => each.toString(16)).join(":"))).toBe(false);
    }),
  );
});

test("any text gets an answer", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\da-f.:%x/]*$/)), (text) => {
      expect(typeof isPublicAddress(text)).toBe("boolean");
    }),
  );
});
