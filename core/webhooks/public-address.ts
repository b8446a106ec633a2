import ipaddr from "ipaddr.js";

/** All that is assigned to hosts on the Internet. @see IANA, Internet Protocol Version 6 Address Space */
const assignedInternetIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is unmistakably one of a host on the Internet.
 *
 * All ranges of the registries of special-purpose addresses are not, and neither is an IPv6 address that has an IPv4 address
 * in it (mapped, compatible, NAT64, 6to4, Teredo): a connection would go to that one.
 *
 * @param address as DNS gives it: four decimal numbers, or IPv6 without brackets and zone; any other text is not public
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === "unicast";
  if (!ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.zoneId === undefined && parsed.match(assignedInternetIpv6) && parsed.range() === "unicast";
}
