import { spawnNode } from "@baton/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MemoryStore } from "../../../src/session/memory-store";
import { SessionManager } from "../../../src/session/session-manager";
import type { SessionStore } from "../../../src/session/store";
import { mapping } from "../../session/mapping";

const params = {
	contextId: "c1",
	taskId: "t1",
	afSessionId: "af1",
	afAgentId: "agent",
	tenantId: "default",
};

const opened: SessionManager[] = [];
afterEach(() => {
	vi.useRealTimers();
	for (const manager of opened.splice(0)) manager.close();
});

function setUp(store: SessionStore = new MemoryStore()) {
	const lines: string[] = [];
	const note = (details: Record<string, unknown>, message: string) =>
		lines.push(`${message} ${JSON.stringify(details)}`);
	const manager = new SessionManager(store, { log: { info: note, warn: note }, ttlSeconds: 1_800 });
	opened.push(manager);
	return { manager, store, lines };
}

describe("SessionManager", () => {
	it("Create a new session, retrieve it by contextId", async () => {
		const { manager } = setUp();
		const created = await manager.createSession(params);
		expect(created).toMatchObject({
			a2aContextId: "c1",
			a2aTaskIds: ["t1"],
			afSessionId: "af1",
			afSequenceId: 0,
			afAgentId: "agent",
			tenantId: "default",
			state: "active",
		});
		expect(await manager.getByContextId("c1")).toEqual(created);
		expect(await manager.getByContextId("c2")).toBeNull();
	});

	it("Create a session, retrieve it by taskId", async () => {
		const { manager } = setUp();
		const created = await manager.createSession(params);
		expect(await manager.getByTaskId("t1")).toEqual(created);
		expect(await manager.getByTaskId("t2")).toBeNull();
	});

	it("Add multiple tasks to a context", async () => {
		const { manager } = setUp();
		await manager.createSession(params);
		await manager.addTask("c1", "t2");
		await manager.addTask("c1", "t3");
		await manager.addTask("c1", "t2");
		expect((await manager.getByContextId("c1"))?.a2aTaskIds).toEqual(["t1", "t2", "t3"]);
		for (const task of ["t1", "t2", "t3"]) {
			expect((await manager.getByTaskId(task))?.a2aContextId).toBe("c1");
		}
		await expect(manager.addTask("unknown", "t4")).rejects.toMatchObject({ code: "not_found" });
	});

	it("Increment sequenceId correctly", async () => {
		const { manager } = setUp();
		await manager.createSession(params);
		expect(await manager.nextSequenceId("c1")).toBe(1);
		expect(await manager.nextSequenceId("c1")).toBe(2);
		const more = await Promise.all(Array.from({ length: 48 }, () => manager.nextSequenceId("c1")));
		expect(more).toEqual(Array.from({ length: 48 }, (_, i) => i + 3));
		expect((await manager.getByContextId("c1"))?.afSequenceId).toBe(50);
		await expect(manager.nextSequenceId("unknown")).rejects.toMatchObject({ code: "not_found" });
	});

	it("Session expiry and cleanup", async () => {
		const { manager, store, lines } = setUp();
		await manager.createSession(params);
		await store.update("c1", { lastActivity: Date.now() - 1_801_000 });
		// Expired before anybody has cleaned up: read as such, and never used again.
		expect(await manager.getByContextId("c1")).toMatchObject({ state: "expired" });
		await expect(manager.nextSequenceId("c1")).rejects.toMatchObject({ code: "conflict" });
		expect(await manager.cleanupExpired()).toBe(1);
		expect(lines).toEqual(['Expired sessions were cleaned up. {"removed":1}']);
		expect(await manager.getByContextId("c1")).toBeNull();
		expect(await manager.getByTaskId("t1")).toBeNull();
	});

	it("Update task state and retrieve it", async () => {
		const { manager } = setUp();
		await manager.createSession(params);
		await manager.updateTaskState("c1", { state: "working" });
		expect((await manager.getByContextId("c1"))?.lastTaskState).toEqual({ state: "working" });
		const artifacts = [{ artifactId: "a1", parts: [{ kind: "text", text: "Hi" }] }];
		await manager.updateTaskState("c1", { state: "completed" }, artifacts);
		expect(await manager.getByTaskId("t1")).toMatchObject({
			lastTaskState: { state: "completed" },
			artifacts,
		});
	});

	it("keeps each task's own state when a newer task comes", async () => {
		const { manager } = setUp();
		await manager.createSession(params);
		await manager.updateTaskState("c1", { state: "working" }, [{ artifactId: "a1" }]);
		await manager.addTask("c1", "t2");
		await manager.updateTaskState("c1", { state: "failed" });
		await manager.updateTaskState("c1", { state: "completed" }, undefined, "t1");
		expect(await manager.getTaskState("t1")).toEqual({
			state: { state: "completed" },
			artifacts: [{ artifactId: "a1" }],
		});
		expect(await manager.getTaskState("t2")).toEqual({ state: { state: "failed" } });
		const found = await manager.getByContextId("c1");
		expect(found?.lastTaskState).toEqual({ state: "failed" });
		expect(found?.artifacts).toBeUndefined();
		await expect(
			manager.updateTaskState("c1", { state: "failed" }, undefined, "t3"),
		).rejects.toMatchObject({ code: "not_found" });
	});

	it("never uses a closed session again: the next one keeps the tasks and counts from one", async () => {
		const { manager } = setUp();
		await manager.createSession(params);
		await manager.nextSequenceId("c1");
		await manager.closeSession("c1", "completed");
		await manager.closeSession("c1", "expired");
		expect(await manager.getByContextId("c1")).toMatchObject({ state: "completed" });
		await expect(manager.nextSequenceId("c1")).rejects.toMatchObject({ code: "conflict" });
		await expect(manager.addTask("c1", "t2")).rejects.toMatchObject({ code: "conflict" });
		const next = await manager.createSession({ ...params, taskId: "t2", afSessionId: "af2" });
		expect(next).toMatchObject({
			afSessionId: "af2",
			a2aTaskIds: ["t1", "t2"],
			afSequenceId: 0,
			state: "active",
		});
		expect(await manager.nextSequenceId("c1")).toBe(1);
		await manager.closeSession("unknown", "completed");
	});

	it("makes one session of a context, and tells a second maker which", async () => {
		const { manager } = setUp();
		const [first, second] = await Promise.all([
			manager.createSession(params),
			manager.createSession({ ...params, taskId: "t2", afSessionId: "af2" }),
		]);
		expect([first.afSessionId, second.afSessionId]).toEqual(["af1", "af1"]);
		expect(second.a2aTaskIds).toEqual(["t1", "t2"]);
	});

	it("stays small however many tasks and artifacts a context has", async () => {
		const { manager } = setUp();
		await manager.createSession(params);
		for (let i = 2; i <= 130; i++) {
			await manager.addTask("c1", `t${i}`);
			await manager.updateTaskState("c1", { state: "completed" }, [{ text: "x".repeat(9_000) }]);
		}
		const found = await manager.getByContextId("c1");
		expect(found?.a2aTaskIds).toHaveLength(100);
		expect(Object.keys(found?.taskStates ?? {})).toHaveLength(100);
		expect(JSON.stringify(found).length).toBeLessThan(300_000);
		expect(await manager.getTaskState("t31")).toMatchObject({ artifactsOmitted: true });
		expect((await manager.getTaskState("t130"))?.artifacts).toHaveLength(1);
		expect(await manager.getByTaskId("t2")).toBeNull();
	});

	it("works on a store that has the seed's methods alone", async () => {
		const { get, set, update, getByTaskId, cleanup, delete: remove } = MemoryStore.prototype;
		const memory = new MemoryStore();
		const seedStore: SessionStore = {
			get: get.bind(memory),
			set: set.bind(memory),
			update: update.bind(memory),
			delete: remove.bind(memory),
			getByTaskId: getByTaskId.bind(memory),
			cleanup: cleanup.bind(memory),
		};
		const { manager } = setUp(seedStore);
		await manager.createSession(params);
		const numbers = await Promise.all(
			Array.from({ length: 20 }, () => manager.nextSequenceId("c1")),
		);
		expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
	});
});

