import { describe, expect, it } from "vitest";
import type { Collection, Lease } from "../port";
import type { ContractContext } from "./contract-subject";
import { eventually, expectError, pairs } from "./observe";

async function take(sessions: Collection, holder: string, ttlMs = 60_000): Promise<Lease> {
	const lease = await sessions.takeLease("a", { holder, ttlMs });
	if (!lease) throw new Error(`${holder} did not get the lease`);
	return lease;
}

export function leaseContract({ open }: ContractContext): void {
	describe("lease", () => {
		it("is held by one, and shown with its holder", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			expect((await sessions.state("a", "events")).lease).toBeNull();
			const lease = await take(sessions, "one");
			expect(await sessions.takeLease("a", { holder: "two", ttlMs: 1_000 })).toBeNull();
			const shown = (await sessions.state("a", "events")).lease;
			expect(shown).toMatchObject({ holder: "one", token: lease.token });
			expect(shown?.remainingMs).toBeGreaterThan(30_000);
			expect(shown?.remainingMs).toBeLessThanOrEqual(60_000);
		});

		it("passes on with a larger token after release", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const one = await take(sessions, "one");
			await sessions.releaseLease(one);
			const two = await take(sessions, "two");
			expect(two.token).toBeGreaterThan(one.token);
			await sessions.releaseLease(one);
			expect((await sessions.state("a", "events")).lease?.holder).toBe("two");
		});

		it("does not serve another session that was given the id (I4)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const old = await take(sessions, "one");
			await sessions.delete("a");
			await new Promise((resolve) => setTimeout(resolve, 20));
			await sessions.create("a", {});
			const current = await take(sessions, "two");
			expect(current.token).toBeGreaterThan(old.token);
			const stale = sessions.append("a", "events", ["stale"], { lease: old });
			await expect(stale).rejects.toMatchObject({ code: "lease_lost" });
			await expect(sessions.renewLease(old)).rejects.toMatchObject({ code: "lease_lost" });
			await sessions.releaseLease(old);
			await sessions.append("a", "events", ["current"], { lease: current });
			expect((await sessions.state("a", "events")).last).toBe(1);
		});

		it("is lost when it ran out, even if nobody took it (I4)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const lease = await take(sessions, "one", 40);
			await eventually(async () => (await sessions.state("a", "events")).lease === null);
			await expectError(sessions.append("a", "events", [1], { lease }), "lease_lost");
			await expectError(sessions.renewLease(lease), "lease_lost");
			expect((await sessions.state("a", "events")).last).toBe(0);
		});

		it("lets only the current holder append under it (I4)", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const one = await take(sessions, "one", 40);
			await eventually(async () => (await sessions.state("a", "events")).lease === null);
			const two = await take(sessions, "two");
			await expectError(sessions.append("a", "events", ["one"], { lease: one }), "lease_lost");
			await sessions.append("a", "events", ["two"], { lease: two });
			await sessions.append("a", "events", ["anyone"]);
			expect(pairs(await sessions.read("a", "events"))).toEqual([
				[1, "two"],
				[2, "anyone"],
			]);
		});

		it("lasts as long as it is renewed", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			const lease = await take(sessions, "one", 400);
			const until = performance.now() + 1_000;
			while (performance.now() < until) {
				await sessions.renewLease(lease);
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			await sessions.append("a", "events", [1], { lease });
			expect(await sessions.takeLease("a", { holder: "two", ttlMs: 100 })).toBeNull();
		});

		it("is of one session", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.create("b", {});
			const lease = await take(sessions, "one");
			await expectError(sessions.append("b", "events", [1], { lease }), "invalid");
			expect(await sessions.takeLease("b", { holder: "two", ttlMs: 1_000 })).not.toBeNull();
		});
	});
}
