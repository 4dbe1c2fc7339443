import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../../src/session/memory-store";
import { mapping } from "../../session/mapping";

const store = () => new MemoryStore();

describe("MemoryStore", () => {
	it("creates, reads, updates and deletes", async () => {
		const memory = store();
		await memory.set("c1", mapping("c1", { a2aTaskIds: ["t1"] }));
		expect(await memory.get("c1")).toEqual(await memory.getByTaskId("t1"));
		await memory.update("c1", { afSessionId: "af2", a2aTaskIds: ["t2"] });
		expect(await memory.get("c1")).toMatchObject({ afSessionId: "af2", tenantId: "default" });
		expect((await memory.getByTaskId("t2"))?.a2aContextId).toBe("c1");
		expect(await memory.getByTaskId("t1")).toBeNull();
		await memory.delete("c1");
		expect(await memory.get("c1")).toBeNull();
		expect(await memory.getByTaskId("t2")).toBeNull();
	});

	it("Store returns null for unknown keys", async () => {
		const memory = store();
		expect(await memory.get("unknown")).toBeNull();
		expect(await memory.getByTaskId("unknown")).toBeNull();
	});

	it("cleanup removes what had no activity for longer, tasks too, and counts it", async () => {
		const memory = store();
		const old = Date.now() - 3_600_000;
		await memory.set("old", mapping("old", { a2aTaskIds: ["t-old"], lastActivity: old }));
		await memory.set("new", mapping("new"));
		await memory
			.forTenant("acme")
			.set("old", mapping("old", { lastActivity: old, tenantId: "acme" }));
		expect(await memory.cleanup(7_200)).toBe(0);
		expect(await memory.cleanup(1_800)).toBe(2);
		expect(await memory.get("old")).toBeNull();
		expect(await memory.getByTaskId("t-old")).toBeNull();
		expect(await memory.get("new")).not.toBeNull();
		expect(await memory.cleanup(1_800)).toBe(0);
	});
});