describe("the periodic clean-up", () => {
	it("runs every five minutes, says how many it removed, and stops", async () => {
		vi.useFakeTimers();
		const { manager, store, lines } = setUp();
		await store.set("c1", mapping("c1", { lastActivity: Date.now() - 1_700_000 }));
		await vi.advanceTimersByTimeAsync(299_000);
		expect(lines).toEqual([]);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(lines).toEqual(['Expired sessions were cleaned up. {"removed":1}']);
		await vi.advanceTimersByTimeAsync(300_000);
		expect(lines).toHaveLength(2);
		manager.close();
		await vi.advanceTimersByTimeAsync(900_000);
		expect(lines).toHaveLength(2);
	});

	it("goes on after a failure, and says that it failed", async () => {
		vi.useFakeTimers();
		const store = new MemoryStore();
		const { lines } = setUp(store);
		const cleanup = vi.spyOn(store, "cleanup").mockRejectedValueOnce(new Error("away"));
		await vi.advanceTimersByTimeAsync(600_000);
		expect(cleanup).toHaveBeenCalledTimes(2);
		expect(lines[0]).toMatch(/could not be cleaned up/);
		expect(lines[1]).toMatch(/removed/);
	});

	it("is cleared on process exit, and keeps no process alive", async () => {
		const child = spawnNode({
			cwd: new URL("../../..", import.meta.url).pathname,
			code: `
				import { MemoryStore, SessionManager } from "@baton/a2a-agentforce/session";
				const cleared = [];
				const clear = clearInterval;
				globalThis.clearInterval = (timer) => { cleared.push(timer); clear(timer); };
				new SessionManager(new MemoryStore());
				new SessionManager(new MemoryStore());
				process.on("exit", () => console.log("cleared " + cleared.length));
			`,
		});
		expect(await child.waitForLine("cleared")).toBe("cleared 2");
		expect(await child.exited).toEqual({ code: 0, signal: null });
	});
});
