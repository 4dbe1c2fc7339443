import { describe, expect, it } from "vitest";
import type { ContractContext } from "./contract-subject";
import { expectError, pairs } from "./observe";

export function conditionsContract({ open }: ContractContext): void {
	describe("conditional append", () => {
		it("returns the first result for the same key and body (I8)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", ["before"]);
			const once = { key: "k1" };
			const first = await sessions.append("a", "events", [{ x: 1, y: [2] }, "b"], { once });
			expect(first).toEqual({ first: 2, last: 3, repeated: false });
			await sessions.append("a", "events", ["after"]);
			const again = await sessions.append("a", "events", [{ y: [2], x: 1 }, "b"], { once });
			expect(again).toEqual({ first: 2, last: 3, repeated: true });
			expect((await sessions.state("a", "events")).last).toBe(4);
		});

		it("refuses the same key with another body (I8)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", [1], { once: { key: "k1" } });
			await expectError(sessions.append("a", "events", [2], { once: { key: "k1" } }), "conflict");
			expect(pairs(await sessions.read("a", "events"))).toEqual([[1, 1]]);
			await sessions.create("b", {});
			expect(await sessions.append("b", "events", [2], { once: { key: "k1" } })).toMatchObject({
				repeated: false,
			});
		});

		it("compares the body that the caller names, not what it derived from it", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const body = { text: "hi" };
			await sessions.append("a", "events", [{ text: "hi", run: 1 }], { once: { key: "k", body } });
			const again = await sessions.append("a", "events", [{ text: "hi", run: 2 }], {
				once: { key: "k", body },
			});
			expect(again).toEqual({ first: 1, last: 1, repeated: true });
			expect(pairs(await sessions.read("a", "events"))).toEqual([[1, { text: "hi", run: 1 }]]);
		});

		it("swaps a register together with the append, once (I5)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.append("a", "events", ["start"], {
				swap: { register: "run", from: null, to: "r1" },
			});
			expect((await sessions.state("a", "events")).registers).toEqual({ run: "r1" });
			const end = () =>
				sessions.append("a", "events", ["end"], {
					swap: { register: "run", from: "r1", to: null },
				});
			const results = await Promise.allSettled([end(), end(), end()]);
			expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
			for (const result of results) {
				if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict" });
			}
			expect(pairs(await sessions.read("a", "events"))).toEqual([
				[1, "start"],
				[2, "end"],
			]);
			expect((await sessions.state("a", "events")).registers).toEqual({});
		});

		it("answers a repeated key even when lease and register have moved on (I8)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const lease = await sessions.takeLease("a", { holder: "h", ttlMs: 60_000 });
			const options = {
				...(lease && { lease }),
				once: { key: "k" },
				swap: { register: "run", from: null, to: "r1" },
			};
			await sessions.append("a", "events", [1], options);
			if (lease) await sessions.releaseLease(lease);
			expect(await sessions.append("a", "events", [1], options)).toEqual({
				first: 1,
				last: 1,
				repeated: true,
			});
		});

		it("writes nothing at all when a condition fails", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const lease = await sessions.takeLease("a", { holder: "h", ttlMs: 60_000 });
			if (!lease) throw new Error("no lease");
			await sessions.releaseLease(lease);
			const swap = { register: "run", from: null, to: "r1" };
			await expectError(
				sessions.append("a", "events", [1], { lease, swap, once: { key: "k" } }),
				"lease_lost",
			);
			expect(await sessions.state("a", "events")).toMatchObject({ last: 0, registers: {} });
			expect(await sessions.append("a", "events", [2], { once: { key: "k" } })).toMatchObject({
				first: 1,
				repeated: false,
			});
		});
	});
}
