import { type Agent, type SessionValue, Turns } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import {
	cancelTask,
	connect,
	data,
	getTask,
	listTasks,
	part,
	request,
	say,
	send,
} from "./door-client";
import { ADA, type DoorFixture, openDoor } from "./door-fixture";
import { configOf } from "./push-fixture";
import { CANCELED, COMPLETED, collect, statesOf, textOf, WORKING } from "./task-updates";

describe("tasks of the A2A door", () => {
	let fixture: DoorFixture;
	afterEach(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});

	it("are kept as long as their session, where it has a time to live", async () => {
		const store = await openStore({ driver: "memory" });
		for (const ttlMs of [60_000, null]) {
			const sessions = store.collection<SessionValue>("sessions");
			const turns = new Turns({
				sessions,
				agents: () => createDemoAgent(),
				holder: "test",
				log: { warn: () => {} },
				...(ttlMs !== null && { sessionTtlMs: ttlMs }),
			});
			fixture = await openDoor({ store, turns, push: { allowPrivate: true } });
			const client = await connect(fixture.url);
			const { id } = await send(client, say("/wait 60s"), { returnImmediately: true });
			const url = "http://127.0.0.1:9/";
			await client.createTaskPushNotificationConfig(configOf(id, url));
			for (const name of ["a2a-tasks", "a2a-push"]) {
				expect((await store.collection(name).get(id))?.ttlMs ?? null).toBe(ttlMs);
			}
			await cancelTask(client, id);
			await fixture.close();
			await turns.close();
		}
		await store.close();
	});

	it("refuse a message while they work", async () => {
		fixture = await openDoor();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("/wait 60s"), { returnImmediately: true });
		await expect(send(client, say("hurry", { taskId: id }))).rejects.toThrow(/at work/);
		await cancelTask(client, id);
	});

	it("go on when their caller goes away, streaming or waiting", async () => {
		fixture = await openDoor();
		const client = await connect(fixture.url);
		const gone = new AbortController();
		const text = "count to 40 every 10ms";
		const waiting = client.sendMessage(request(say(text, { contextId: "w" })), {
			signal: gone.signal,
		});
		waiting.catch(() => {});
		let id = "";
		for await (const { payload } of client.sendMessageStream(
			request(say(text, { contextId: "s" })),
		)) {
			if (payload?.$case === "task") id = payload.value.id;
			if (payload?.$case === "artifactUpdate") break;
		}
		gone.abort();
		const read = () => getTask(client, id);
		await waitFor(async () => (await read()).status?.state === COMPLETED);
		expect(textOf(await read())).toMatch(/^1 2 .* 40$/);
		const { tasks } = await listTasks(client, { contextId: "w" });
		await waitFor(
			async () =>
				(await listTasks(client, { contextId: "w" })).tasks[0]?.status?.state === COMPLETED,
		);
		expect(tasks).toHaveLength(1);
	});

	it("are listed newest status first, page by page, each once", async () => {
		fixture = await openDoor();
		const client = await connect(fixture.url);
		const ids: string[] = [];
		for (let i = 0; i < 7; i++) {
			const { id } = await send(client, say("count to 2", { contextId: i % 2 ? "odd" : "even" }));
			ids.unshift(id);
		}
		const open = await send(client, say("/wait 60s"), { returnImmediately: true });
		const seen: string[] = [];
		let pageToken = "";
		do {
			const page = await listTasks(client, { pageSize: 3, pageToken });
			expect(page.totalSize).toBe(8);
			seen.push(...page.tasks.map(({ id }) => id));
			pageToken = page.nextPageToken;
		} while (pageToken !== "");
		expect(seen).toEqual([open.id, ...ids]);
		const odd = await listTasks(client, { contextId: "odd", includeArtifacts: true });
		expect(odd.tasks.map(textOf)).toEqual(["1 2", "1 2", "1 2"]);
		expect((await listTasks(client, { status: WORKING })).tasks.map(({ id }) => id)).toEqual([
			open.id,
		]);
		expect((await listTasks(client, { status: COMPLETED })).totalSize).toBe(7);
		const later = new Date(Date.now() + 60_000).toISOString();
		expect((await listTasks(client, { statusTimestampAfter: later })).tasks).toEqual([]);
		for (const wrong of [
			{ pageSize: 101 },
			{ pageToken: "nonsense" },
			{ statusTimestampAfter: "x" },
		]) {
			await expect(listTasks(client, wrong)).rejects.toThrow();
		}
		await cancelTask(client, open.id);
		const over = await listTasks(client, {});
		expect(over.tasks[0]).toMatchObject({ id: open.id, status: { state: CANCELED } });
	});

	it("show text and data of a message to the agent, and refuse files it cannot read", async () => {
		const echo: Agent = {
			name: "echo",
			recovery: "retry",
			async *run({ input }) {
				yield { type: "message", role: "assistant", content: JSON.stringify(input) };
				return undefined;
			},
		};
		fixture = await openDoor({ agent: echo });
		const client = await connect(fixture.url);
		const file = (mediaType: string) => ({
			content: { $case: "raw" as const, value: Buffer.from("a,b") },
			metadata: undefined,
			filename: "x",
			mediaType,
		});
		const parts = [part("see this"), data({ a: 1 }), file("text/csv")];
		const task = await send(client, say("", { parts }));
		expect(JSON.parse(textOf(task))).toEqual({
			content: "see this",
			document: '{"a":1}\n\nx:\na,b',
		});
		const picture = send(client, say("", { parts: [part("see"), file("image/png")] }));
		await expect(picture).rejects.toThrow(/not supported/);
	});

	it("keep a silent stream alive with heartbeats", async () => {
		fixture = await openDoor({ heartbeatMs: 20 });
		for (const [path, body] of [
			["/", { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: {} }],
			["/message:stream", {}],
		] as const) {
			const message = {
				messageId: `h${path}`,
				role: "ROLE_USER",
				parts: [{ text: "/wait 500ms" }],
			};
			const filled = "params" in body ? { ...body, params: { message } } : { message };
			const response = await fetch(fixture.url + path, {
				method: "POST",
				headers: {
					authorization: `Bearer ${ADA}`,
					"a2a-version": "1.0",
					"content-type": "application/json",
				},
				body: JSON.stringify(filled),
			});
			const text = await response.text();
			expect(text.match(/: heartbeat\n\n/g)?.length).toBeGreaterThan(2);
			expect(text).toContain("TASK_STATE_COMPLETED");
		}
	});

	it("are no longer taken once the server drains, and those under way end", async () => {
		fixture = await openDoor();
		const client = await connect(fixture.url);
		const under = collect(client.sendMessageStream(request(say("count to 30 every 10ms"))));
		await waitFor(async () => (await listTasks(client, {}).catch(() => null))?.tasks.length === 1);
		fixture.door.drain();
		const refused = await fetch(`${fixture.url}/message:send`, {
			method: "POST",
			headers: { authorization: `Bearer ${ADA}`, "content-type": "application/json" },
			body: "{}",
		});
		expect(refused.status).toBe(503);
		expect(statesOf(await under).at(-1)).toBe(COMPLETED);
		const health = await fetch(`${fixture.url}/health`);
		expect([health.status, await health.json()]).toMatchObject([503, { status: "stopping" }]);
	});
});
