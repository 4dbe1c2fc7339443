import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The part of IPv6 that the world routes; everything else has a purpose of its own. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is one of the open internet's. Loopback, private, link-local and every other
 * special range are not, nor is an IPv6 address that leads to such an IPv4 one.
 */
export function isPublicAddress(text: string): boolean {
	if (isIP(text) === 0) return false;
	const address = ipaddr.process(text);
	if (address.range() !== "unicast") return false;
	return address.kind() === "ipv4" || (address as ipaddr.IPv6).match(GLOBAL_IPV6);
}
