import { describe, expect, it } from "vitest";
import type { ContractContext } from "./contract-subject";
import { eventually, expectError } from "./observe";

const SHORT_MS = 300;

export function expiryContract({ open }: ContractContext): void {
	describe("time to live", () => {
		it("reads what expired as absent, its aliases too (I7)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {}, { ttlMs: SHORT_MS, aliases: ["x"] });
			await sessions.append("a", "events", [1]);
			await eventually(async () => (await sessions.get("a")) === null);
			expect(await sessions.find("x")).toBeNull();
			expect((await sessions.list()).records).toEqual([]);
			await expectError(sessions.append("a", "events", [2]), "not_found");
			await expectError(sessions.read("a", "events"), "not_found");
		});

		it("starts anew where something expired", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", { n: 1 }, { ttlMs: SHORT_MS, aliases: ["x"] });
			await sessions.append("a", "events", [1]);
			await eventually(async () => (await sessions.get("a")) === null);
			await sessions.create("b", {}, { aliases: ["x"] });
			await sessions.create("a", { n: 2 });
			expect((await sessions.find("x"))?.id).toBe("b");
			expect((await sessions.state("a", "events")).last).toBe(0);
		});

		it.each([
			["update", (s, id) => s.update(id, (value) => value)],
			["append", (s, id) => s.append(id, "events", [1])],
			["increment", (s, id) => s.increment(id, "n")],
			[
				"lease",
				async (s, id) => {
					const lease = await s.takeLease(id, { holder: "h", ttlMs: 10_000 });
					if (lease) await s.releaseLease(lease);
				},
			],
		] as [string, (s: import("../port").Collection, id: string) => Promise<unknown>][])(
			"is renewed by every %s (I7)",
			async (_, write) => {
				const sessions = (await open()).store.collection("sessions");
				await sessions.create("a", {}, { ttlMs: SHORT_MS, aliases: ["x"] });
				const until = performance.now() + 3 * SHORT_MS;
				while (performance.now() < until) {
					await write(sessions, "a");
					await new Promise((resolve) => setTimeout(resolve, SHORT_MS / 10));
				}
				expect((await sessions.get("a"))?.ttlMs).toBe(SHORT_MS);
				expect((await sessions.find("x"))?.id).toBe("a");
			},
		);

		it("is renewed by renewing the lease (I7)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {}, { ttlMs: SHORT_MS, aliases: ["x"] });
			const lease = await sessions.takeLease("a", { holder: "h", ttlMs: 60_000 });
			if (!lease) throw new Error("no lease");
			await sessions.append("a", "events", [1], { lease });
			const until = performance.now() + 3 * SHORT_MS;
			while (performance.now() < until) {
				await sessions.renewLease(lease);
				await new Promise((resolve) => setTimeout(resolve, SHORT_MS / 10));
			}
			expect((await sessions.find("x"))?.id).toBe("a");
			expect((await sessions.read("a", "events")).last).toBe(1);
		});

		it("never ends without one", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("kept", {}, { aliases: ["x"] });
			await sessions.create("gone", {}, { ttlMs: 50 });
			await eventually(async () => (await sessions.get("gone")) === null);
			expect((await sessions.get("kept"))?.ttlMs).toBeNull();
			expect((await sessions.find("x"))?.id).toBe("kept");
		});
	});
}
