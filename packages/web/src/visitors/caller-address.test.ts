import { expect, it } from "vitest";
import { callerAddress } from "./caller-address";

const PEER = "192.0.2.9";

it.each([
	["the peer, whatever a caller says", "203.0.113.1", 0, PEER],
	["what the one proxy heard it from", "203.0.113.1", 1, "203.0.113.1"],
	["not what a caller told the proxy", "198.51.100.7, 203.0.113.1", 1, "203.0.113.1"],
	["what the first of two heard it from", "6.6.6.6, 203.0.113.1, 10.0.0.1", 2, "203.0.113.1"],
	["the furthest that is known, of fewer than were told of", "203.0.113.1", 3, "203.0.113.1"],
	["the peer, where no proxy spoke", "", 1, PEER],
	["one address under both its names", "::ffff:203.0.113.1", 1, "203.0.113.1"],
])("is %s", (_, forwarded, trusted, expected) => {
	const headers = new Headers(forwarded ? { "x-forwarded-for": forwarded } : {});
	expect(callerAddress(headers, PEER, trusted)).toBe(expected);
});
