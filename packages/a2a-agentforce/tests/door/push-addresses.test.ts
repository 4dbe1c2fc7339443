import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/door/push/public-address";
import { type Lookup, PushAddresses } from "../../src/door/push/push-addresses";

const PUBLIC = "93.184.216.34";

/** A resolver that gives these answers, one after the other. */
function answering(...answers: string[][]): Lookup {
	let asked = 0;
	return (_, done) => {
		const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
		done(
			null,
			addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
		);
	};
}

describe("the addresses of webhooks", () => {
	it.each([
		"http://127.0.0.1/",
		"http://localhost./",
		"http://2130706433/",
		"http://0x7f000001/",
		"http://0x7f.1/",
		"http://0177.0.0.1/",
		"http://017700000001/",
		"http://127.1/",
		"http://0/",
		"http://0.0.0.0/",
		"http://10.0.0.1/",
		"http://172.16.0.1/",
		"http://192.168.1.1/",
		"http://169.254.169.254/latest/meta-data/",
		"http://100.64.0.1/",
		"http://192.0.2.1/",
		"http://198.18.0.1/",
		"http://224.0.0.1/",
		"http://255.255.255.255/",
		"http://[::1]/",
		"http://[::]/",
		"http://[::ffff:127.0.0.1]/",
		"http://[::ffff:7f00:1]/",
		"http://[::ffff:a9fe:a9fe]/",
		"http://[::127.0.0.1]/",
		"http://[64:ff9b::7f00:1]/",
		"http://[64:ff9b:1::7f00:1]/",
		"http://[2002:7f00:1::]/",
		"http://[2001:0:7f00:1::]/",
		"http://[fe80::1]/",
		"http://[fec0::1]/",
		"http://[fc00::1]/",
		"http://[fd12:3456::1]/",
		"http://[ff02::1]/",
		"http://[2001:db8::1]/",
		"http://①②⑦.⓪.⓪.①/",
	])("%s is refused", async (url) => {
		const addresses = new PushAddresses({}, answering(["127.0.0.1"]));
		await expect(addresses.check(url)).rejects.toThrow();
	});

	it.each([
		["ftp://example.com/", "http and https"],
		["file:///etc/passwd", "http and https"],
		["gopher://example.com/", "http and https"],
		["javascript:alert(1)", "http and https"],
		["https://user:password@example.com/", "Credentials"],
		["//example.com/", "no address"],
		["", "no address"],
		[`https://example.com/${"a".repeat(3_000)}`, "no address"],
	])("%s is refused for its form", async (url, reason) => {
		const addresses = new PushAddresses({}, answering([PUBLIC]));
		await expect(addresses.check(url)).rejects.toThrow(reason);
	});

	it.each(["https://example.com/hook", `http://${PUBLIC}:8080/`, "https://[2606:4700::1111]/"])(
		"%s is taken",
		async (url) => {
			await new PushAddresses({}, answering([PUBLIC])).check(url);
		},
	);

	it("a name is refused when any of its addresses is not public", async () => {
		for (const inner of ["127.0.0.1", "::1", "fd00::1", "::ffff:10.0.0.1"]) {
			const addresses = new PushAddresses({}, answering([PUBLIC, inner]));
			await expect(addresses.check("https://example.com/")).rejects.toThrow("not a public one");
		}
	});

	it("a name that changes its answer is refused by the socket's own lookup", async () => {
		const addresses = new PushAddresses({}, answering([PUBLIC], ["127.0.0.1"]));
		await addresses.check("https://example.com/");
		const connected = await new Promise((resolve) => {
			addresses.lookup("example.com", { all: true }, (error, found) => resolve(error ?? found));
		});
		expect(connected).toMatchObject({ name: "AddressRefused" });
	});

	it("a name without an address is refused", async () => {
		await expect(
			new PushAddresses({}, answering([])).check("https://x.example/"),
		).rejects.toThrow();
	});

	it("a list of hosts leaves everything else out", async () => {
		const hosts = ["hooks.example.com", "*.partner.example"];
		const addresses = new PushAddresses({ hosts }, answering([PUBLIC]));
		for (const host of [
			"hooks.example.com",
			"HOOKS.example.com",
			"a.partner.example",
			"a.b.partner.example",
		]) {
			await addresses.check(`https://${host}/`);
		}
		for (const host of [
			"example.com",
			"evil-hooks.example.com",
			"hooks.example.com.evil.example",
			"partner.example",
			"xpartner.example",
			PUBLIC,
		]) {
			await expect(addresses.check(`https://${host}/`)).rejects.toThrow("not allowed");
		}
	});

	it("private ones are taken where that is allowed", async () => {
		const addresses = new PushAddresses({ allowPrivate: true }, answering(["127.0.0.1"]));
		for (const url of ["http://127.0.0.1/", "http://inner.example/", "http://[::1]/"]) {
			await addresses.check(url);
		}
	});

	it("what is no address is not public", () => {
		for (const text of ["", "example.com", "1.2.3", "::g"])
			expect(isPublicAddress(text)).toBe(false);
	});
});
