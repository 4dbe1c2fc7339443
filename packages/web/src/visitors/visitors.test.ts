import { describe, expect, it } from "vitest";
import { Visitors } from "./visitors";

const DAY_S = 24 * 60 * 60;
const open = (more: Partial<ConstructorParameters<typeof Visitors>[0]> = {}) =>
	new Visitors({ secret: "a secret", now: () => 1_000_000, ...more });
const withCookie = (cookie: string) => new Headers({ cookie });
const none = new Headers();
const cookieOf = (setCookie: string | null) => setCookie?.split(";")[0] ?? "";

describe("Visitors", () => {
	it("makes everyone who comes somebody of their own, and knows them again", () => {
		const visitors = open();
		const [first, second] = [visitors.resolve(none), visitors.resolve(none)];
		expect(first.owner).toMatch(/^visitor-[0-9a-f-]{36}$/);
		expect(second.owner).not.toBe(first.owner);
		const again = visitors.resolve(withCookie(`theme=dark; ${cookieOf(first.setCookie)}`));
		expect(first.isNew).toBe(true);
		expect(again).toEqual({ owner: first.owner, isNew: false, setCookie: null });
	});

	it("keeps the cookie from scripts and from other sites", () => {
		expect(open().resolve(none).setCookie).toMatch(/; HttpOnly; SameSite=Strict$/);
		expect(open({ secure: true }).resolve(none).setCookie).toMatch(/; Secure$/);
	});

	it("keeps a cookie that came by TLS to TLS", () => {
		const by = (proto: string) => open().resolve(new Headers({ "x-forwarded-proto": proto }));
		expect(by("https").setCookie).toMatch(/; Secure$/);
		expect(by("https,http").setCookie).toMatch(/; Secure$/);
		expect(by("http").setCookie).not.toMatch(/Secure/);
	});

	it("makes everyone the one owner where there is one", () => {
		const visitors = open({ everyone: "local" });
		const { owner, isNew, setCookie } = visitors.resolve(none);
		expect([owner, isNew]).toEqual(["local", false]);
		const again = visitors.resolve(withCookie(cookieOf(setCookie)));
		expect(again).toEqual({ owner: "local", isNew: false, setCookie: null });
	});

	it("does not take the one owner's cookie where everyone is somebody of their own", () => {
		const cookie = cookieOf(open({ everyone: "local" }).resolve(none).setCookie);
		expect(open().resolve(withCookie(cookie)).owner).toMatch(/^visitor-/);
	});

	it.each([
		["another secret", (cookie: string) => cookie, { secret: "another" }],
		["another owner", (cookie: string) => cookie.replace(/visitor-./, "visitor-x"), {}],
		["another time", (cookie: string) => cookie.replace(".1000000.", ".1000001."), {}],
		["no signature", (cookie: string) => cookie.replace(/\.[^.]*$/, "."), {}],
		["half a year", (cookie: string) => cookie, { now: () => 1_000_000 + 181 * DAY_S }],
	])("takes no cookie with %s", (_, change, more) => {
		const first = open().resolve(none);
		const next = open(more).resolve(withCookie(change(cookieOf(first.setCookie))));
		expect(next.owner).not.toBe(first.owner);
		expect(next.setCookie).not.toBeNull();
	});

	it("renews a cookie that is a day old, for the same visitor", () => {
		const first = open().resolve(none);
		const later = open({ now: () => 1_000_000 + DAY_S });
		const next = later.resolve(withCookie(cookieOf(first.setCookie)));
		expect(next.owner).toBe(first.owner);
		expect(later.resolve(withCookie(cookieOf(next.setCookie))).setCookie).toBeNull();
	});
});
