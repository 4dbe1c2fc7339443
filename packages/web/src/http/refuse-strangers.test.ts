import { describe, expect, it } from "vitest";
import { refuseStrangers } from "./refuse-strangers";

const check = (headers: object) => () =>
	refuseStrangers({ headers: new Headers({ ...headers }) }, (host) => host.startsWith("localhost"));
const host = "localhost:3000";

describe("refuseStrangers", () => {
	it.each([
		{ host },
		{ host, origin: "http://localhost:3000" },
		{ host, "sec-fetch-site": "same-origin", origin: "http://localhost:3000" },
		{ host, "sec-fetch-site": "none" },
		// A proxy may have changed the name; the browser's own word counts.
		{ host, "sec-fetch-site": "same-origin", origin: "https://chat.example" },
	])("lets %j pass", (headers) => {
		expect(check(headers)).not.toThrow();
	});

	it.each([
		[421, { host: "evil.example" }],
		[421, {}],
		[403, { host, origin: "https://evil.example" }],
		[403, { host, origin: "null" }],
		[403, { host, "sec-fetch-site": "cross-site" }],
		[403, { host, "sec-fetch-site": "same-site", origin: "http://localhost:8080" }],
	])("refuses with %i what came as %j", (status, headers) => {
		expect(check(headers)).toThrow(expect.objectContaining({ status }));
	});
});
