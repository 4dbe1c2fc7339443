import { describe, expect, it } from "vitest";
import { isLoopback, ownHost } from "./own-host";

describe("ownHost", () => {
	const local = ownHost({ host: "127.0.0.1", publicUrl: undefined });

	it.each(["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "LOCALHOST", "localhost"])(
		"on loopback %s is this server",
		(host) => expect(local(host)).toBe(true),
	);

	it.each(["evil.example:3000", "127.0.0.1.evil.example", "localhost.evil.example:3000", ""])(
		"on loopback %s is a stranger's name",
		(host) => expect(local(host)).toBe(false),
	);

	it("the public address is this server's too, and no other", () => {
		const behind = ownHost({ host: "127.0.0.1", publicUrl: "https://chat.example/" });
		expect(behind("chat.example")).toBe(true);
		expect(behind("other.example")).toBe(false);
	});

	it("a server that is open to the network does not know all its names", () => {
		expect(ownHost({ host: "0.0.0.0", publicUrl: undefined })("box.lan:3000")).toBe(true);
	});
});

it.each([
	["127.0.0.1", true],
	["127.8.9.1", true],
	["localhost", true],
	["::1", true],
	["0.0.0.0", false],
	["::", false],
	["10.0.0.1", false],
])("isLoopback(%s) is %s", (host, expected) => expect(isLoopback(host)).toBe(expected));
