import { describe, expect, it } from "vitest";
import type { ContractContext } from "./contract-subject";
import { eventually } from "./observe";

export function alarmContract({ open }: ContractContext): void {
	describe("alarms", () => {
		it("come due at their time, earliest first, and stay until cleared", async () => {
			const sessions = (await open()).store.collection("sessions");
			for (const id of ["a", "b", "c"]) await sessions.create(id, {});
			expect(await sessions.dueAlarms(10)).toEqual([]);
			await sessions.setAlarm("a", 40);
			await sessions.setAlarm("b", 1);
			await sessions.setAlarm("c", 60_000);
			await eventually(async () => (await sessions.dueAlarms(10)).length === 2);
			expect(await sessions.dueAlarms(10)).toEqual(["b", "a"]);
			expect(await sessions.dueAlarms(1)).toEqual(["b"]);
			await sessions.clearAlarm("b");
			expect(await sessions.dueAlarms(10)).toEqual(["a"]);
		});

		it("are replaced when set again", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.setAlarm("a", 1);
			await eventually(async () => (await sessions.dueAlarms(10)).length === 1);
			await sessions.setAlarm("a", 60_000);
			expect(await sessions.dueAlarms(10)).toEqual([]);
		});

		it("go with their session", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {});
			await sessions.create("b", {}, { ttlMs: 50 });
			await sessions.setAlarm("a", 1);
			await sessions.setAlarm("b", 1);
			await sessions.delete("a");
			await eventually(async () => (await sessions.get("b")) === null);
			expect(await sessions.dueAlarms(10)).toEqual([]);
		});
	});
}
