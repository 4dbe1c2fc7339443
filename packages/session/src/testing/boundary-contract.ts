import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../json";
import { LIMITS } from "../limits";
import type { ContractContext } from "./contract-subject";
import { expectError, pairs } from "./observe";

const ODD_TEXTS = [
	"",
	" ",
	"line\nbreak\r\n\u2028\u2029",
	"\u0000\u0001\u001f\u007f",
	"𝒲örld 🎉 é e\u0301",
	"\ud800 lone \udfff",
	"{}[]\"'\\/%:*",
	"\ufeffmark",
];

export function boundaryContract({ open }: ContractContext): void {
	describe("boundary", () => {
		it("returns any JSON and any Unicode as it was given (I9)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }) as fc.Arbitrary<Json>;
			let last = 0;
			await fc.assert(
				fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 8 }), async (events) => {
					// JSON has one zero.
					const given = JSON.parse(JSON.stringify(events)) as Json[];
					const appended = await sessions.append("a", "events", events);
					expect(appended.first).toBe(last + 1);
					const slice = await sessions.read("a", "events", { after: last });
					expect(slice.entries.map((entry) => entry.event)).toEqual(given);
					last = appended.last;
				}),
				{ numRuns: 60 },
			);
		});

		it("returns odd texts in events, records and keys of objects", async () => {
			const sessions = (await open()).store.collection("sessions");
			const value = Object.fromEntries(ODD_TEXTS.map((text) => [text, text])) as JsonObject;
			await sessions.create("a", value);
			expect((await sessions.get("a"))?.value).toEqual(value);
			await sessions.append("a", "events", [...ODD_TEXTS, value]);
			expect(pairs(await sessions.read("a", "events")).map(([, event]) => event)).toEqual([
				...ODD_TEXTS,
				value,
			]);
		});

		it("keeps a key named __proto__", async () => {
			const sessions = (await open()).store.collection("sessions");
			const value = JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject;
			await sessions.create("a", value);
			await sessions.append("a", "events", [value]);
			expect(JSON.stringify((await sessions.get("a"))?.value)).toBe(JSON.stringify(value));
			const [entry] = (await sessions.read("a", "events")).entries;
			expect(JSON.stringify(entry?.event)).toBe(JSON.stringify(value));
		});

		it("shares nothing with its caller (I9)", async () => {
			const sessions = (await open()).store.collection<{ list: number[] }>("sessions");
			const value = { list: [1] };
			const event = { list: [1] };
			await sessions.create("a", value);
			await sessions.append("a", "events", [event]);
			value.list.push(2);
			event.list.push(2);
			(await sessions.get("a"))?.value.list.push(3);
			const [read] = (await sessions.read("a", "events")).entries;
			(read!.event as { list: number[] }).list.push(3);
			expect((await sessions.get("a"))?.value).toEqual({ list: [1] });
			expect(pairs(await sessions.read("a", "events"))).toEqual([[1, { list: [1] }]]);
		});

		it("gives each follower events of its own (I9)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const first = async () => {
				for await (const { entries } of sessions.follow("a", "events")) return entries[0]?.event;
			};
			const both = Promise.all([first(), first()]);
			await sessions.append("a", "events", [{ list: [1] }]);
			const [one, two] = await both;
			(one as { list: number[] }).list.push(2);
			expect(two).toEqual({ list: [1] });
		});

		it.each([
			["slashes", "../../etc/passwd"],
			["a backslash", "a\\b"],
			["dots", "a.b"],
			["NUL", "a\u0000b"],
			["10 kB", "x".repeat(10_000)],
			["nothing", ""],
			["a brace", "{a}"],
			["a space", "a b"],
			["a letter beyond ASCII", "ä"],
		])("refuses an id with %s", async (_, id) => {
			const sessions = (await open()).store.collection("sessions");
			await expectError(sessions.create(id, {}), "invalid");
			await expectError(sessions.get(id), "invalid");
			await expectError(sessions.append(id, "events", [1]), "invalid");
			expect(() => sessions.follow(id, "events")).toThrow(/not allowed/);
		});

		it("refuses names, aliases and keys that break the rules", async () => {
			const { store } = await open();
			const sessions = store.collection("sessions");
			await sessions.create("a", {});
			expect(() => store.collection("../x")).toThrow(/not allowed/);
			await expectError(sessions.append("a", "../x", [1]), "invalid");
			await expectError(sessions.increment("a", "a/b"), "invalid");
			await expectError(sessions.create("b", {}, { aliases: ["x\n"] }), "invalid");
			await expectError(sessions.create("b", {}, { aliases: ["x".repeat(513)] }), "invalid");
			await expectError(sessions.create("b", {}, { group: "\u0000" }), "invalid");
			await expectError(sessions.append("a", "events", [1], { once: { key: "" } }), "invalid");
			await expectError(sessions.takeLease("a", { holder: "h", ttlMs: 0 }), "invalid");
		});

		it("takes an event of the largest size and refuses one byte more", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const largest = "é".repeat((LIMITS.eventBytes - 2) / 2);
			await sessions.append("a", "events", [largest]);
			await expectError(sessions.append("a", "events", ["ok", `${largest}x`]), "too_large");
			const slice = await sessions.read("a", "events");
			expect(slice.entries.map((entry) => (entry.event as string).length)).toEqual([
				largest.length,
			]);
		});

		it("refuses records and batches over their caps, and what is no JSON", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", { n: 1 });
			const tooMany = Array.from({ length: LIMITS.batchEvents + 1 }, () => 1);
			await expectError(sessions.append("a", "events", tooMany), "too_large");
			const huge = { text: "x".repeat(LIMITS.recordBytes) };
			await expectError(sessions.create("b", huge), "too_large");
			await expectError(
				sessions.update("a", () => huge),
				"too_large",
			);
			const circular: Record<string, unknown> = {};
			circular.self = circular;
			await expectError(sessions.append("a", "events", [circular as Json]), "invalid");
			await expectError(sessions.append("a", "events", [undefined as unknown as Json]), "invalid");
			await expectError(sessions.create("b", [] as unknown as JsonObject), "invalid");
			expect(await sessions.get("a")).toMatchObject({ value: { n: 1 }, version: 1 });
			expect((await sessions.state("a", "events")).last).toBe(0);
		});
	});
}
