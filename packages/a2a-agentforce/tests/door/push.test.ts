import { openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { BINDINGS, cancelTask, connect, say, send } from "./door-client";
import { type DoorFixture, openDoor } from "./door-fixture";
import {
	askingOnce,
	configOf,
	FAST,
	type Post,
	startSwitching,
	statesTo,
	useReceivers,
} from "./push-fixture";

describe("push notifications", () => {
	let fixture: DoorFixture;
	const receive = useReceivers();
	afterEach(() => fixture.close());

	it.each(BINDINGS)(
		"tell a webhook the end of its task, in $version over $transport",
		async (binding) => {
			fixture = await openDoor({ push: FAST });
			const receiver = await receive();
			const client = await connect(fixture.url, binding);
			const taskPushNotificationConfig = configOf("", receiver.url, {
				id: "mine",
				token: "my-token",
				authentication: { scheme: "Bearer", credentials: "my-credentials" },
			});
			const task = await send(client, say("count to 3 every 300ms"), {
				taskPushNotificationConfig,
				returnImmediately: true,
			});
			const all = { tenant: "", taskId: task.id, pageSize: 0, pageToken: "" };
			const { configs } = await client.listTaskPushNotificationConfig(all);
			expect(configs).toMatchObject([{ id: "mine", url: receiver.url }]);
			await waitFor(
				() => JSON.stringify(receiver.posts.at(-1) ?? "").match(/COMPLETED|completed/) !== null,
			);
			const { headers, body } = receiver.posts.at(-1) as Post;
			expect(headers["x-a2a-notification-token"]).toBe("my-token");
			expect(headers.authorization).toBe("Bearer my-credentials");
			expect(headers["x-a2a-notification-id"]).toMatch(new RegExp(`^${task.id}:\\d+$`));
			if (binding.version === "1.0") {
				expect(headers["content-type"]).toBe("application/a2a+json");
				expect(body).toMatchObject({
					task: { id: task.id, status: { state: "TASK_STATE_COMPLETED" } },
				});
			} else {
				expect(body).toMatchObject({ kind: "task", id: task.id, status: { state: "completed" } });
			}
			expect(JSON.stringify(body)).toContain("1 2 3");
			// Nobody is left to be told anything.
			await waitFor(async () => (await fixture.store.collection("a2a-push").get(task.id)) === null);
			expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([]);
		},
	);

	it.each(BINDINGS)(
		"can be asked for, read and given up, in $version over $transport",
		async (binding) => {
			fixture = await openDoor({ push: FAST });
			const receiver = await receive();
			const client = await connect(fixture.url, binding);
			const { id: taskId } = await send(client, say("/wait 60s"), { returnImmediately: true });
			const made = await client.createTaskPushNotificationConfig(
				configOf(taskId, receiver.url, { id: "one" }),
			);
			expect(made).toMatchObject({ id: "one", url: receiver.url });
			const ids = { tenant: "", taskId, id: "one" };
			expect(await client.getTaskPushNotificationConfig(ids)).toMatchObject({ url: receiver.url });
			await client.deleteTaskPushNotificationConfig(ids);
			await expect(client.getTaskPushNotificationConfig(ids)).rejects.toThrow(/no such push/);
			await cancelTask(client, taskId);
		},
	);

	it("tell every state once, in order", async () => {
		fixture = await openDoor({ push: FAST });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 30 every 10ms"), { returnImmediately: true });
		await client.createTaskPushNotificationConfig(configOf(id, receiver.url));
		await waitFor(() => JSON.stringify(receiver.posts).includes("TASK_STATE_COMPLETED"));
		const states = receiver.posts.map(({ body }) => {
			const { task, statusUpdate } = body as Record<string, { status: { state: string } }>;
			return (task ?? statusUpdate)?.status.state;
		});
		expect(new Set(states).size).toBe(states.length);
		expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
	});

	it("are tried again when the receiver fails, and given up in the end", async () => {
		fixture = await openDoor({ push: FAST });
		const patient = await receive(503, 500);
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		await client.createTaskPushNotificationConfig(configOf(id, patient.url));
		await waitFor(() => patient.posts.length === 3);
		const ids = patient.posts.map(({ headers }) => headers["x-a2a-notification-id"]);
		expect(new Set(ids).size).toBe(1);
		const broken = await receive(500, 500, 500, 500, 500, 500);
		await client.createTaskPushNotificationConfig(configOf(id, broken.url));
		await waitFor(() => fixture.warnings.some((warning) => warning.includes("answered 500")));
		expect(broken.posts).toHaveLength(4);
	});

	it("are not tried again after a refusal, and follow no redirect", async () => {
		fixture = await openDoor({ push: FAST });
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		for (const status of [400, "redirect"] as const) {
			const receiver = await receive(status);
			await client.createTaskPushNotificationConfig(configOf(id, receiver.url));
			const before = fixture.warnings.length;
			await waitFor(() => fixture.warnings.length > before);
			expect(receiver.posts).toHaveLength(1);
		}
	});

	it("are over when the receiver wants to talk something else, and nothing waits for it", async () => {
		fixture = await openDoor({ push: { ...FAST, timeoutMs: 60_000 } });
		const switching = await startSwitching();
		try {
			const client = await connect(fixture.url);
			const { id } = await send(client, say("count to 2"));
			await client.createTaskPushNotificationConfig(configOf(id, switching.url));
			await waitFor(() => fixture.warnings.some((warning) => warning.includes("answered 101")));
			await fixture.door.close();
		} finally {
			switching.close();
		}
	});

	it("of tasks that wait for their callers hold up no others, and go on with the reply", async () => {
		fixture = await openDoor({ push: { ...FAST, atOnce: 2, restMs: 60_000 }, agent: askingOnce });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const configuration = { taskPushNotificationConfig: configOf("", receiver.url) };
		const waiting: string[] = [];
		for (let i = 0; i < 5; i++) {
			const { id } = await send(client, say("Ask me"), configuration);
			await waitFor(() => statesTo(receiver, id).includes("TASK_STATE_INPUT_REQUIRED"));
			waiting.push(id);
		}
		const [replied = "", cancelled = ""] = waiting;
		await send(client, say("cat", { taskId: replied }));
		await cancelTask(client, cancelled);
		await waitFor(() => statesTo(receiver, replied).includes("TASK_STATE_COMPLETED"));
		await waitFor(() => statesTo(receiver, cancelled).includes("TASK_STATE_CANCELED"));
		const ids = receiver.posts.map(({ headers }) => headers["x-a2a-notification-id"]);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it("of a task that goes on without this door are told all the same", async () => {
		fixture = await openDoor({ push: { ...FAST, restMs: 200 }, agent: askingOnce });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id, contextId } = await send(client, say("Ask me"), {
			taskPushNotificationConfig: configOf("", receiver.url),
		});
		await waitFor(() => statesTo(receiver, id).includes("TASK_STATE_INPUT_REQUIRED"));
		await fixture.turns.abort(contextId, id);
		await waitFor(() => statesTo(receiver, id).includes("TASK_STATE_CANCELED"));
	});

	it("tell that a task is lost when its session is gone, once, and are done", async () => {
		fixture = await openDoor({ push: { ...FAST, restMs: 100 }, agent: askingOnce });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id, contextId } = await send(client, say("Ask me"), {
			taskPushNotificationConfig: configOf("", receiver.url),
		});
		await waitFor(() => statesTo(receiver, id).includes("TASK_STATE_INPUT_REQUIRED"));
		await fixture.store.collection("sessions").delete(contextId);
		const records = fixture.store.collection("a2a-push");
		await waitFor(async () => (await records.get(id)) === null);
		expect(statesTo(receiver, id).filter((state) => state === "TASK_STATE_FAILED")).toHaveLength(1);
		const ids = receiver.posts.map(({ headers }) => headers["x-a2a-notification-id"]);
		expect(new Set(ids).size).toBe(ids.length);
		expect(await records.dueAlarms(10)).toEqual([]);
		expect(fixture.warnings).toEqual([]);
	});

	it("are sent by another process when the first one is gone", async () => {
		const store = await openStore({ driver: "memory" });
		const push = { ...FAST, leaseMs: 600, retryMs: [60_000] };
		fixture = await openDoor({ store, push });
		const receiver = await receive(503);
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		await client.createTaskPushNotificationConfig(configOf(id, receiver.url));
		await waitFor(() => receiver.posts.length === 1);
		// The first waits a minute before it tries again; then it goes away.
		await fixture.close();
		fixture = await openDoor({ store, push });
		await waitFor(() => receiver.posts.length === 2);
		expect(receiver.posts[1]?.body).toMatchObject({ task: { id } });
	});
});
