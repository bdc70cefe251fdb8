import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/**
 * True for the literals of addresses that anybody may have: not private, loopback, link-local, unique-local, shared,
 * multicast, reserved or for documentation, in whatever form of IPv6 an IPv4 address is carried.
 */
export function isPublicAddress(literal: string): boolean {
  // The library reads `::8.8.8.8` as a mapped address, which it is not: whoever dials it goes elsewhere.
  if (!ipaddr.isValid(literal) || /^::\d+\./.test(literal)) return false;
  const address = ipaddr.parse(literal);
  return address instanceof ipaddr.IPv4 ? address.range() === "unicast" : isPublicIPv6(address);
}

function isPublicIPv6(address: IPv6): boolean {
  const range = address.range();
  if (range === "ipv4Mapped") return address.toIPv4Address().range() === "unicast";
  // Networks with IPv6 alone reach the IPv4 world through this prefix.
  const [first = 0, second, third] = address.parts;
  if (first === 0x64 && second === 0xff9b && third === 0) return carriedIPv4(address).range() === "unicast";
  // What is not 2000::/3 belongs to nobody yet, or to a use of its own.
  return range === "unicast" && first >= 0x2000 && first <= 0x3fff;
}

function carriedIPv4(address: IPv6): IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
