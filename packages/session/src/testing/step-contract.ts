import { describe, expect, it } from "vitest";
import type { Collection, Lease } from "../port";
import type { ContractContext } from "./contract-subject";
import { eventually, expectError, pairs } from "./observe";

const HOLDER = { holder: "h", ttlMs: 60_000 };
const row = (event: string) => ({ log: "rows", event, once: { key: `row ${event}` } });

export function stepContract({ open }: ContractContext): void {
	describe("a step of more than one thing", () => {
		async function session(): Promise<Collection> {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", { name: "Ä" }, { group: "g", aliases: ["one"] });
			return sessions;
		}

		async function leased(): Promise<{ sessions: Collection; lease: Lease }> {
			const sessions = await session();
			const lease = await sessions.takeLease("a", HOLDER);
			if (!lease) throw new Error("no lease");
			return { sessions, lease };
		}

		it("stores rows of other logs with the events, each once", async () => {
			const sessions = await session();
			await sessions.append("a", "rows", ["old"], { once: row("old").once });
			const before = [row("old"), row("before")];
			await sessions.append("a", "events", [1, 2], { before, after: [row("after")] });
			await sessions.append("a", "events", [3], { after: [row("after")] });
			expect(pairs(await sessions.read("a", "rows"))).toEqual([
				[1, "old"],
				[2, "before"],
				[3, "after"],
			]);
			expect(pairs(await sessions.read("a", "events")).map(([, event]) => event)).toEqual([
				1, 2, 3,
			]);
		});

		it("writes nothing at all where the log has moved on", async () => {
			const { sessions, lease } = await leased();
			await sessions.append("a", "events", [1]);
			const settle = { version: 1, value: { name: "new" }, alarmMs: 60_000 };
			const options = { lease, ifLast: 0, settle, before: [row("x")], once: { key: "k" } };
			await expectError(sessions.append("a", "events", [2], options), "conflict");
			expect((await sessions.state("a", "rows")).last).toBe(0);
			expect(await sessions.state("a", "events")).toMatchObject({
				last: 1,
				lease: { holder: "h" },
			});
			expect((await sessions.get("a"))?.value).toEqual({ name: "Ä" });
			expect(await sessions.append("a", "events", [2], { ...options, ifLast: 1 })).toMatchObject({
				first: 2,
				repeated: false,
			});
		});

		it("takes the lease if nobody has it, and tells how the session stands", async () => {
			const sessions = await session();
			const swap = { register: "run", from: null, to: "r1" };
			const { taken } = await sessions.append("a", "events", [1], { swap, takeLease: HOLDER });
			expect(taken?.lease).toMatchObject({ id: "a", ...HOLDER });
			expect(taken?.record).toEqual(await sessions.get("a"));
			expect(taken?.registers).toEqual({ run: "r1" });
			const other = await sessions.append("a", "events", [2], { takeLease: HOLDER });
			expect(other.taken).toBeUndefined();
			await sessions.append("a", "events", [3], { lease: taken?.lease as Lease });
			await sessions.releaseLease(taken?.lease as Lease);
			const next = await sessions.append("a", "events", [4], { takeLease: HOLDER });
			expect(next.taken?.lease.token).toBeGreaterThan(taken?.lease.token ?? 0);
		});

		it("does nothing more for a key that was used before", async () => {
			const sessions = await session();
			const once = { key: "k" };
			await sessions.append("a", "events", [1], { once });
			const options = { once, takeLease: HOLDER, alarmMs: 1, after: [row("x")] };
			const again = await sessions.append("a", "events", [1], options);
			expect(again).toMatchObject({ first: 1, repeated: true });
			expect(again.taken).toBeUndefined();
			expect(await sessions.state("a", "rows")).toMatchObject({ last: 0, lease: null });
		});

		it("settles: the record, the alarm and the lease with the last event", async () => {
			const { sessions, lease } = await leased();
			await sessions.append("a", "events", [1], { lease, alarmMs: 60_000 });
			const settle = { version: 1, value: { name: "new" }, alarmMs: 60_000 };
			const settled = await sessions.append("a", "events", [2], { lease, ifLast: 1, settle });
			expect(settled).toMatchObject({ last: 2, recordChanged: false });
			expect(await sessions.get("a")).toMatchObject({ value: { name: "new" }, version: 2 });
			expect((await sessions.find("one"))?.version).toBe(2);
			expect((await sessions.state("a", "events")).lease).toBeNull();
			await expectError(sessions.append("a", "events", [3], { lease }), "lease_lost");
		});

		it("leaves a record that changed meanwhile, and says so", async () => {
			const { sessions, lease } = await leased();
			await sessions.update("a", (value) => ({ ...value, other: 1 }));
			const settle = { version: 1, value: { name: "new" }, alarmMs: 60_000 };
			const settled = await sessions.append("a", "events", [1], { lease, ifLast: 0, settle });
			expect(settled).toMatchObject({ last: 1, recordChanged: true });
			expect((await sessions.get("a"))?.value).toEqual({ name: "Ä", other: 1 });
			expect((await sessions.state("a", "events")).lease).toBeNull();
		});

		it("sets the alarm with the append", async () => {
			const sessions = await session();
			await sessions.append("a", "events", [1], { alarmMs: 1 });
			await eventually(async () => (await sessions.dueAlarms(10)).length === 1);
		});

		it("puts an alarm off only when nothing was appended since", async () => {
			const sessions = await session();
			await sessions.append("a", "events", [1], { alarmMs: 1 });
			await eventually(async () => (await sessions.dueAlarms(10)).length === 1);
			expect(await sessions.postponeAlarm("a", "events", 0, 60_000)).toBe(false);
			expect(await sessions.dueAlarms(10)).toEqual(["a"]);
			expect(await sessions.postponeAlarm("a", "events", 1, 60_000)).toBe(true);
			expect(await sessions.dueAlarms(10)).toEqual([]);
			await expectError(sessions.postponeAlarm("b", "events", 0, 1), "not_found");
		});

		it("takes an alarm away only when nothing was appended since", async () => {
			const sessions = await session();
			await sessions.append("a", "events", [1], { alarmMs: 1 });
			await eventually(async () => (await sessions.dueAlarms(10)).length === 1);
			expect(await sessions.postponeAlarm("a", "events", 0, null)).toBe(false);
			expect(await sessions.dueAlarms(10)).toEqual(["a"]);
			expect(await sessions.postponeAlarm("a", "events", 1, null)).toBe(true);
			expect(await sessions.dueAlarms(10)).toEqual([]);
		});

		it("refuses to settle without a lease and the last seq", async () => {
			const { sessions, lease } = await leased();
			const settle = { version: 1, value: {}, alarmMs: 1 };
			await expectError(sessions.append("a", "events", [1], { settle, ifLast: 0 }), "invalid");
			await expectError(sessions.append("a", "events", [1], { settle, lease }), "invalid");
		});
	});
}
