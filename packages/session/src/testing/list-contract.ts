import { describe, expect, it } from "vitest";
import type { Collection } from "../port";
import type { ContractContext } from "./contract-subject";
import { expectError } from "./observe";

export function listContract({ open }: ContractContext): void {
	describe("list", () => {
		it("lists newest first, ties by id, in pages that join up", async () => {
			const sessions = (await open()).store.collection("sessions");
			const times = [30, 10, 20, 20, 20, 40, 5];
			for (const [i, createdAt] of times.entries()) {
				await sessions.create(`s${i}`, { i }, { createdAt });
			}
			const expected = ["s5", "s0", "s4", "s3", "s2", "s1", "s6"];
			for (const limit of [1, 2, 3, 7, 50]) {
				expect(await listAll(sessions, limit)).toEqual(expected);
			}
		});

		it("lists only the group that is asked for", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", {}, { group: "ada" });
			await sessions.create("b", {}, { group: "bob" });
			await sessions.create("c", {});
			expect(await listAll(sessions, 10, "ada")).toEqual(["a"]);
			expect(await listAll(sessions, 10, "bob")).toEqual(["b"]);
			expect(await listAll(sessions, 10)).toEqual(["c"]);
		});

		it("goes on after its cursor when records come and go between pages", async () => {
			const sessions = (await open()).store.collection("sessions");
			for (let i = 1; i <= 6; i++) await sessions.create(`s${i}`, {}, { createdAt: i });
			const page = await sessions.list({ limit: 3 });
			expect(page.records.map((record) => record.id)).toEqual(["s6", "s5", "s4"]);
			await sessions.create("s7", {}, { createdAt: 7 });
			await sessions.delete("s4");
			await sessions.delete("s2");
			const rest = await sessions.list({ limit: 3, cursor: page.cursor ?? "" });
			expect(rest.records.map((record) => record.id)).toEqual(["s3", "s1"]);
			expect(rest.cursor).toBeNull();
		});

		it("shows the current value", async () => {
			const sessions = (await open()).store.collection("sessions");
			await sessions.create("a", { n: 1 });
			const updated = await sessions.update("a", () => ({ n: 2 }));
			expect((await sessions.list()).records).toEqual([updated]);
		});

		it("is refused for a collection that is not listed, which has its records all the same", async () => {
			const notes = (await open()).store.collection("notes", { listed: false });
			await notes.create("a", { n: 1 }, { group: "ada", aliases: ["first"] });
			await expectError(notes.list({ group: "ada" }), "invalid");
			expect((await notes.get("a"))?.value).toEqual({ n: 1 });
			expect((await notes.find("first"))?.id).toBe("a");
			await expectError(notes.create("a", {}), "already_exists");
			await notes.delete("a");
			expect(await notes.get("a")).toBeNull();
		});

		it("refuses a cursor or a limit of its own making", async () => {
			const sessions = (await open()).store.collection("sessions");
			await expectError(sessions.list({ cursor: "made-up" }), "invalid");
			await expectError(sessions.list({ limit: 0 }), "invalid");
			await expectError(sessions.list({ limit: 1_001 }), "invalid");
		});
	});
}

async function listAll(sessions: Collection, limit: number, group?: string): Promise<string[]> {
	const ids: string[] = [];
	let cursor: string | undefined;
	do {
		const page = await sessions.list({ limit, ...(group && { group }), ...(cursor && { cursor }) });
		ids.push(...page.records.map((record) => record.id));
		// A cursor that leads back to its own page would go on for ever.
		expect(new Set(ids).size).toBe(ids.length);
		cursor = page.cursor ?? undefined;
	} while (cursor);
	return ids;
}
