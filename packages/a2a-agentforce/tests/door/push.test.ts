import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import type { Agent } from "@baton/agent";
import { openStore } from "@baton/session";
import { waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import type { Lookup } from "../../src/door/push/push-addresses";
import { BINDINGS, BOB, connect, type DoorFixture, openDoor, say, send } from "./door-fixture";

interface Post {
	headers: IncomingHttpHeaders;
	body: Record<string, unknown>;
}

/** A receiver that answers with these statuses, then with 200. */
async function startReceiver(...statuses: (number | "redirect")[]) {
	const posts: Post[] = [];
	const server: Server = createServer(async (request, response) => {
		let text = "";
		for await (const piece of request) text += piece;
		posts.push({ headers: request.headers, body: JSON.parse(text || "{}") });
		const status = statuses.shift() ?? 200;
		if (status === "redirect") response.writeHead(307, { location: "/elsewhere" }).end();
		else response.writeHead(status).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	return { url, posts, close: () => server.close() };
}

/** A receiver that answers `101 Switching Protocols` and then says nothing. */
async function startSwitching() {
	const sockets = new Set<Socket>();
	const server = createTcpServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		const switched =
			"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
		socket.once("data", () => socket.write(switched));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const close = () => {
		for (const socket of sockets) socket.destroy();
		server.close();
	};
	return { url, close };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Asks once, then is content with anything. */
const asking: Agent = {
	name: "asking",
	recovery: "fail",
	async *run({ input }) {
		yield { type: "message", role: "assistant", content: "Cat or dog?" };
		if (input.content === "Ask me") yield { type: "input_required", reason: "inquire" };
		return undefined;
	},
};

const FAST = { allowPrivate: true, retryMs: [20, 20, 20], sweepMs: 50 };

function configOf(taskId: string, url: string, more: Partial<TaskPushNotificationConfig> = {}) {
	return { tenant: "", taskId, id: "", url, token: "", authentication: undefined, ...more };
}

describe("push notifications", () => {
	let fixture: DoorFixture;
	const receivers: Receiver[] = [];
	afterEach(async () => {
		await fixture.close();
		for (const receiver of receivers.splice(0)) receiver.close();
	});
	const receive = async (...statuses: (number | "redirect")[]) => {
		const receiver = await startReceiver(...statuses);
		receivers.push(receiver);
		return receiver;
	};

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
			await client.cancelTask({ tenant: "", id: taskId, metadata: undefined });
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

	it("refuse an inner address when it is saved, and store nothing", async () => {
		fixture = await openDoor();
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		for (const url of [receiver.url, "http://2130706433/", "http://[::1]/", "ftp://x.example/"]) {
			await expect(client.createTaskPushNotificationConfig(configOf(id, url))).rejects.toThrow(
				/refused/,
			);
			const taskPushNotificationConfig = configOf("", url);
			const sent = send(client, say("count to 2"), { taskPushNotificationConfig });
			await expect(sent).rejects.toThrow(/refused/);
		}
		const all = { tenant: "", taskId: id, pageSize: 0, pageToken: "" };
		expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([]);
		expect(receiver.posts).toEqual([]);
	});

	it("check the address again when they are sent: a name that changed its answer is not called", async () => {
		const receiver = await receive();
		let asked = 0;
		const lookup: Lookup = (_, done) =>
			done(null, [{ address: ++asked === 1 ? "93.184.216.34" : "127.0.0.1", family: 4 }]);
		fixture = await openDoor({ push: { lookup, retryMs: [20], sweepMs: 50 } });
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		const url = `http://hook.example:${new URL(receiver.url).port}/`;
		await client.createTaskPushNotificationConfig(configOf(id, url));
		await waitFor(() => fixture.warnings.some((warning) => warning.includes("not a public one")));
		expect([asked, receiver.posts]).toEqual([2, []]);
	});

	it("have a cap for each task", async () => {
		fixture = await openDoor({ push: FAST });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("/wait 60s"), { returnImmediately: true });
		const made = await Promise.allSettled(
			Array.from({ length: 15 }, (_, i) =>
				client.createTaskPushNotificationConfig(configOf(id, `${receiver.url}/${i}`)),
			),
		);
		expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
		// The same one again is no eleventh.
		const { configs } = await client.listTaskPushNotificationConfig({
			tenant: "",
			taskId: id,
			pageSize: 0,
			pageToken: "",
		});
		expect(configs).toHaveLength(10);
		await client.createTaskPushNotificationConfig(
			configOf(id, receiver.url, { id: configs[0]?.id ?? "" }),
		);
		await client.createTaskPushNotificationConfig(configOf(id, configs[1]?.url ?? ""));
		expect(await fixture.store.collection("a2a-push").get(id)).toMatchObject({
			value: { webhooks: { length: 10 } },
		});
		await client.cancelTask({ tenant: "", id, metadata: undefined });
	});

	it("that are over the cap are refused before the message is stored", async () => {
		fixture = await openDoor({ push: FAST, agent: asking });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("Ask me"));
		for (let i = 0; i < 10; i++) {
			await client.createTaskPushNotificationConfig(configOf(id, `${receiver.url}/${i}`));
		}
		const reply = (url: string) =>
			send(client, say("cat", { taskId: id }), {
				taskPushNotificationConfig: configOf("", url),
			});
		await expect(reply(`${receiver.url}/10`)).rejects.toThrow(/at most 10/);
		const task = await client.getTask({ tenant: "", id, historyLength: undefined });
		expect(task.history).toHaveLength(1);
		// One that it has is no eleventh, though it came without an id.
		expect((await reply(`${receiver.url}/9`)).history).toHaveLength(2);
	});

	const statesTo = ({ posts }: Receiver, taskId: string) =>
		posts.flatMap(({ body }) => {
			const { task, statusUpdate } = body as Record<
				string,
				{ id?: string; taskId?: string; status: { state: string } }
			>;
			const told = task ?? statusUpdate;
			return told && (told.id ?? told.taskId) === taskId ? [told.status.state] : [];
		});

	it("of tasks that wait for their callers hold up no others, and go on with the reply", async () => {
		fixture = await openDoor({ push: { ...FAST, atOnce: 2, restMs: 60_000 }, agent: asking });
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
		await client.cancelTask({ tenant: "", id: cancelled, metadata: undefined });
		await waitFor(() => statesTo(receiver, replied).includes("TASK_STATE_COMPLETED"));
		await waitFor(() => statesTo(receiver, cancelled).includes("TASK_STATE_CANCELED"));
		const ids = receiver.posts.map(({ headers }) => headers["x-a2a-notification-id"]);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it("of a task that goes on without this door are told all the same", async () => {
		fixture = await openDoor({ push: { ...FAST, restMs: 200 }, agent: asking });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id, contextId } = await send(client, say("Ask me"), {
			taskPushNotificationConfig: configOf("", receiver.url),
		});
		await waitFor(() => statesTo(receiver, id).includes("TASK_STATE_INPUT_REQUIRED"));
		await fixture.turns.abort(contextId, id);
		await waitFor(() => statesTo(receiver, id).includes("TASK_STATE_CANCELED"));
	});

	it("of one owner leave room for those of another, and it is said when they wait", async () => {
		fixture = await openDoor({ push: { ...FAST, perOwner: 1, leaseMs: 3_000 } });
		const receiver = await receive();
		const [ada, bob] = [await connect(fixture.url), await connect(fixture.url, BINDINGS[0], BOB)];
		const configuration = { taskPushNotificationConfig: configOf("", receiver.url) };
		const working = { ...configuration, returnImmediately: true };
		const first = await send(ada, say("/wait 60s"), working);
		await waitFor(() => statesTo(receiver, first.id).includes("TASK_STATE_WORKING"));
		const second = await send(ada, say("count to 2"), configuration);
		const third = await send(bob, say("count to 2"), configuration);
		await waitFor(() => statesTo(receiver, third.id).includes("TASK_STATE_COMPLETED"));
		await waitFor(() => fixture.warnings.some((warning) => warning.includes("Webhooks wait")));
		expect(statesTo(receiver, second.id)).toEqual([]);
		await ada.cancelTask({ tenant: "", id: first.id, metadata: undefined });
		await waitFor(() => statesTo(receiver, second.id).includes("TASK_STATE_COMPLETED"));
	});

	it("tell that a task is lost when its session is gone, once, and are done", async () => {
		fixture = await openDoor({ push: { ...FAST, restMs: 100 }, agent: asking });
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

	it("refuse a token that would be a second header", async () => {
		fixture = await openDoor({ push: FAST });
		const receiver = await receive();
		const client = await connect(fixture.url);
		const { id } = await send(client, say("count to 2"));
		const config = configOf(id, receiver.url, { token: "a\r\nX-Evil: 1" });
		await expect(client.createTaskPushNotificationConfig(config)).rejects.toThrow(/one line/);
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
