import { describe, expect, it } from "vitest";
import type { ContractContext } from "./contract-subject";
import { expectError, pairs } from "./observe";

export function restartContract({ open }: ContractContext): void {
	describe("restart", () => {
		it("finds everything again", async () => {
			const { store, reopen } = await open();
			if (!reopen) throw new Error("A durable subject has reopen().");
			const before = store.collection("sessions");
			await before.create("a", { n: 1 }, { aliases: ["x"], group: "ada", ttlMs: 60_000 });
			await before.create("b", {}, { group: "ada", createdAt: 5 });
			const record = await before.update("a", (value) => ({ ...value, m: 2 }));
			await before.append("a", "events", [1, 2, 3], { once: { key: "k" } });
			await before.append("a", "events", [4], { swap: { register: "run", from: null, to: "r1" } });
			await before.append("a", "transcript", ["t"]);
			await before.trim("a", "events", 2);
			await before.increment("a", "n");
			const lease = await before.takeLease("a", { holder: "one", ttlMs: 1 });
			await before.setAlarm("a", 1);

			const after = (await reopen()).collection("sessions");
			expect(await after.get("a")).toEqual(record);
			expect((await after.find("x"))?.id).toBe("a");
			const listed = (await after.list({ group: "ada" })).records;
			expect(listed.map(({ id }) => id)).toEqual(["a", "b"]);
			expect(pairs(await after.tail("a", "events", 10))).toEqual([
				[2, 2],
				[3, 3],
				[4, 4],
			]);
			expect(pairs(await after.read("a", "transcript"))).toEqual([[1, "t"]]);
			expect((await after.state("a", "events")).registers).toEqual({ run: "r1" });
			expect(await after.increment("a", "n")).toBe(2);
			expect(await after.append("a", "events", [1, 2, 3], { once: { key: "k" } })).toEqual({
				first: 1,
				last: 3,
				repeated: true,
			});
			await expectError(after.append("a", "events", [9], { once: { key: "k" } }), "conflict");
			expect(await after.append("a", "events", [5])).toMatchObject({ first: 5 });
			const next = await after.takeLease("a", { holder: "two", ttlMs: 1_000 });
			expect(next?.token).toBeGreaterThan(lease?.token ?? 0);
			expect(await after.dueAlarms(10)).toEqual(["a"]);
		});
	});
}
