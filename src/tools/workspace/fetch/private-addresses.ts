import { BlockList, isIPv6 } from "node:net";

/**
 * Networks that are not the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry. What answers there trusts its neighbours.
 */
const networks: readonly [address: string, prefix: number][] = [
  ["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["169.254.0.0", 16], ["172.16.0.0", 12], ["192.0.0.0", 24], ["192.0.2.0", 24], ["192.88.99.0", 24], ["192.168.0.0", 16], ["198.18.0.0", 15], ["198.51.100.0", 24],
  ["203.0.113.0", 24], ["224.0.0.0", 4], ["240.0.0.0", 4],
  ["::", 128], ["::1", 128], ["64:ff9b::", 96], ["64:ff9b:1::", 48], ["100::", 64], ["2001::", 23], ["2001:db8::", 32], ["2002::", 16], ["3fff::", 20], ["5f00::", 16], ["fc00::", 7], ["fe80::", 10], ["fec0::", 10], ["ff00::", 8],
  // An IPv4 address in the form of IPv6.
  ["::ffff:0:0", 96], ["::", 96],
];

/** Tells whether an IP address is one of this machine or its neighbours, or of no machine. */
export function privateAddressTest(): (address: string) => boolean {
  // One for each: in a common one an IPv4 address is compared with the networks of IPv6 that hold such addresses, too.
  const blocked = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const [address, prefix] of networks) blocked[familyOf(address)].addSubnet(address, prefix, familyOf(address));
  // The zone of a link-local address is no part of it.
  return (address) => blocked[familyOf(address)].check(address.replace(/%.*$/, ""), familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
