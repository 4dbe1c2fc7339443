import { requirePart, waitFor } from "@baton/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionManager } from "../../src/session";
import { mapping } from "./mapping";
import { STORES, stopServers, type TestStore } from "./stores";

const kinds = requirePart("redis-server") ? Object.keys(STORES) : ["memory", "files"];
const NEVER = new AbortController().signal;

afterAll(stopServers);

describe.each(kinds)("mappings on %s", (kind) => {
	let test: TestStore;
	const disposals: (() => Promise<void>)[] = [];
	beforeEach(async () => {
		test = await open();
	});
	afterEach(async () => {
		for (const dispose of disposals.splice(0)) await dispose();
	});

	async function open(ttlSeconds = 1_800): Promise<TestStore> {
		const opened = await STORES[kind]!(ttlSeconds);
		disposals.push(opened.dispose);
		return opened;
	}

	it("come back as they went in, by context and by task", async () => {
		const { store, second = store } = test;
		const session = mapping("c1", {
			a2aTaskIds: ["t1", "task: ümlaut 2"],
			artifacts: [],
			lastTaskState: { state: "working", text: "“ \u2028 😀" },
		});
		await store.set("c1", session);
		expect(await second.get("c1")).toEqual(session);
		expect(await second.getByTaskId("t1")).toEqual(session);
		expect(await second.getByTaskId("task: ümlaut 2")).toEqual(session);
		expect(await second.get("c2")).toBeNull();
		expect(await second.getByTaskId("c1")).toBeNull();
	});

	it("are copies: what a caller does to one changes nothing", async () => {
		const { store } = test;
		const session = mapping("c1");
		await store.set("c1", session);
		session.a2aTaskIds.push("t1");
		(await store.get("c1"))?.a2aTaskIds.push("t2");
		expect((await store.get("c1"))?.a2aTaskIds).toEqual([]);
	});

	it("are replaced by set, tasks too", async () => {
		const { store, second = store } = test;
		await store.set("c1", mapping("c1", { a2aTaskIds: ["t1", "t2"] }));
		await second.set("c1", mapping("c1", { a2aTaskIds: ["t2", "t3"] }));
		expect(await store.getByTaskId("t1")).toBeNull();
		expect((await store.getByTaskId("t3"))?.a2aTaskIds).toEqual(["t2", "t3"]);
	});

	it("are found under any text that names a context", async () => {
		const { store } = test;
		const names = ["a/b:c d", "x_plain", "ü".repeat(300), "../../etc/passwd", "{tag}"];
		for (const name of names) await store.set(name, mapping(name, { a2aTaskIds: [`t ${name}`] }));
		for (const name of names) {
			expect((await store.get(name))?.a2aContextId).toBe(name);
			expect((await store.getByTaskId(`t ${name}`))?.a2aContextId).toBe(name);
		}
		await expect(store.set("", mapping(""))).rejects.toMatchObject({ code: "invalid" });
		await expect(store.set("c1", mapping("c2"))).rejects.toMatchObject({ code: "invalid" });
	});

	it("merge updates of many writers at once, none lost", async () => {
		const { store, second = store } = test;
		await store.set("c1", mapping("c1", { lastActivity: 1 }));
		await Promise.all([
			...Array.from({ length: 10 }, (_, i) => store.update("c1", { [`a${i}`]: i })),
			...Array.from({ length: 10 }, (_, i) => second.update("c1", { [`b${i}`]: i })),
		]);
		const found = (await store.get("c1")) as unknown as Record<string, unknown>;
		for (let i = 0; i < 10; i++) expect([found[`a${i}`], found[`b${i}`]]).toEqual([i, i]);
		expect(found.lastActivity).toBeGreaterThan(Date.now() - 60_000);
		await expect(store.update("c2", {})).rejects.toMatchObject({ code: "not_found" });
	});

	it("refuse a task of another context", async () => {
		const { store, second = store } = test;
		await store.set("c1", mapping("c1", { a2aTaskIds: ["t1"] }));
		await expect(second.set("c2", mapping("c2", { a2aTaskIds: ["t1"] }))).rejects.toMatchObject({
			code: "already_exists",
		});
		expect((await store.getByTaskId("t1"))?.a2aContextId).toBe("c1");
		expect(await store.get("c2")).toBeNull();
	});

	it("are gone after delete, and their tasks are free", async () => {
		const { store } = test;
		await store.set("c1", mapping("c1", { a2aTaskIds: ["t1"] }));
		await store.delete("c1");
		await store.delete("c1");
		expect([await store.get("c1"), await store.getByTaskId("t1")]).toEqual([null, null]);
		await store.set("c2", mapping("c2", { a2aTaskIds: ["t1"] }));
		expect((await store.getByTaskId("t1"))?.a2aContextId).toBe("c2");
	});

	it("are cleaned up when they are older than asked, and counted", async () => {
		const { store } = test;
		const lastActivity = Date.now() - 60_000;
		for (let i = 0; i < 5; i++) {
			await store.set(`old${i}`, mapping(`old${i}`, { a2aTaskIds: [`t${i}`], lastActivity }));
		}
		await store.set("new", mapping("new"));
		expect(await store.cleanup(30)).toBe(5);
		expect(await store.cleanup(30)).toBe(0);
		expect([await store.get("old1"), await store.getByTaskId("t1")]).toEqual([null, null]);
		expect(await store.get("new")).not.toBeNull();
		await store.set("old1", mapping("old1", { a2aTaskIds: ["t1"] }));
		expect((await store.getByTaskId("t1"))?.a2aContextId).toBe("old1");
	});

	it("of two tenants never meet", async () => {
		const { store, second = store } = test;
		const acme = store.forTenant("acme");
		await store.set("c1", mapping("c1", { a2aTaskIds: ["t1"] }));
		await acme.set("c1", mapping("c1", { a2aTaskIds: ["t1"], afSessionId: "acme's" }));
		expect((await second.forTenant("acme").getByTaskId("t1"))?.afSessionId).toBe("acme's");
		expect((await second.get("c1"))?.afSessionId).toBe("af-c1");
		expect(await store.forTenant("acme:c1").get("c1")).toBeNull();
		await acme.delete("c1");
		expect(await store.getByTaskId("t1")).not.toBeNull();
	});

	it("are made once by two makers, whoever is first", async () => {
		const { store, second = store } = test;
		const managers = [store, second].map((one) => new SessionManager(one, { cleanup: false }));
		for (let round = 0; round < 10; round++) {
			const contextId = `c${round}`;
			const made = await Promise.all(
				managers.map((manager, i) =>
					manager.createSession({
						contextId,
						taskId: `t${round}-${i}`,
						afSessionId: `af${i}`,
						afAgentId: "agent",
						tenantId: "default",
					}),
				),
			);
			expect(made[0]?.afSessionId).toBe(made[1]?.afSessionId);
			expect((await store.get(contextId))?.a2aTaskIds.toSorted()).toEqual([
				`t${round}-0`,
				`t${round}-1`,
			]);
		}
	});

	it("are held by one at a time", async () => {
		const { store, second = store } = test;
		await store.set("c1", mapping("c1"));
		await store.set("c2", mapping("c2"));
		const hold = await store.hold("c1", NEVER);
		const order: string[] = [];
		const waiting = second.hold("c1", NEVER).then((next) => {
			order.push("second");
			return next;
		});
		await (await second.hold("c2", NEVER)).release();
		await expect(second.hold("c1", AbortSignal.timeout(50))).rejects.toThrow(/timeout/);
		order.push("first leaves");
		await hold.release();
		await (await waiting).release();
		expect(order).toEqual(["first leaves", "second"]);
		await expect(store.hold("c3", NEVER)).rejects.toMatchObject({ code: "not_found" });
	});

	/** Memory lets a manager judge what is too old, and keeps it until it is cleaned up. */
	const itIfExpiring = kind === "memory" ? () => {} : it;

	itIfExpiring("live as long as they are written to, tasks with them", async () => {
		const { store } = await open(2);
		await store.set("c1", mapping("c1", { a2aTaskIds: ["t1"] }));
		for (let i = 0; i < 3; i++) {
			await new Promise((resolve) => setTimeout(resolve, 800));
			await store.update("c1", { afSequenceId: i });
		}
		expect((await store.getByTaskId("t1"))?.afSequenceId).toBe(2);
		await waitFor(async () => (await store.get("c1")) === null, { what: "the mapping to expire" });
		expect(await store.getByTaskId("t1")).toBeNull();
	});
});
