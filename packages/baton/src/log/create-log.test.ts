import { describe, expect, it } from "vitest";
import { createLog } from "./create-log";
import { Scrubber } from "./scrubber";

const SECRET = "s3cret-value-0123456789";

function logged(
	write: (log: ReturnType<typeof createLog>) => void,
	secrets: string[] = [],
): string {
	const lines: string[] = [];
	const scrubber = new Scrubber(secrets);
	write(createLog({ level: "trace", scrubber, write: (line) => lines.push(line) }));
	return lines.join("");
}

describe("the log", () => {
	it("writes lines of JSON, with an error's reason and causes", () => {
		const cause = new Error("the disk is full");
		const line = logged((log) => log.warn({ error: new Error("failed", { cause }) }, "Oh."));
		expect(JSON.parse(line)).toMatchObject({
			level: "warn",
			msg: "Oh.",
			error: { type: "Error", message: "failed", cause: { message: "the disk is full" } },
		});
	});

	it.each([
		["a header", { headers: { authorization: SECRET, Cookie: SECRET } }],
		["the web's headers", { headers: new Headers({ authorization: SECRET }) }],
		["a field, deep down", { a: { b: [{ api_key: SECRET, relayToken: SECRET }] } }],
		["a password", { redis: { password: SECRET } }],
	])("leaves out the value of %s by its name", (_, details) => {
		expect(logged((log) => log.info(details, "x"))).not.toContain(SECRET);
	});

	it.each([
		["a message", {}, `got ${SECRET}`],
		["a field with a harmless name", { body: `{"x":"${SECRET}"}` }, "x"],
		["an error and its stack", { error: new Error(`no ${SECRET}`) }, "x"],
		["the name of a field", { [SECRET]: 1 }, "x"],
	])("takes a known secret out of %s", (_, details, message) => {
		expect(logged((log) => log.error(details, message), [SECRET])).not.toContain(SECRET);
	});

	it("survives values that hold themselves", () => {
		const loop: Record<string, unknown> = {};
		loop.self = loop;
		expect(logged((log) => log.info({ loop }, "x"))).toContain("[deeper]");
	});
});
