import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Scrubber } from "./scrubber";

const scrub = (text: string) => new Scrubber().scrub(text);

describe("the scrubber", () => {
	it("takes a known secret out wherever it is, in every form that a line gives it", () => {
		fc.assert(
			fc.property(
				fc.string({ minLength: 8, maxLength: 80, unit: "grapheme" }),
				fc.string(),
				(secret, around) => {
					fc.pre(!around.includes(secret));
					const scrubber = new Scrubber([secret]);
					const lines = [
						secret,
						JSON.stringify({ msg: `${around}${secret}` }),
						`http://h/?q=${encodeURIComponent(secret)}`,
					];
					for (const line of lines) {
						expect(scrubber.scrub(line)).not.toContain(secret);
						expect(scrubber.scrub(line)).not.toContain(JSON.stringify(secret).slice(1, -1));
					}
				},
			),
		);
	});

	it("takes a longer secret out whole when a shorter one is a part of it", () => {
		const scrubber = new Scrubber(["password1", "user:password1@host"]);
		expect(scrubber.scrub("redis is at user:password1@host now")).toBe("redis is at [removed] now");
	});

	it("learns secrets later", () => {
		const scrubber = new Scrubber();
		scrubber.add(["made-just-now"]);
		expect(scrubber.scrub("key made-just-now")).toBe("key [removed]");
	});

	it.each([
		["Authorization: Bearer abc.def-123", "abc.def-123"],
		['{"authorization":"Bearer abc.def-123"}', "abc.def-123"],
		["GET /agent-api/relay?sessionId=1&token=tok-0123456789&x=1", "tok-0123456789"],
		['{"token":"tok-0123456789","ok":true}', "tok-0123456789"],
		[JSON.stringify({ body: JSON.stringify({ token: "tok-0123456789" }) }), "tok-0123456789"],
		["redis://ada:lovelace@host:6379/0", "lovelace"],
		["rediss://:p@ss/word@host:6379", "ss/word@"],
		["https://example.com/v1?key=AIzaSyABC&alt=sse", "AIzaSyABC"],
		["OPENAI_API_KEY=sk-proj-0123456789abcdef", "sk-proj-0123456789abcdef"],
		["the key sk-a1b2c3d4e5f6a7b8c9d0 was refused", "sk-a1b2c3d4e5f6a7b8c9d0"],
		["password: hunter22", "hunter22"],
		["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "eyJzdWIiOiIxIn0"],
	])("takes out what looks like a secret: %s", (text, secret) => {
		expect(scrub(text)).not.toContain(secret);
	});

	it.each([
		'{"level":"info","msg":"POST /agent-api/run 200","ms":3}',
		'{"total_tokens":1234567,"input_tokens":12}',
		"http://127.0.0.1:3000/agent-api/run",
		"The token is wrong.",
		"tokens: 12",
	])("leaves alone what is none: %s", (text) => {
		expect(scrub(text)).toBe(text);
	});
});
