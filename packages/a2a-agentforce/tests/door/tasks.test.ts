import { TaskState } from "@a2a-js/sdk";
import { type Agent, type SessionValue, Turns } from "@baton/agent";
import { createDemoAgent } from "@baton/agent/demo";
import { openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import {
	ADA,
	asking,
	BINDINGS,
	collect,
	connect,
	type DoorFixture,
	data,
	listTasks,
	openDoor,
	part,
	request,
	say,
	send,
	statesOf,
	streamedText,
	textOf,
} from "./door-fixture";

const {
	TASK_STATE_CANCELED: CANCELED,
	TASK_STATE_COMPLETED: COMPLETED,
	TASK_STATE_INPUT_REQUIRED: INPUT_REQUIRED,
	TASK_STATE_WORKING: WORKING,
} = TaskState;

describe("tasks of the A2A door", () => {
	let fixture: DoorFixture;
	afterEach(async () => {
		await fixture.close();
		expect(fixture.warnings).toEqual([]);
	});

	describe.each(BINDINGS)("that wait for their caller, in $version over $transport", (binding) => {
		it("end a question as input-required, and go on with the reply in the same task", async () => {
			fixture = await openDoor({ agent: asking });
			const client = await connect(fixture.url, binding);
			const asked = await send(client, say("I want a pet"));
			expect(asked.status?.state).toBe(INPUT_REQUIRED);
			expect(asked.status?.message?.parts[0]?.content?.value).toBe("Cat or dog?");
			const reply = say("cat", { taskId: asked.id, contextId: asked.contextId });
			const done = await send(client, reply);
			expect(done.id).toBe(asked.id);
			expect(done.status?.state).toBe(COMPLETED);
			expect(textOf(done)).toBe("Cat or dog?A cat it is.");
			expect(done.artifacts[1]?.parts[1]?.content?.value).toEqual({
				type: "citations",
				references: [{ link: "https://pets.example" }],
			});
			expect(done.history).toHaveLength(2);
			expect(await send(client, reply)).toEqual(done);
			await expect(send(client, say("dog", { taskId: asked.id }))).rejects.toThrow(/has ended/);
		});
	});

	it("stream a question and its reply, each to where the caller is needed", async () => {
		fixture = await openDoor({ agent: asking });
		const client = await connect(fixture.url);
		const first = await collect(client.sendMessageStream(request(say("I want a pet"))));
		expect(statesOf(first).at(-1)).toBe(INPUT_REQUIRED);
		expect(JSON.stringify(first)).toContain("Looking at pets");
		const [{ payload } = {}] = first;
		const taskId = payload?.$case === "task" ? payload.value.id : "";
		const second = await collect(client.sendMessageStream(request(say("dog", { taskId }))));
		expect(statesOf(second).at(-1)).toBe(COMPLETED);
		expect(streamedText(second)).toBe("Cat or dog?A dog it is.");
	});

	it("refuse a reply under another context, and can be cancelled while they wait", async () => {
		fixture = await openDoor({ agent: asking });
		const client = await connect(fixture.url);
		const { id } = await send(client, say("I want a pet"));
		const other = send(client, say("cat", { taskId: id, contextId: "another" }));
		await expect(other).rejects.toThrow(/another contextId/);
		const following = collect(client.resubscribeTask({ tenant: "", id }));
		const cancelled = await client.cancelTask({ tenant: "", id, metadata: undefined });
		expect(cancelled.status?.state).toBe(CANCELED);
		expect(statesOf(await following)).toEqual([INPUT_REQUIRED, CANCELED]);
		await expect(send(client, say("cat", { taskId: id }))).rejects.toThrow(/has ended/);
	});

	it("take the answer to an agent's request as a data part", async () => {
		fixture = await openDoor();
		const client = await connect(fixture.url);
		const asked = await send(client, say("Fill in the form: my name is Grace Hopper"));
		expect(asked.status?.state).toBe(INPUT_REQUIRED);
		const wanted = asked.status?.message?.parts[1]?.content?.value;
		expect(wanted).toMatchObject({ type: "snapshot_request", requestId: expect.any(String) });
		const answer = (parts: ReturnType<typeof part>[]) =>
			send(client, say("", { taskId: asked.id, parts }));
		await expect(answer([part("no idea")])).rejects.toThrow(/snapshot_response/);
		const field = {
			fieldId: "f1",
			selector: "#name",
			kind: "text",
			label: "Full name",
			required: false,
			currentValue: "",
		};
		const next = await answer([data({ type: "snapshot_response", fields: [field] })]);
		expect(next.status?.state).toBe(INPUT_REQUIRED);
		expect(next.status?.message?.parts[1]?.content?.value).toMatchObject({
			type: "execute_request",
			actions: [{ action: "fill", fieldId: "f1", value: "Grace Hopper" }],
		});
		const report = { applied: 1, skipped: 0, warnings: [] };
		const done = await answer([data({ type: "execute_response", report })]);
		expect(done.status?.state).toBe(COMPLETED);
	});

	it("take the same answer again as the same, and never as one to the next request", async () => {
		const answers: unknown[] = [];
		const twice: Agent = {
			name: "twice",
			recovery: "fail",
			async *run(turn) {
				for (const instruction of ["first", "second"]) {
					answers.push(await turn.ask({ type: "snapshot_request", instruction }));
				}
				yield { type: "message", role: "assistant", content: "Thanks." };
				return undefined;
			},
		};
		fixture = await openDoor({ agent: twice });
		const client = await connect(fixture.url);
		const { id } = await send(client, say("hi"));
		const snapshot = (label: string) => ({
			type: "snapshot_response",
			fields: [
				{ fieldId: "f", selector: "#f", kind: "text", label, required: false, currentValue: "" },
			],
		});
		const first = say("", { taskId: id, parts: [data(snapshot("one"))] });
		const wanted = (task: Awaited<ReturnType<typeof send>>) =>
			JSON.stringify(task.status?.message?.parts[1]?.content?.value);
		const asked = await send(client, first);
		expect(wanted(asked)).toContain("second");
		const [again, atOnce] = await Promise.all([send(client, first), send(client, first)]);
		for (const task of [again, atOnce]) {
			expect(task.status?.state).toBe(INPUT_REQUIRED);
			expect(wanted(task)).toBe(wanted(asked));
		}
		const other = { ...first, parts: [data(snapshot("another"))] };
		await expect(send(client, other)).rejects.toThrow(/answered already/);
		expect(answers).toHaveLength(1);
		const second = say("", { taskId: id, parts: [data(snapshot("two"))] });
		expect((await send(client, second)).status?.state).toBe(COMPLETED);
		// Also when the task has ended.
		for (const message of [first, second]) {
			expect((await send(client, message)).status?.state).toBe(COMPLETED);
		}
		expect(answers).toHaveLength(2);
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
			const config = { tenant: "", taskId: id, id: "", url, token: "", authentication: undefined };
			await client.createTaskPushNotificationConfig(config);
			for (const name of ["a2a-tasks", "a2a-push"]) {
				expect((await store.collection(name).get(id))?.ttlMs ?? null).toBe(ttlMs);
			}
			await client.cancelTask({ tenant: "", id, metadata: undefined });
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
		await client.cancelTask({ tenant: "", id, metadata: undefined });
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
		const read = () => client.getTask({ tenant: "", id, historyLength: undefined });
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
		await client.cancelTask({ tenant: "", id: open.id, metadata: undefined });
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
