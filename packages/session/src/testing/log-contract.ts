import { describe, expect, it } from "vitest";
import type { ContractContext } from "./contract-subject";
import { expectError, pairs } from "./observe";

export function logContract({ open }: ContractContext): void {
	describe("log", () => {
		it("numbers events from 1 without gaps (I1)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			expect(await sessions.append("a", "events", ["x"])).toEqual({
				first: 1,
				last: 1,
				repeated: false,
			});
			expect(await sessions.append("a", "events", ["y", "z"])).toEqual({
				first: 2,
				last: 3,
				repeated: false,
			});
			const slice = await sessions.read("a", "events");
			expect(pairs(slice)).toEqual([
				[1, "x"],
				[2, "y"],
				[3, "z"],
			]);
			expect(slice).toMatchObject({ first: 1, last: 3, reset: null });
		});

		it("keeps the order of calls that were not awaited", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const appends = Array.from({ length: 50 }, (_, i) => sessions.append("a", "events", [i]));
			const results = await Promise.all(appends);
			expect(results.map((result) => result.first)).toEqual(results.map((_, i) => i + 1));
			expect((await sessions.read("a", "events")).entries.map((entry) => entry.event)).toEqual(
				results.map((_, i) => i),
			);
		});

		it("keeps the logs of a session, and of two sessions, apart", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.create("b", {});
			await sessions.append("a", "transcript", ["t"]);
			await sessions.append("a", "events", ["e"]);
			await sessions.append("b", "events", ["other"]);
			expect(pairs(await sessions.read("a", "transcript"))).toEqual([[1, "t"]]);
			expect(pairs(await sessions.read("a", "events"))).toEqual([[1, "e"]]);
		});

		it("reads after a cursor, up to a limit", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append(
				"a",
				"events",
				Array.from({ length: 2_500 }, (_, i) => i + 1),
			);
			expect((await sessions.read("a", "events")).entries).toHaveLength(1_000);
			expect(pairs(await sessions.read("a", "events", { after: 1_999, limit: 2 }))).toEqual([
				[2_000, 2_000],
				[2_001, 2_001],
			]);
			const end = await sessions.read("a", "events", { after: 2_500 });
			expect(end).toMatchObject({ entries: [], first: 1, last: 2_500, reset: null });
		});

		it("reads an untouched log as empty", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const empty = { entries: [], first: 1, last: 0, reset: null };
			expect(await sessions.read("a", "events")).toEqual(empty);
			expect(await sessions.tail("a", "events", 5)).toEqual(empty);
		});

		it("tails the last events, oldest first", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append(
				"a",
				"events",
				Array.from({ length: 300 }, (_, i) => ({ n: i + 1 })),
			);
			expect(pairs(await sessions.tail("a", "events", 2))).toEqual([
				[299, { n: 299 }],
				[300, { n: 300 }],
			]);
			expect((await sessions.tail("a", "events", 1_000)).entries).toHaveLength(300);
		});

		it("trims the start, and never uses a number again", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1, 2, 3, 4]);
			await sessions.trim("a", "events", 3);
			await sessions.trim("a", "events", 2);
			expect(pairs(await sessions.tail("a", "events", 10))).toEqual([
				[3, 3],
				[4, 4],
			]);
			expect(await sessions.state("a", "events")).toMatchObject({ first: 3, last: 4 });
			await sessions.trim("a", "events", 100);
			expect(await sessions.state("a", "events")).toMatchObject({ first: 5, last: 4 });
			expect(await sessions.append("a", "events", [5])).toMatchObject({ first: 5, last: 5 });
			expect(pairs(await sessions.read("a", "events", { after: 4 }))).toEqual([[5, 5]]);
		});

		it("answers a cursor that was trimmed away with a reset (I3)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1, 2, 3, 4]);
			await sessions.trim("a", "events", 3);
			const slice = await sessions.read("a", "events", { after: 1 });
			expect(slice.reset).toEqual({ reason: "trimmed", first: 3 });
			expect(pairs(slice)).toEqual([
				[3, 3],
				[4, 4],
			]);
			expect((await sessions.read("a", "events", { after: 2 })).reset).toBeNull();
		});

		it("answers a cursor beyond the end with a reset (I3)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1]);
			const slice = await sessions.read("a", "events", { after: 9 });
			expect(slice.reset).toEqual({ reason: "diverged", first: 1 });
			expect(pairs(slice)).toEqual([[1, 1]]);
		});

		it("refuses an empty batch and impossible cursors", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await expectError(sessions.append("a", "events", []), "invalid");
			await expectError(sessions.read("a", "events", { after: -1 }), "invalid");
			await expectError(sessions.read("a", "events", { after: 0.5 }), "invalid");
			await expectError(sessions.tail("a", "events", 0), "invalid");
		});
	});
}
