import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/**
 * True for literals of public addresses: not private, loopback, link-local, unique-local, shared, multicast, reserved
 * or for documentation, including IPv4 addresses embedded in IPv6.
 */
export function isPublicAddress(literal: string): boolean {
  // The library parses `::8.8.8.8` as a mapped address, which it is not: a connection goes elsewhere.
  if (!ipaddr.isValid(literal) || /^::\d+\./.test(literal)) return false;
  const address = ipaddr.parse(literal);
  return address instanceof ipaddr.IPv4 ? address.range() === "unicast" : isPublicIPv6(address);
}

function isPublicIPv6(address: IPv6): boolean {
  const range = address.range();
  if (range === "ipv4Mapped") return address.toIPv4Address().range() === "unicast";
  // IPv6-only networks reach IPv4 hosts through this prefix.
  const [first = 0, second, third] = address.parts;
  if (first === 0x64 && second === 0xff9b && third === 0) return carriedIPv4(address).range() === "unicast";
  // Addresses outside 2000::/3 are unassigned or have a special use.
  return range === "unicast" && first >= 0x2000 && first <= 0x3fff;
}

function carriedIPv4(address: IPv6): IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
